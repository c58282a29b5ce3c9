package dev.pawl.internal.store;

import java.time.Duration;

/**
 * A source of work for a suspended worker. Each source has a moment in {@link NextMoment}, and a duty or a part of the main path that does
 * the work. Work of a source that is missing here would not be done while all workers are suspended.
 */
public enum WorkSource {
    /** Due jobs with rows of their own, in queues and of kinds of the worker. */
    JOBS,
    /** Unclaimed jobs of lanes. */
    LANES,
    /** The lease of another worker's job or range expires. */
    LEASES,
    /** Ranges of lanes are to be searched again for jobs that were committed late. */
    LATE_JOBS,
    /** A schedule is due. */
    TICKS,
    /** A hold of a queue, kind or limit ends. */
    HOLDS,
    /** A blocked job with a concurrency key becomes due. */
    KEYS,
    /** A hold of a key ends. */
    KEY_HOLDS,
    /** The rate of a key allows the next start. */
    KEY_RATES,
    /** Batches or nodes of workflows have jobs to release or cancel. */
    BATCHES,
    /** A batch was resumed: workers that did not know yet may have paused more of its jobs. */
    ENDED_PAUSES;

    /** After this time since a batch was resumed, all workers know of it, and pause none of its jobs any more. */
    public static final Duration PAUSE_END_KNOWN = Duration.ofMinutes(2);
}
