package dev.pawl.quarkus;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The properties {@code pawl.*}. Ranges are checked when the queue is opened and the worker starts. */
@ConfigMapping(prefix = "pawl")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface PawlConfig {
    /** {@return name of the datasource of the queue. Default: the default one} */
    Optional<String> datasource();

    /** {@return whether startup creates and updates the tables} */
    @WithDefault("true")
    boolean migrate();

    /** {@return prefix of the name of every table} */
    @WithDefault("pawl_")
    String tablePrefix();

    /** {@return schema of the tables. Default: that of the connections} */
    Optional<String> schema();

    /** {@return whether workers in other processes are notified of new jobs at once} */
    @WithDefault("true")
    boolean notifications();

    /** {@return how long finished jobs are kept} */
    RetentionProperties retention();

    /** {@return the worker of this application} */
    WorkerProperties worker();

    /** How long finished jobs are kept. If any is set, the others default to 1d, 7d and 90d; otherwise the stored setting applies. */
    interface RetentionProperties {
        /** {@return how long completed jobs are kept} */
        Optional<Duration> completed();

        /** {@return how long cancelled jobs are kept} */
        Optional<Duration> cancelled();

        /** {@return how long discarded jobs are kept} */
        Optional<Duration> discarded();
    }

    /** The worker. */
    interface WorkerProperties {
        /** {@return whether this application runs jobs; otherwise it only enqueues} */
        @WithDefault("true")
        boolean enabled();

        /** {@return queues from which it claims, in strict order. Default: those of its handlers, and {@code default}, in equal shares} */
        Optional<List<String>> queues();

        /** {@return maximum number of concurrent handlers} */
        @WithDefault("10")
        int concurrency();

        /** {@return how jobs are claimed and run} */
        @WithDefault("auto")
        String strategy();

        /** {@return how long running handlers may continue when the application stops} */
        @WithDefault("25s")
        Duration shutdownTimeout();

        /** {@return how soon the jobs of a dead worker are run by another} */
        @WithDefault("20s")
        Duration lease();

        /** {@return longest time between two polls of an empty queue} */
        @WithDefault("1s")
        Duration pollInterval();

        /** {@return whether handlers run on virtual threads if the JVM has them} */
        @WithDefault("true")
        boolean virtualThreads();

        /** {@return name of the worker in lists. Default: host and process} */
        Optional<String> name();

        /** {@return how long to wait after failed attempts} */
        Retry retry();
    }

    /** The waits between attempts, which double after each failure. */
    interface Retry {
        /** {@return wait after the first failure} */
        @WithDefault("2s")
        Duration first();

        /** {@return maximum wait, before ±25 % jitter} */
        @WithDefault("1h")
        Duration longest();
    }
}
