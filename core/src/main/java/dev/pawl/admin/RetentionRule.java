package dev.pawl.admin;

import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.limit.Subject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long finished jobs of one queue or kind are kept. Stored in the database by {@link Maintenance#setRetention}, so
 * it applies to all workers and to {@code pawl prune}, and overrides the {@link Retention} of their program. The rule
 * of a kind overrides the rule of a queue, separately for each state.
 *
 * <p>Zero deletes jobs at the next pruning, which runs once a minute.
 *
 * @param subject a queue or a kind
 * @param completed duration for completed jobs, at most a hundred years; null for the program's retention
 * @param cancelled duration for cancelled jobs, as above
 * @param discarded duration for discarded jobs, as above; more than zero
 */
public record RetentionRule(
        Subject subject,
        @Nullable Duration completed,
        @Nullable Duration cancelled,
        @Nullable Duration discarded) {
    private static final Duration LONGEST = Duration.ofDays(36_525);

    /**
     * @throws IllegalArgumentException if the subject is neither a queue nor a kind, or a duration is negative, longer
     *     than a hundred years, or zero for discarded jobs
     */
    public RetentionRule {
        if (subject.of() == Subject.Of.KEYS) {
            throw new IllegalArgumentException(
                    "jobs with keys have no retention of their own: set that of their queue or kind");
        }
        check(subject, "completed", completed);
        check(subject, "cancelled", cancelled);
        check(subject, "discarded", discarded);
        if (discarded != null && discarded.isZero()) {
            throw new IllegalArgumentException("the retention of discarded jobs of " + subject
                    + " must be more than zero, so that operators can see them and their errors");
        }
    }

    private static void check(Subject subject, String state, @Nullable Duration keep) {
        if (keep != null && (keep.isNegative() || keep.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException("the retention of " + state + " jobs of " + subject
                    + " must be zero to a hundred years, not " + keep);
        }
    }

    /**
     * Returns an empty rule for a queue.
     *
     * @param name of the queue
     * @return the rule, without durations
     * @throws IllegalArgumentException if the name is not valid
     */
    public static RetentionRule queue(String name) {
        return new RetentionRule(Subject.queue(name), null, null, null);
    }

    /**
     * Returns an empty rule for a kind in all queues.
     *
     * @param name of the kind
     * @return the rule, without durations
     * @throws IllegalArgumentException if the name is not valid
     */
    public static RetentionRule kind(String name) {
        return new RetentionRule(Subject.kind(name), null, null, null);
    }

    /**
     * Sets the duration for completed jobs.
     *
     * @param keep how long they are kept; zero until the next pruning
     * @return a copy
     */
    public RetentionRule completed(Duration keep) {
        return new RetentionRule(subject, keep, cancelled, discarded);
    }

    /**
     * Sets the duration for cancelled jobs.
     *
     * @param keep how long they are kept; zero until the next pruning
     * @return a copy
     */
    public RetentionRule cancelled(Duration keep) {
        return new RetentionRule(subject, completed, keep, discarded);
    }

    /**
     * Sets the duration for discarded jobs.
     *
     * @param keep how long they are kept; more than zero
     * @return a copy
     */
    public RetentionRule discarded(Duration keep) {
        return new RetentionRule(subject, completed, cancelled, keep);
    }

    /**
     * Returns the duration for a state.
     *
     * @param state the state of the finished jobs
     * @return how long they are kept; null if this rule does not set it, or the state is not a final one
     */
    public @Nullable Duration of(JobState state) {
        return switch (state) {
            case COMPLETED -> completed;
            case CANCELLED -> cancelled;
            case DISCARDED -> discarded;
            default -> null;
        };
    }
}
