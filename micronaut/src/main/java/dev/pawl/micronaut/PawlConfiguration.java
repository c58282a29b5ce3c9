package dev.pawl.micronaut;

import dev.pawl.JobQueueBuilder;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The properties {@code pawl.*}. Ranges are checked when the queue is opened and the worker starts.
 *
 * @param enabled whether there is a job queue. Default true
 * @param datasource name of the datasource of the queue. Default {@code default}
 * @param migrate whether startup creates and updates the tables. Default true
 * @param tablePrefix prefix of the name of every table. Default {@code pawl_}
 * @param schema schema of the tables. Default: that of the connections
 * @param notifications whether workers in other processes are notified of new jobs at once. Default true
 * @param retention how long finished jobs are kept
 * @param worker the worker of this application
 */
@ConfigurationProperties("pawl")
public record PawlConfiguration(
        @Bindable(defaultValue = "true") boolean enabled,
        @Bindable(defaultValue = "default") String datasource,
        @Bindable(defaultValue = "true") boolean migrate,
        @Bindable(defaultValue = "pawl_") String tablePrefix,
        @Nullable String schema,
        @Bindable(defaultValue = "true") boolean notifications,
        RetentionProperties retention,
        WorkerProperties worker) {
    /**
     * The properties {@code pawl.retention.*}.
     *
     * @param completed how long completed jobs are kept. Default 1d if any of these is set; otherwise the stored setting
     * @param cancelled how long cancelled jobs are kept. Default 7d, or as above
     * @param discarded how long discarded jobs are kept. Default 90d, or as above
     */
    @ConfigurationProperties("retention")
    public record RetentionProperties(
            @Nullable Duration completed,
            @Nullable Duration cancelled,
            @Nullable Duration discarded) {
        void apply(JobQueueBuilder builder) {
            Retention defaults = Retention.DEFAULTS;
            if (completed != null || cancelled != null || discarded != null) {
                builder.retention(defaults.completed(Objects.requireNonNullElse(completed, defaults.completed()))
                        .cancelled(Objects.requireNonNullElse(cancelled, defaults.cancelled()))
                        .discarded(Objects.requireNonNullElse(discarded, defaults.discarded())));
            }
        }
    }

    /**
     * The properties {@code pawl.worker.*}.
     *
     * @param enabled whether this application runs jobs; otherwise it only enqueues. Default true
     * @param queues from which it claims, in strict order. Default: those of its handlers, and {@code default}, in equal shares
     * @param concurrency maximum number of concurrent handlers. Default 10
     * @param strategy how jobs are claimed and run. Default {@code auto}
     * @param shutdownTimeout how long running handlers may continue when the application stops. Default 25s
     * @param lease how soon the jobs of a dead worker are run by another. Default 20s
     * @param pollInterval longest time between two polls of an empty queue. Default 1s
     * @param virtualThreads whether handlers run on virtual threads if the JVM has them. Default true
     * @param name of the worker in lists. Default: host and process
     * @param retry how long to wait after failed attempts
     */
    @ConfigurationProperties("worker")
    public record WorkerProperties(
            @Bindable(defaultValue = "true") boolean enabled,
            @Nullable List<String> queues,
            @Bindable(defaultValue = "10") int concurrency,
            @Bindable(defaultValue = "auto") String strategy,
            @Bindable(defaultValue = "25s") Duration shutdownTimeout,
            @Bindable(defaultValue = "20s") Duration lease,
            @Bindable(defaultValue = "1s") Duration pollInterval,
            @Bindable(defaultValue = "true") boolean virtualThreads,
            @Nullable String name,
            Retry retry) {
        /**
         * The properties {@code pawl.worker.retry.*}: waits that are doubled each time.
         *
         * @param first wait after the first failure. Default 2s
         * @param longest maximum wait, before ±25 % jitter. Default 1h
         */
        @ConfigurationProperties("retry")
        public record Retry(
                @Bindable(defaultValue = "2s") Duration first,
                @Bindable(defaultValue = "1h") Duration longest) {}

        void apply(WorkerBuilder builder) {
            builder.concurrency(concurrency)
                    .strategy(Strategy.parse(strategy))
                    .grace(shutdownTimeout)
                    .lease(lease)
                    .pollInterval(pollInterval)
                    .virtualThreads(virtualThreads)
                    .retryPolicy(RetryPolicy.exponential(retry.first, retry.longest));
            if (name != null) {
                builder.name(name);
            }
            if (queues != null && !queues.isEmpty()) {
                builder.queues(queues.toArray(String[]::new));
            }
        }
    }

    void apply(JobQueueBuilder builder) {
        builder.migrate(migrate).tablePrefix(tablePrefix).notifications(notifications);
        retention.apply(builder);
        if (schema != null) {
            builder.schema(schema);
        }
    }
}
