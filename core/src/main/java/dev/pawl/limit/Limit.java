package dev.pawl.limit;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A limit that applies across all workers: on concurrency, on the rate of starts, on the number of waiting jobs.
 * Immutable. Set it with {@link dev.pawl.Limits#set}:
 *
 * <pre>{@code queue.limits().set(Limit.kind("send-mail").atOnce(5).rate(100, Duration.ofMinutes(1)));}</pre>
 *
 * <p>A method with a parameter returns a copy with another value. A method without a parameter returns the value.
 */
public final class Limit {
    private static final int MAX = 1_000_000;
    private static final int MAX_TOGETHER = 10_000;
    private static final int MAX_WAITING = 10_000_000;

    private final Subject subject;
    private final @Nullable Integer atOnce;
    private final @Nullable Rate rate;
    private final @Nullable Integer together;
    private final @Nullable Integer maxWaiting;

    private Limit(
            Subject subject,
            @Nullable Integer atOnce,
            @Nullable Rate rate,
            @Nullable Integer together,
            @Nullable Integer maxWaiting) {
        this.subject = Objects.requireNonNull(subject, "subject");
        this.atOnce = atOnce;
        this.rate = rate;
        this.together = together;
        this.maxWaiting = maxWaiting;
        requireRanges();
    }

    private void requireRanges() {
        if (atOnce != null && (atOnce < 1 || atOnce > MAX)) {
            throw new IllegalArgumentException("at most " + atOnce + " at once is not valid: use 1 to " + MAX
                    + "; to stop a queue or a kind, pause it");
        }
        if (together != null && subject.of() != Subject.Of.KEYS) {
            throw new IllegalArgumentException("together applies only to the keys of a queue, not to " + subject
                    + ": use Limit.keysOf, or atOnce");
        }
        if (together != null && (together < 1 || together > MAX_TOGETHER)) {
            throw new IllegalArgumentException("together " + together + " is not valid: use 1 to " + MAX_TOGETHER);
        }
        if (maxWaiting != null && subject.of() != Subject.Of.QUEUE) {
            throw new IllegalArgumentException(
                    "only a queue can refuse jobs when too many wait, so maxWaiting is not for " + subject
                            + ": use Limit.queue");
        }
        if (maxWaiting != null && (maxWaiting < 1 || maxWaiting > MAX_WAITING)) {
            throw new IllegalArgumentException("maxWaiting " + maxWaiting + " is not valid: use 1 to " + MAX_WAITING);
        }
    }

    /**
     * Returns an empty limit.
     *
     * @param subject the jobs to which it applies
     * @return the limit, to which values are added
     */
    public static Limit of(Subject subject) {
        return new Limit(subject, null, null, null, null);
    }

    /**
     * Returns an empty limit on the jobs of a queue.
     *
     * @param name of a queue
     * @return the limit, to which values are added
     * @throws IllegalArgumentException if the name is not valid
     */
    public static Limit queue(String name) {
        return of(Subject.queue(name));
    }

    /**
     * Returns an empty limit on the jobs of a kind, in all queues.
     *
     * @param name of a kind
     * @return the limit, to which values are added
     * @throws IllegalArgumentException if the name is not valid
     */
    public static Limit kind(String name) {
        return of(Subject.kind(name));
    }

    /**
     * Returns an empty limit on the jobs of each concurrency key of a queue. Without a limit, one job of a key runs at
     * a time, in order.
     *
     * @param queue of the jobs
     * @return the limit, to which values are added
     * @throws IllegalArgumentException if the name is not valid
     */
    public static Limit keysOf(String queue) {
        return of(Subject.keysOf(queue));
    }

    /**
     * Limits how many jobs run at the same time. A job counts from the call of its handler until the handler returns. With a limit on keys,
     * a job counts from its release until it has finished. If such a limit is above 1, a job that waits for a retry does not count.
     *
     * @param most 1 to 1,000,000; null for no limit. Default null
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public Limit atOnce(@Nullable Integer most) {
        return new Limit(subject, most, rate, together, maxWaiting);
    }

    /**
     * Limits how many jobs start within a period. A limit on keys applies to each key separately.
     *
     * @param starts the maximum number of starts, 1 to 1,000,000
     * @param per within any interval of this length, one second to 31 days
     * @return a copy
     * @throws IllegalArgumentException if a value is outside its range
     */
    public Limit rate(int starts, Duration per) {
        return rate(new Rate(starts, per));
    }

    /**
     * Limits how many jobs start within a period. A limit on keys applies to each key separately.
     *
     * @param maximum the maximum rate of starts; null for no limit. Default null
     * @return a copy
     */
    public Limit rate(@Nullable Rate maximum) {
        return new Limit(subject, atOnce, maximum, together, maxWaiting);
    }

    /**
     * Shares a number of released jobs equally among the concurrency keys of a queue. If only one key has jobs, it may
     * use the whole number; if ten keys have jobs, each may use a tenth, but at least one. So a key with many jobs uses
     * free capacity, but delays new keys by at most this number of jobs. {@link #atOnce} limits each key in addition.
     * Jobs of a key run in order only if {@code atOnce} is 1. A good value is two to three times the concurrency of all
     * workers.
     *
     * @param permits 1 to 10,000; null not to share. Default null
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range, or the limit does not apply to keys
     */
    public Limit together(@Nullable Integer permits) {
        return new Limit(subject, atOnce, rate, permits, maxWaiting);
    }

    /**
     * Bounds the waiting jobs of a queue, including delayed ones: enqueues of all programs beyond the bound throw
     * {@link dev.pawl.api.QueueFullException}. Programs apply the bound, and changes of it, within five seconds. If a
     * program has a bound of its own ({@link dev.pawl.JobQueueBuilder#maxWaiting}), the smaller one counts. Retries,
     * jobs of schedules and jobs enqueued by SQL alone are never refused. Workers ignore the bound.
     *
     * @param jobs 1 to 10,000,000; null for no bound. Default null
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range, or the limit does not apply to a queue
     */
    public Limit maxWaiting(@Nullable Integer jobs) {
        return new Limit(subject, atOnce, rate, together, jobs);
    }

    /** {@return the jobs to which the limit applies} */
    public Subject subject() {
        return subject;
    }

    /** {@return the maximum number of running jobs; null for no limit} */
    public @Nullable Integer atOnce() {
        return atOnce;
    }

    /** {@return the maximum rate of starts, for each concurrency key if the limit applies to keys; null for no limit} */
    public @Nullable Rate rate() {
        return rate;
    }

    /** {@return the maximum number of released jobs that the keys of a queue share; null for no limit} */
    public @Nullable Integer together() {
        return together;
    }

    /** {@return the number of waiting jobs of a queue above which enqueues are refused; null for no limit} */
    public @Nullable Integer maxWaiting() {
        return maxWaiting;
    }

    /** {@return whether this limits anything} */
    public boolean says() {
        return atOnce != null || rate != null || together != null || maxWaiting != null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Limit limit
                && subject.equals(limit.subject)
                && Objects.equals(atOnce, limit.atOnce)
                && Objects.equals(rate, limit.rate)
                && Objects.equals(together, limit.together)
                && Objects.equals(maxWaiting, limit.maxWaiting);
    }

    @Override
    public int hashCode() {
        return Objects.hash(subject, atOnce, rate, together, maxWaiting);
    }

    @Override
    public String toString() {
        return "Limit[subject=" + subject + ", atOnce=" + atOnce + ", rate=" + rate + ", together=" + together
                + ", maxWaiting=" + maxWaiting + "]";
    }
}
