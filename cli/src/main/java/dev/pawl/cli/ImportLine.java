package dev.pawl.cli;

import org.jspecify.annotations.Nullable;

/**
 * What an import did, or would do, with one job or schedule of the other library (the peer), or with several similar jobs.
 *
 * @param what a job or a schedule
 * @param id by which the peer knows it; null for several
 * @param name what the peer would run
 * @param kind the target kind; null if the row was refused before the kind was known
 * @param when it is due, as text; for several jobs, when the first is
 * @param count how many rows the line stands for
 * @param result of the import
 * @param note the reason, or what to do; null if there is none
 */
public record ImportLine(
        What what,
        @Nullable String id,
        String name,
        @Nullable String kind,
        String when,
        long count,
        Result result,
        @Nullable String note) {

    /** The type of a row. */
    public enum What {
        /** It runs once. */
        JOB,
        /** It recurs. */
        SCHEDULE
    }

    /** The result for a row. */
    public enum Result {
        /** Imported now. */
        IMPORTED,
        /** Imported before. */
        ALREADY,
        /** Not imported: the next tick of an imported schedule will enqueue this job. */
        COVERED,
        /** Not imported; the note contains the reason. */
        REFUSED
    }
}
