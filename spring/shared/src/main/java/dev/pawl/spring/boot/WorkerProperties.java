package dev.pawl.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code pawl.worker.*}.
 *
 * @param enabled Whether this application runs jobs. Otherwise it only enqueues.
 * @param queues Queues to claim from, in this order: the worker claims from a queue only while the queues before it have no jobs. Default:
 *     the queues of the handlers and the queue named default, in equal shares.
 * @param queuesLike Queues to claim from by name pattern, with * for any text. An alternative to the property queues.
 * @param weights Queues to claim from in turn, with their weights, 1 to 1000. An alternative to the property queues.
 * @param concurrency Maximum number of concurrent handlers, 1 to 10000.
 * @param maxConcurrency Upper limit for scaling the worker's concurrency while it runs, 1 to 10000. Default: its concurrency.
 * @param maxHeapUse Claims nothing while more than this part of the heap is in use, 0.5 to 0.99. Default: no limit.
 * @param suspendWhenIdle Whether an idle worker sends nothing to the database.
 * @param maxSuspend Longest time that an idle worker is suspended, 10 s to 30 days. Default: an hour; must be set on databases where other
 *     processes cannot wake the worker.
 * @param onlyDeclaredSchedules Whether to remove schedules that a program has declared, but no live worker declares any longer.
 * @param strategy How jobs are claimed and run, such as auto, rows, or transactional.
 * @param shutdownTimeout How long running handlers may continue when the application stops, before they are interrupted; 0 to 1 day.
 *     Default: five seconds less than spring.lifecycle.timeout-per-shutdown-phase, but at least half of it.
 * @param lease How soon the jobs of a dead worker are run by another, 1 s to 1 day.
 * @param pollInterval Longest time between two polls of an empty queue, 1 ms to 1 hour.
 * @param batch Maximum number of jobs per claim, 1 to 1000.
 * @param buffer Maximum number of claimed jobs that wait for a free handler, 0 to 10000.
 * @param bufferSize Maximum total payload of the claimed jobs that wait for a free handler, 64KB to 16GB.
 * @param maxResult Largest result of a job to accept, 1B to 16000000B.
 * @param virtualThreads Whether handlers run on virtual threads if the JVM has them.
 * @param name Name of the worker in lists. Default: host and process.
 * @param retry How long to wait after failed attempts.
 */
public record WorkerProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<String> queues,
        @DefaultValue List<String> queuesLike,
        @DefaultValue Map<String, Integer> weights,
        @DefaultValue("10") int concurrency,
        @Nullable Integer maxConcurrency,
        @Nullable Double maxHeapUse,
        @DefaultValue("false") boolean suspendWhenIdle,
        @Nullable Duration maxSuspend,
        @DefaultValue("false") boolean onlyDeclaredSchedules,
        @DefaultValue("auto") String strategy,
        @Nullable Duration shutdownTimeout,
        @DefaultValue("20s") Duration lease,
        @DefaultValue("1s") Duration pollInterval,
        @DefaultValue("1000") int batch,
        @DefaultValue("2000") int buffer,
        @DefaultValue("16MB") DataSize bufferSize,
        @DefaultValue("64KB") DataSize maxResult,
        @DefaultValue("true") boolean virtualThreads,
        @Nullable String name,
        @DefaultValue Retry retry) {

    /**
     * How long to wait after failed attempts: doubled each time.
     *
     * @param first Wait after the first failure; more than zero.
     * @param longest Maximum wait, before ±25 % jitter.
     */
    public record Retry(
            @DefaultValue("2s") Duration first,
            @DefaultValue("1h") Duration longest) {}
}
