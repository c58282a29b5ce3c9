package dev.pawl.cli.importer;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became, or would become, of a row of the peer, or of several jobs alike.
 *
 * @param what a job or a schedule
 * @param id by which the peer knows it; null for several
 * @param name what the peer would run
 * @param kind the kind that it gets; null if it is refused for another reason
 * @param when it is due, in words; of several jobs the first
 * @param count how many
 * @param result what became of it
 * @param note why, or what to do; null if there is nothing to say
 */
public record Line(
        What what,
        @Nullable String id,
        String name,
        @Nullable String kind,
        String when,
        long count,
        Result result,
        @Nullable String note) {

    private static final String NOW = "now";

    /** What a row is. */
    public enum What {
        /** It runs once. */
        JOB,
        /** It recurs. */
        SCHEDULE
    }

    /** What becomes of it. */
    public enum Result {
        /** It is imported now. */
        IMPORTED,
        /** It was imported before. */
        ALREADY,
        /** The next tick of a schedule that is imported, which will make that job itself. */
        COVERED,
        /** It is not imported, and the note says why. */
        REFUSED
    }

    static String when(@Nullable Instant due) {
        return due == null ? NOW : due.toString();
    }

    /** {@return the earlier of two moments in words} */
    static String earlier(String one, String other) {
        if (one.equals(NOW) || other.equals(NOW)) {
            return NOW;
        }
        return one.compareTo(other) < 0 ? one : other;
    }
}
