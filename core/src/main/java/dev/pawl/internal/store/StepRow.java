package dev.pawl.internal.store;

import dev.pawl.JobStep;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a job remembers.
 *
 * @param name of what
 * @param place among the others of the job, from 1; 0 for a signal that the job has not come to yet
 * @param state of it
 * @param value as the codec wrote it; null if it has none
 * @param left how long it still waits, negative if that is over; null if it does not
 */
public record StepRow(
        Name name,
        int place,
        JobStep.State state,
        @Nullable String value,
        @Nullable Duration left) {
    /**
     * What it is called: a step and a signal may have the same name.
     *
     * @param kind of what
     * @param name given by the program
     */
    public record Name(JobStep.Kind kind, String name) {
        @Override
        public String toString() {
            return kind.name().toLowerCase(java.util.Locale.ROOT) + " '" + name + "'";
        }
    }

    /** {@return something that is done, with its value} */
    public static StepRow done(Name name, int place, @Nullable String value) {
        return new StepRow(name, place, JobStep.State.DONE, value, null);
    }

    /** {@return something that is waited for} */
    public static StepRow waiting(Name name, int place, Duration left) {
        return new StepRow(name, place, JobStep.State.WAITING, null, left);
    }

    /** {@return the same, after it was waited for in vain} */
    public StepRow givenUp() {
        return new StepRow(name, place, JobStep.State.GIVEN_UP, null, null);
    }

    /** {@return the same, done} */
    public StepRow over() {
        return done(name, place, null);
    }

    /** {@return whether it still waits} */
    public boolean isWaiting() {
        return state == JobStep.State.WAITING;
    }
}
