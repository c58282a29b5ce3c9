package dev.pawl.spring.boot;

import dev.pawl.JobQueueBuilder;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.Prefetch;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import java.time.Duration;
import java.util.stream.Stream;

/** Applies the properties to the builders. */
final class QueueOptions {
    private QueueOptions() {}

    static void apply(PawlProperties properties, JobQueueBuilder queue) {
        PawlProperties.Retention kept = properties.retention();
        queue.migrate(properties.migrate())
                .tablePrefix(properties.tablePrefix())
                .notifications(properties.notifications())
                .maxPayloadBytes(Math.toIntExact(Math.min(
                        Integer.MAX_VALUE, properties.maxPayload().toBytes())))
                .retention(Retention.DEFAULTS
                        .completed(kept.completed())
                        .cancelled(kept.cancelled())
                        .discarded(kept.discarded()));
        String schema = properties.schema();
        if (schema != null) {
            queue.schema(schema);
        }
        Boolean notify = properties.notifyInTransactions();
        if (notify != null) {
            queue.notifyInTransactions(notify);
        }
        properties.maxWaiting().forEach(queue::maxWaiting);
    }

    static void apply(WorkerProperties properties, Duration grace, WorkerBuilder worker) {
        requireNoContradiction(properties);
        worker.concurrency(properties.concurrency())
                .grace(grace)
                .lease(properties.lease())
                .pollInterval(properties.pollInterval())
                .prefetch(prefetch(properties))
                .maxResultBytes(Math.toIntExact(Math.min(
                        Integer.MAX_VALUE, properties.maxResult().toBytes())))
                .virtualThreads(properties.virtualThreads())
                .strategy(Strategy.parse(properties.strategy()))
                .retryPolicy(RetryPolicy.exponential(
                        properties.retry().first(), properties.retry().longest()));
        String name = properties.name();
        if (name != null) {
            worker.name(name);
        }
        Integer most = properties.maxConcurrency();
        if (most != null) {
            worker.maxConcurrency(most);
        }
        if (properties.onlyDeclaredSchedules()) {
            worker.onlyDeclaredSchedules();
        }
        sleep(properties, worker);
        queues(properties, worker);
    }

    private static Prefetch prefetch(WorkerProperties properties) {
        Prefetch prefetch = Prefetch.DEFAULTS
                .batch(properties.batch())
                .buffer(properties.buffer())
                .bufferBytes(properties.bufferSize().toBytes());
        Double mark = properties.maxHeapUse();
        return mark == null ? prefetch : prefetch.maxHeapUse(mark);
    }

    /** Refuses options that exclude each other. */
    private static void requireNoContradiction(WorkerProperties given) {
        long sets = Stream.of(given.queues().isEmpty(), given.queuesLike().isEmpty(), given.weights().isEmpty())
                .filter(isEmpty -> !isEmpty)
                .count();
        if (sets > 1) {
            throw new IllegalArgumentException("pawl.worker.queues, pawl.worker.queues-like and pawl.worker.weights are"
                    + " alternatives: set one of them");
        }
        if (given.maxSuspend() != null && !given.suspendWhenIdle()) {
            throw new IllegalArgumentException("pawl.worker.max-suspend has no effect without"
                    + " pawl.worker.suspend-when-idle=true: set that, too, or remove this");
        }
        Integer most = given.maxConcurrency();
        if (most != null && most < given.concurrency()) {
            throw new IllegalArgumentException("pawl.worker.max-concurrency (" + most
                    + ") is less than pawl.worker.concurrency (" + given.concurrency() + "): make it larger, or remove it");
        }
    }

    private static void sleep(WorkerProperties properties, WorkerBuilder worker) {
        Duration longest = properties.maxSuspend();
        if (longest != null) {
            worker.suspendWhenIdle(longest);
        } else if (properties.suspendWhenIdle()) {
            worker.suspendWhenIdle();
        }
    }

    private static void queues(WorkerProperties properties, WorkerBuilder worker) {
        if (!properties.weights().isEmpty()) {
            worker.weightedQueues(properties.weights());
        } else if (!properties.queuesLike().isEmpty()) {
            worker.queuesLike(properties.queuesLike().toArray(String[]::new));
        } else if (!properties.queues().isEmpty()) {
            worker.queues(properties.queues().toArray(String[]::new));
        }
    }
}
