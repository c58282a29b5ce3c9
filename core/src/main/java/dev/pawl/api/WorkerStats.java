package dev.pawl.api;

/**
 * Counters and gauges of a worker. Counters begin when the worker starts, except {@code contended}.
 *
 * @param claimed jobs claimed
 * @param completed jobs completed
 * @param failed attempts that failed and will be retried
 * @param snoozed runs that ended with {@link WorkerEvent.Snoozed}
 * @param cancelled jobs cancelled
 * @param discarded jobs discarded
 * @param leasesLost jobs whose lease this worker has lost
 * @param released jobs released before they started
 * @param rescued jobs of dead workers that this one rescued
 * @param claimsLost claims of a lane, and jobs of an optimistic claim, that another worker got first
 * @param contended statements and transactions retried after a deadlock, a lock timeout or a busy file, by all users of the worker's queue
 *     object since the queue was opened
 * @param running jobs that handlers run now; each job of a chunk counts
 * @param buffered claimed jobs that wait for nothing but a free handler; those that wait for a limit do not count
 * @param concurrency how many handlers may run at once now
 * @param heapFull whether it claims nothing now because the heap is full, see {@link Prefetch#maxHeapUse(double)}
 * @param heapPauses how often it has stopped claiming because the heap was full
 */
public record WorkerStats(
        long claimed,
        long completed,
        long failed,
        long snoozed,
        long cancelled,
        long discarded,
        long leasesLost,
        long released,
        long rescued,
        long claimsLost,
        long contended,
        int running,
        int buffered,
        int concurrency,
        boolean heapFull,
        long heapPauses) {}
