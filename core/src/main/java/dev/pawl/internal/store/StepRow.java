package dev.pawl.internal.store;

import dev.pawl.api.JobStep;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A stored step of a job.
 *
 * @param name of the step
 * @param place its number among the job's steps, from 1; 0 for a signal that the job has not reached yet
 * @param state of the step
 * @param value as the codec wrote it; null for none
 * @param left remaining waiting time, negative if it has passed; null if the step does not wait
 */
public record StepRow(
        Name name,
        int place,
        JobStep.State state,
        @Nullable String value,
        @Nullable Duration left) {
    /**
     * The name of a step, which is unique among the job's steps of this kind.
     *
     * @param kind of step
     * @param name given by the program
     */
    public record Name(JobStep.Kind kind, String name) {
        @Override
        public String toString() {
            return kind.name().toLowerCase(java.util.Locale.ROOT) + " '" + name + "'";
        }
    }

    /** {@return a step that is done, with its value} */
    public static StepRow done(Name name, int place, @Nullable String value) {
        return new StepRow(name, place, JobStep.State.DONE, value, null);
    }

    /** {@return a step that waits} */
    public static StepRow waiting(Name name, int place, Duration left) {
        return new StepRow(name, place, JobStep.State.WAITING, null, left);
    }

    /** {@return this step after a timeout} */
    public StepRow givenUp() {
        return new StepRow(name, place, JobStep.State.GIVEN_UP, null, null);
    }

    /** {@return this step as done} */
    public StepRow over() {
        return done(name, place, null);
    }

    /** {@return whether the step waits} */
    public boolean isWaiting() {
        return state == JobStep.State.WAITING;
    }
}
