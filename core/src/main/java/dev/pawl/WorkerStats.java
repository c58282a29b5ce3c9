package dev.pawl;

/**
 * What a worker has done since it started.
 *
 * @param claimed jobs claimed
 * @param completed jobs completed
 * @param failed attempts that failed and will be tried again
 * @param snoozed jobs snoozed
 * @param cancelled jobs cancelled
 * @param discarded jobs discarded
 * @param leasesLost outcomes that were refused because the lease was lost
 * @param released jobs given back unstarted
 * @param rescued abandoned jobs of other workers that this one recovered
 * @param claimsLost jobs that an optimistic claim saw and another worker took first
 * @param contended statements and transactions that met others and were tried again: a deadlock, a wait for a lock that was
 *     given up, a busy file; those of its queue in this process, whoever sent them, since the queue was opened
 * @param running handlers running now
 * @param buffered jobs claimed and not yet started
 * @param concurrency handlers at once, now
 * @param holdsBack whether it claims nothing now, because the heap is full, see {@link WorkerBuilder#maxHeapUse}
 * @param heldBack how often it has begun to hold back
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
        boolean holdsBack,
        long heldBack) {}
