package dev.pawl.schedule;

import dev.pawl.internal.words.ReservedHeaders;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a tick.
 *
 * @param tick when it was due
 * @param lookedAt when a worker looked at it
 * @param outcome what became of it
 * @param jobId its job, or the one that it overlaps with; null if there is none
 */
public record Tick(
        Instant tick,
        Instant lookedAt,
        Outcome outcome,
        @Nullable Long jobId) {
    /** The header of a job that tells its tick, as {@link Instant#toString} writes it. */
    public static final String HEADER = ReservedHeaders.TICK;

    /** The header of a job that names the schedule which has enqueued it. */
    public static final String SCHEDULE_HEADER = ReservedHeaders.SCHEDULE;

    /** What became of it. */
    public enum Outcome {
        /** It got its job. */
        ENQUEUED,
        /** An earlier job had not ended. */
        OVERLAPPED,
        /** No worker was there in time. Of several such ticks in a row only the first is kept. */
        MISSED,
        /** Somebody has asked for a job out of turn. */
        BY_HAND
    }
}
