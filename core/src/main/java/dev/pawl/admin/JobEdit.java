package dev.pawl.admin;

import dev.pawl.EnqueueOptions;
import dev.pawl.InvalidJobException;
import dev.pawl.JobRequest;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is to be different about a job that waits. Immutable; start from {@link #NOTHING}. Null leaves it as it is.
 *
 * @param payload as the codec would write it; nobody checks that the handler can read it, and a key that was drawn from the
 *     payload before stays
 * @param priority the new one; smaller ones go first
 * @param availableAt when it may run; the past for at once
 * @param payloadWas only if its payload is still this text; null to change it whatever it is
 */
public record JobEdit(
        @Nullable String payload,
        @Nullable Integer priority,
        @Nullable Instant availableAt,
        @Nullable String payloadWas) {
    /** All stays as it is. */
    public static final JobEdit NOTHING = new JobEdit(null, null, null, null);

    /**
     * @throws InvalidJobException if the priority or the moment is outside its range, or the payload is no text
     */
    public JobEdit {
        if (priority != null) {
            EnqueueOptions.DEFAULTS.priority(priority); // checks it
        }
        if (availableAt != null) {
            JobChange.Reschedule unused = new JobChange.Reschedule(availableAt); // checks it
        }
        if (payload != null) {
            JobRequest unused = new JobRequest("edited", payload, EnqueueOptions.DEFAULTS); // checks it
        }
    }

    /**
     * @param text the new payload
     * @return a copy
     */
    public JobEdit payload(String text) {
        return new JobEdit(Objects.requireNonNull(text), priority, availableAt, payloadWas);
    }

    /**
     * @param other the new priority
     * @return a copy
     */
    public JobEdit priority(int other) {
        return new JobEdit(payload, other, availableAt, payloadWas);
    }

    /**
     * @param moment when it may run
     * @return a copy
     */
    public JobEdit availableAt(Instant moment) {
        return new JobEdit(payload, priority, Objects.requireNonNull(moment), payloadWas);
    }

    /**
     * Of two people who change the same payload at once, the second is told, and replaces nothing that he has not seen.
     *
     * @param text the payload as it was when somebody looked at it
     * @return a copy
     */
    public JobEdit payloadWas(String text) {
        return new JobEdit(payload, priority, availableAt, Objects.requireNonNull(text));
    }
}
