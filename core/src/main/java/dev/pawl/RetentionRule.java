package dev.pawl;

import dev.pawl.admin.JobAdmin;
import dev.pawl.limit.Subject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long ended jobs of a queue or of a kind are kept, where that is longer or shorter than for all others. Stored in the
 * database by {@link JobAdmin#setRetention}, so all workers and {@code pawl prune} go by it, whatever {@link Retention} their
 * program has. What is said of a kind goes before what is said of a queue, each state for itself.
 *
 * <p>Zero deletes jobs with the next pruning after they have ended, which is once a minute.
 *
 * @param subject a queue or a kind
 * @param completed how long, at most a hundred years; null: as the program says
 * @param cancelled the same for cancelled jobs
 * @param discarded the same for discarded ones, more than zero
 */
public record RetentionRule(
        Subject subject,
        @Nullable Duration completed,
        @Nullable Duration cancelled,
        @Nullable Duration discarded) {
    private static final Duration LONGEST = Duration.ofDays(36_525);

    /**
     * @throws InvalidJobException if it is about something else than a queue or a kind, or a duration is negative, longer
     *     than a hundred years, or zero for discarded jobs
     */
    public RetentionRule {
        if (subject.of() == Subject.Of.KEYS) {
            throw new InvalidJobException(
                    "jobs with keys have no retention of their own: set that of their queue or kind");
        }
        check(subject, "completed", completed);
        check(subject, "cancelled", cancelled);
        check(subject, "discarded", discarded);
        if (discarded != null && discarded.isZero()) {
            throw new InvalidJobException("the retention of discarded jobs of " + subject
                    + " must be more than zero: somebody must be able to see them and their errors");
        }
    }

    private static void check(Subject subject, String state, @Nullable Duration keep) {
        if (keep != null && (keep.isNegative() || keep.compareTo(LONGEST) > 0)) {
            throw new InvalidJobException("the retention of " + state + " jobs of " + subject
                    + " must be zero to a hundred years, not " + keep);
        }
    }

    /**
     * @param name of a queue
     * @return a rule that says nothing yet
     * @throws InvalidJobException if the name is not valid
     */
    public static RetentionRule queue(String name) {
        return new RetentionRule(Subject.queue(name), null, null, null);
    }

    /**
     * @param name of a kind, in whatever queue its jobs are
     * @return a rule that says nothing yet
     * @throws InvalidJobException if the name is not valid
     */
    public static RetentionRule kind(String name) {
        return new RetentionRule(Subject.kind(name), null, null, null);
    }

    /**
     * @param keep how long completed jobs are kept; zero: until the next pruning
     * @return a copy
     */
    public RetentionRule completed(Duration keep) {
        return new RetentionRule(subject, keep, cancelled, discarded);
    }

    /**
     * @param keep how long cancelled jobs are kept; zero: until the next pruning
     * @return a copy
     */
    public RetentionRule cancelled(Duration keep) {
        return new RetentionRule(subject, completed, keep, discarded);
    }

    /**
     * @param keep how long discarded jobs are kept; more than zero
     * @return a copy
     */
    public RetentionRule discarded(Duration keep) {
        return new RetentionRule(subject, completed, cancelled, keep);
    }

    /**
     * @param state in which jobs have ended
     * @return how long they are kept; null if this rule does not say, or the state is none in which jobs end
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
