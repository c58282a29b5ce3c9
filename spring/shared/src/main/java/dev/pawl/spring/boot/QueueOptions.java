package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.Prefetch;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.spring.ConfigurationException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/** Applies the properties to the builders. */
final class QueueOptions {
    private QueueOptions() {}

    static void apply(PawlProperties properties, JobQueueBuilder queue) {
        queue.migrate(properties.migrate()).notifications(properties.notifications());
        set("pawl.table-prefix", properties.tablePrefix(), queue::tablePrefix);
        set("pawl.max-payload", properties.maxPayload(), size -> queue.maxPayloadBytes(bytes(size)));
        retention(properties.retention(), queue);
        String schema = properties.schema();
        if (schema != null) {
            set("pawl.schema", schema, queue::schema);
        }
        Boolean notify = properties.notifyInTransactions();
        if (notify != null) {
            queue.notifyInTransactions(notify);
        }
        properties
                .maxWaiting()
                .forEach((name, most) -> set("pawl.max-waiting." + name, most, jobs -> queue.maxWaiting(name, jobs)));
    }

    /** If none of these properties is set, the setting stored in the database applies. */
    private static void retention(PawlProperties.Retention kept, JobQueueBuilder queue) {
        Retention retention = Retention.DEFAULTS;
        if (kept.completed() != null) {
            retention = get("pawl.retention.completed", kept.completed(), retention::completed);
        }
        if (kept.cancelled() != null) {
            retention = get("pawl.retention.cancelled", kept.cancelled(), retention::cancelled);
        }
        if (kept.discarded() != null) {
            retention = get("pawl.retention.discarded", kept.discarded(), retention::discarded);
        }
        if (kept.completed() != null || kept.cancelled() != null || kept.discarded() != null) {
            queue.retention(retention);
        }
    }

    static void apply(WorkerProperties properties, Duration grace, WorkerBuilder worker) {
        requireNoContradiction(properties);
        worker.prefetch(prefetch(properties)).virtualThreads(properties.virtualThreads());
        set("pawl.worker.concurrency", properties.concurrency(), worker::concurrency);
        set("pawl.worker.shutdown-timeout", grace, worker::grace);
        set("pawl.worker.lease", properties.lease(), worker::lease);
        set("pawl.worker.poll-interval", properties.pollInterval(), worker::pollInterval);
        set("pawl.worker.max-result", properties.maxResult(), size -> worker.maxResultBytes(bytes(size)));
        set("pawl.worker.strategy", properties.strategy(), text -> worker.strategy(Strategy.parse(text)));
        Duration first = properties.retry().first();
        set("pawl.worker.retry.first", first, wait -> worker.retryPolicy(RetryPolicy.exponential(wait, wait)));
        set(
                "pawl.worker.retry.longest",
                properties.retry().longest(),
                wait -> worker.retryPolicy(RetryPolicy.exponential(first, wait)));
        String name = properties.name();
        if (name != null) {
            set("pawl.worker.name", name, worker::name);
        }
        Integer most = properties.maxConcurrency();
        if (most != null) {
            set("pawl.worker.max-concurrency", most, worker::maxConcurrency);
        }
        if (properties.onlyDeclaredSchedules()) {
            worker.onlyDeclaredSchedules();
        }
        suspendWhenIdle(properties, worker);
        queues(properties, worker);
    }

    private static Prefetch prefetch(WorkerProperties properties) {
        Prefetch prefetch = get("pawl.worker.batch", properties.batch(), Prefetch.DEFAULTS::batch);
        prefetch = get("pawl.worker.buffer", properties.buffer(), prefetch::buffer);
        prefetch = get("pawl.worker.buffer-size", properties.bufferSize().toBytes(), prefetch::bufferBytes);
        Double mark = properties.maxHeapUse();
        return mark == null ? prefetch : get("pawl.worker.max-heap-use", mark, prefetch::maxHeapUse);
    }

    private static int bytes(DataSize size) {
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, size.toBytes()));
    }

    private static <T> void set(String property, T value, Consumer<T> option) {
        get(property, value, given -> {
            option.accept(given);
            return given;
        });
    }

    /**
     * Applies a property.
     *
     * @throws InvalidConfigurationPropertyValueException if the option refuses the value. Spring Boot then reports the value with the place
     *     where the property is set
     */
    private static <T, R> R get(String property, T value, Function<T, R> option) {
        try {
            return option.apply(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage());
        }
    }

    /** Applies a list or a map. Spring Boot cannot report its place, because each entry is a property of its own. */
    private static void setAll(String property, Runnable option) {
        try {
            option.run();
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(property + " is not valid", String.valueOf(e.getMessage()));
        }
    }

    /** Refuses options that exclude each other. */
    private static void requireNoContradiction(WorkerProperties given) {
        long sets = Stream.of(given.queues().isEmpty(), given.queuesLike().isEmpty(), given.weights().isEmpty())
                .filter(isEmpty -> !isEmpty)
                .count();
        if (sets > 1) {
            throw new ConfigurationException(
                    "pawl.worker.queues, pawl.worker.queues-like and pawl.worker.weights are alternatives",
                    "set one of them");
        }
        if (given.maxSuspend() != null && !given.suspendWhenIdle()) {
            throw new ConfigurationException(
                    "pawl.worker.max-suspend has no effect without pawl.worker.suspend-when-idle=true",
                    "set that, too, or remove this");
        }
        WorkerProperties.Retry retry = given.retry();
        if (retry.first().compareTo(retry.longest()) > 0) {
            throw new ConfigurationException(
                    "pawl.worker.retry.first (" + retry.first() + ") is longer than pawl.worker.retry.longest ("
                            + retry.longest() + ")",
                    "make the first one shorter, or the longest one longer");
        }
        Integer most = given.maxConcurrency();
        if (most != null && most < given.concurrency()) {
            throw new ConfigurationException(
                    "pawl.worker.max-concurrency (" + most + ") is less than pawl.worker.concurrency ("
                            + given.concurrency() + ")",
                    "make it larger, or remove it");
        }
    }

    /** Refuses a worker that would be suspended for ever, because nothing can wake it. */
    static void requireWakes(WorkerProperties given, JobQueue queue) {
        if (given.suspendWhenIdle()
                && given.maxSuspend() == null
                && !queue.unwrap(QueueRuntime.class).ports().wakes().reachesOthers()) {
            throw new ConfigurationException(
                    "pawl.worker.suspend-when-idle is true, and on this database other processes cannot wake the worker",
                    "set pawl.worker.max-suspend to how long their jobs may wait, such as 5m, or remove the property");
        }
    }

    private static void suspendWhenIdle(WorkerProperties properties, WorkerBuilder worker) {
        Duration longest = properties.maxSuspend();
        if (longest != null) {
            set("pawl.worker.max-suspend", longest, worker::suspendWhenIdle);
        } else if (properties.suspendWhenIdle()) {
            worker.suspendWhenIdle();
        }
    }

    private static void queues(WorkerProperties properties, WorkerBuilder worker) {
        if (!properties.weights().isEmpty()) {
            setAll("pawl.worker.weights", () -> worker.weightedQueues(properties.weights()));
        } else if (!properties.queuesLike().isEmpty()) {
            String[] patterns = properties.queuesLike().toArray(String[]::new);
            setAll("pawl.worker.queues-like", () -> worker.queuesLike(patterns));
        } else if (!properties.queues().isEmpty()) {
            String[] names = properties.queues().toArray(String[]::new);
            setAll("pawl.worker.queues", () -> worker.queues(names));
        }
    }
}
