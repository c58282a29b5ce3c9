package dev.pawl.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it stands in the database.
 *
 * @param name its name
 * @param kind of its jobs
 * @param queue of its jobs
 * @param payload of its jobs, as the codec wrote it
 * @param recurrence when; null if this program cannot read it, because a newer one has written it or knows more time zones
 * @param text the recurrence as it is written
 * @param missed what happens to ticks that passed while no worker was there
 * @param overlap what happens to a tick while the last job has not ended
 * @param nextAt the next tick; null while it is paused, or while a job runs after whose end it is counted
 * @param lastTick the tick of the last job; null if there was none
 * @param lastJobId the last job; null if there was none
 * @param pausedAt since when it is paused; null if it is not
 * @param origin where it comes from
 * @param isChanged whether people have changed when it is due; a program that declares another recurrence undoes that
 * @param isOverdue whether a tick is more than a minute late: no live worker looks after the schedule
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
    /** Where a schedule comes from. */
    public enum Origin {
        /** A live worker declares it. */
        DECLARED,
        /**
         * Live workers declare it, but none of them in the form that is in force: within seconds it becomes what they declare, or one of
         * them logs why it cannot be declared.
         */
        DECLARED_OTHERWISE,
        /** A program has declared it, and none that is alive does: it goes on until somebody removes it. */
        LEFT_BEHIND,
        /** Somebody has added it by hand. */
        BY_HAND
    }
}
