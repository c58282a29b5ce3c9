package dev.pawl.cli;

import org.jspecify.annotations.Nullable;

/**
 * The actual or expected result for a row of the peer, or for several similar jobs.
 *
 * @param what a job or a schedule
 * @param id by which the peer knows it; null for several
 * @param name what the peer would run
 * @param kind the target kind; null if it is refused for another reason
 * @param when it is due, as text; for several jobs the first
 * @param count how many
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
        /** The next tick of an imported schedule, which will enqueue that job itself. */
        COVERED,
        /** Not imported; the note contains the reason. */
        REFUSED
    }
}
