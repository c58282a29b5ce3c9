package dev.pawl.internal.engine;

import dev.pawl.internal.store.Admission;
import java.util.function.LongSupplier;

/**
 * What the parts that claim have in common.
 *
 * @param config of the worker
 * @param strategies how each queue is claimed from
 * @param workerId registers the worker on the first call
 * @param capacity how many jobs can run at once
 * @param buffer claimed jobs that wait for a handler
 * @param prefetch how far to claim ahead
 * @param admission bounds how many jobs the worker claims and starts
 * @param heldJobs all claimed jobs
 * @param releaser gives claimed jobs back
 * @param signal wakes the fetcher
 */
record Claiming(
        WorkerConfig config,
        Strategies strategies,
        LongSupplier workerId,
        Capacity capacity,
        Buffer buffer,
        Prefetch prefetch,
        Admission admission,
        HeldJobs heldJobs,
        Releaser releaser,
        FetchSignal signal) {}
