package dev.pawl.admin;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes to a waiting job. Immutable; start from {@link #NOTHING}. Null leaves a value unchanged.
 *
 * @param payload the new payload as the codec would write it. Pawl does not check that the handler can read it, and a unique key derived
 *     from the old payload stays
 * @param priority the new priority, smallest first
 * @param availableAt when the job may run, even if it is pending or waits for the first jobs of its batch; a past time for at once
 * @param payloadWas the expected current payload; null to change the job regardless of it
 */
public record JobEdit(
        @Nullable String payload,
        @Nullable Integer priority,
        @Nullable Instant availableAt,
        @Nullable String payloadWas) {
    /** Changes nothing. */
    public static final JobEdit NOTHING = new JobEdit(null, null, null, null);

    /**
     * @throws IllegalArgumentException if the priority or the time is outside its range
     * @throws InvalidJobException if the payload is not valid text
     */
    public JobEdit {
        if (priority != null) {
            EnqueueOptions.DEFAULTS.priority(priority); // checks the range
        }
        if (availableAt != null) {
            JobChange.Reschedule unused = new JobChange.Reschedule(availableAt); // checks the range
        }
        if (payload != null) {
            JobRequest unused = new JobRequest("edited", payload, EnqueueOptions.DEFAULTS); // checks the text
        }
    }

    /**
     * Sets the payload.
     *
     * @param text the new payload
     * @return a copy
     */
    public JobEdit payload(String text) {
        return new JobEdit(Objects.requireNonNull(text), priority, availableAt, payloadWas);
    }

    /**
     * Sets the priority.
     *
     * @param other the new priority
     * @return a copy
     */
    public JobEdit priority(int other) {
        return new JobEdit(payload, other, availableAt, payloadWas);
    }

    /**
     * Sets the time at which the job becomes available.
     *
     * @param moment when it may run
     * @return a copy
     */
    public JobEdit availableAt(Instant moment) {
        return new JobEdit(payload, priority, Objects.requireNonNull(moment), payloadWas);
    }

    /**
     * Makes the change conditional on the current payload. If two users edit a payload at once, the second edit then
     * fails instead of overwriting the first.
     *
     * @param text the payload on which the edit is based
     * @return a copy
     */
    public JobEdit payloadWas(String text) {
        return new JobEdit(payload, priority, availableAt, Objects.requireNonNull(text));
    }
}
