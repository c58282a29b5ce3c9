package dev.pawl.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is stored in the database.
 *
 * @param name its name
 * @param kind of its jobs
 * @param queue of its jobs
 * @param payload of its jobs, as the codec wrote it
 * @param recurrence the times of its ticks; null if this program cannot read it, because it was written by a newer program or by a program
 *     that knows more time zones
 * @param text the recurrence as text
 * @param missed what happens to ticks that passed while no worker was running
 * @param overlap what happens to a tick while the last job has not finished
 * @param nextAt the next tick; null while the schedule is paused, or while a {@link Recurrence.Pause} has not begun because the last job
 *     has not finished
 * @param lastTick the tick of the last job; null if there was none
 * @param lastJobId the last job; null if there was none
 * @param pausedAt since when the schedule is paused; null if it is not
 * @param origin where the schedule comes from
 * @param isChanged whether an operator has changed the recurrence; a program that declares another recurrence than
 *     before overwrites the change
 * @param isOverdue whether a tick is more than a minute late, because no live worker checks the schedule
 */
public record ScheduleInfo(
        String name,
        String kind,
        String queue,
        String payload,
        @Nullable Recurrence recurrence,
        String text,
        Missed missed,
        Overlap overlap,
        @Nullable Instant nextAt,
        @Nullable Instant lastTick,
        @Nullable Long lastJobId,
        @Nullable Instant pausedAt,
        Origin origin,
        boolean isChanged,
        boolean isOverdue) {
    /** The origin of a schedule. */
    public enum Origin {
        /** A live worker declares it. */
        DECLARED,
        /**
         * Live workers declare it, but all of them differently from the stored schedule. Within half a minute, a worker writes its
         * declaration to the database, or logs why it cannot.
         */
        DECLARED_OTHERWISE,
        /** A program has declared it, but no live worker declares it now. It continues until it is removed. */
        LEFT_BEHIND,
        /** An operator or a tool has added it. */
        BY_HAND
    }
}
