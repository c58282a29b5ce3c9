package dev.pawl.internal.store;

/**
 * A source of work for a suspended worker. Each source has a moment in {@link NextMoment}, and a duty or a part of the main path that does
 * the work. Work of a source that is missing here would not be done while all workers are suspended. Features declare their own sources.
 *
 * @param name unique among all sources: letters and underscores
 * @param by what does the work after a suspension
 */
public record WorkSource(String name, By by) {
    /** What does the work of a source after a suspension. */
    public enum By {
        /** Threads that look for work as soon as the worker resumes, such as the fetcher. */
        MAIN_PATH,
        /** A {@link Duty} that names the source. */
        DUTY
    }

    /** Due jobs with rows of their own, in queues and of kinds of the worker. */
    public static final WorkSource JOBS = new WorkSource("JOBS", By.MAIN_PATH);

    /** Unclaimed jobs of lanes. */
    public static final WorkSource LANES = new WorkSource("LANES", By.MAIN_PATH);

    /** The lease of another worker's job or range expires. */
    public static final WorkSource LEASES = new WorkSource("LEASES", By.DUTY);

    /** Ranges of lanes are to be searched again for jobs that were committed late. */
    public static final WorkSource LATE_JOBS = new WorkSource("LATE_JOBS", By.DUTY);
}
