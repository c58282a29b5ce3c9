package dev.pawl.spring.boot;

import dev.pawl.JobQueueBuilder;
import dev.pawl.Retention;
import dev.pawl.RetryPolicy;
import dev.pawl.WorkerBuilder;
import java.time.Duration;

/** From the properties to the builders. */
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
        Boolean notify = properties.notifyInTransactions();
        if (notify != null) {
            queue.notifyInTransactions(notify);
        }
        properties.maxWaiting().forEach(queue::maxWaiting);
    }

    static void apply(WorkerProperties properties, Duration grace, WorkerBuilder worker) {
        worker.concurrency(properties.concurrency())
                .grace(grace)
                .lease(properties.lease())
                .pollInterval(properties.pollInterval())
                .batch(properties.batch())
                .buffer(properties.buffer())
                .bufferBytes(properties.bufferSize().toBytes())
                .virtualThreads(properties.virtualThreads())
                .retryPolicy(RetryPolicy.exponential(
                        properties.retry().first(), properties.retry().longest()));
        String name = properties.name();
        if (name != null) {
            worker.name(name);
        }
        if (!properties.weights().isEmpty()) {
            worker.weightedQueues(properties.weights());
        } else if (!properties.queuesLike().isEmpty()) {
            worker.queuesLike(properties.queuesLike().toArray(String[]::new));
        } else {
            worker.queues(properties.queues().toArray(String[]::new));
        }
    }
}
