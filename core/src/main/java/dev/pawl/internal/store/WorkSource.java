package dev.pawl.internal.store;

/**
 * What can give a sleeping worker something to do. Each source has a moment in {@link NextMoment}, and a duty or a part of the main path
 * that does the work. Work from a source that is missing here would not be done while all workers sleep.
 */
public enum WorkSource {
    /** Jobs with rows of their own that are due, in queues and of kinds that the worker has. */
    JOBS,
    /** Jobs of lanes that no worker has claimed. */
    LANES,
    /** The lease of another worker's job or range expires. */
    LEASES,
    /** Ranges of lanes are to be searched again for jobs that were committed late. */
    LATE_JOBS,
    /** A schedule is due. */
    TICKS,
    /** A hold of a queue, kind or limit ends. */
    HOLDS,
    /** Jobs with keys that wait for others of their key become due. */
    KEYS,
    /** A hold of a key ends. */
    KEY_HOLDS,
    /** The rate of a key allows the next start. */
    KEY_RATES,
    /** Batches or nodes of workflows have left jobs to release or cancel. */
    BATCHES,
    /** The pause of a batch has ended: workers that did not know yet may have put more of its jobs aside. */
    ENDED_PAUSES
}
