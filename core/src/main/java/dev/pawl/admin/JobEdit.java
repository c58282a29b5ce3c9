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
 */
public record JobEdit(
        @Nullable String payload,
        @Nullable Integer priority,
        @Nullable Instant availableAt) {
    /** All stays as it is. */
    public static final JobEdit NOTHING = new JobEdit(null, null, null);

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
        return new JobEdit(Objects.requireNonNull(text), priority, availableAt);
    }

    /**
     * @param other the new priority
     * @return a copy
     */
    public JobEdit priority(int other) {
        return new JobEdit(payload, other, availableAt);
    }

    /**
     * @param moment when it may run
     * @return a copy
     */
    public JobEdit availableAt(Instant moment) {
        return new JobEdit(payload, priority, Objects.requireNonNull(moment));
    }
}
