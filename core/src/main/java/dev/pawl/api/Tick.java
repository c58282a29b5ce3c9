package dev.pawl.api;

import dev.pawl.internal.words.ReservedHeaders;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was done at a tick.
 *
 * @param tick when it was due
 * @param checkedAt when a worker checked it
 * @param outcome what the worker did
 * @param jobId its job, or the job with which it overlaps; null if there is none
 */
public record Tick(
        Instant tick,
        Instant checkedAt,
        Outcome outcome,
        @Nullable Long jobId) {
    /** The header of a job with the time of its tick, in the format of {@link Instant#toString}. */
    public static final String HEADER = ReservedHeaders.TICK;

    /** The header of a job with the name of the schedule that has enqueued it. */
    public static final String SCHEDULE_HEADER = ReservedHeaders.SCHEDULE;

    /** What a worker did at a tick. */
    public enum Outcome {
        /** A job was enqueued. */
        ENQUEUED,
        /** An earlier job had not finished. */
        OVERLAPPED,
        /** No worker was running in time, and the schedule skips missed ticks. Of several such ticks in a row only the first is kept. */
        MISSED,
        /** An operator has requested a job between ticks. */
        BY_HAND
    }
}
