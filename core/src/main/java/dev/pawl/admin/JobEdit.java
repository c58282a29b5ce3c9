package dev.pawl.admin;

import dev.pawl.EnqueueOptions;
import dev.pawl.InvalidJobException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is to be different about a job that waits. Immutable; start from {@link #NOTHING}. Null leaves it as it is.
 *
 * @param payload as the codec would write it; nobody checks that the handler can read it
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
     * @throws InvalidJobException if the priority or the moment is outside its range, or the payload has a character 0
     */
    public JobEdit {
        if (priority != null) {
            EnqueueOptions.DEFAULTS.priority(priority); // checks it
        }
        if (availableAt != null) {
            EnqueueOptions.DEFAULTS.availableAt(availableAt); // checks it
        }
        if (payload != null && payload.indexOf(0) >= 0) {
            throw new InvalidJobException("a payload must not contain the character 0, which databases refuse");
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
