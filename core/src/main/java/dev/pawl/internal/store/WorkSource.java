package dev.pawl.internal.store;

/**
 * A source of work for a suspended worker. {@link NextMoment} tells the time of the next work of each source, and a duty or a part of the
 * main path does this work. If a source were missing, its work would not be done while all workers are suspended. Features declare their
 * own sources.
 *
 * @param name unique among all sources: letters and underscores
 * @param by which part of the worker does the work after a suspension
 */
public record WorkSource(String name, By by) {
    /** The part of the worker that does the work of a source after a suspension. */
    public enum By {
        /** Threads that search for work as soon as the worker resumes, such as the fetcher. */
        MAIN_PATH,
        /** A {@link Duty} that names the source. */
        DUTY
    }

    /** Due jobs with rows of their own, of the worker's queues and kinds. */
    public static final WorkSource JOBS = new WorkSource("JOBS", By.MAIN_PATH);

    /** Unclaimed jobs of lanes. */
    public static final WorkSource LANES = new WorkSource("LANES", By.MAIN_PATH);

    /** The lease of another worker's job or range expires. */
    public static final WorkSource LEASES = new WorkSource("LEASES", By.DUTY);

    /** Ranges of lanes must be searched again for jobs that were committed late. */
    public static final WorkSource LATE_JOBS = new WorkSource("LATE_JOBS", By.DUTY);
}
