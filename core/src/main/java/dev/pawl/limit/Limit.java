package dev.pawl.limit;

import dev.pawl.api.InvalidJobException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A limit that applies across all workers: on concurrency, on the rate of starts, on the number of waiting jobs.
 * Immutable. Set it with {@link dev.pawl.Limits#set}:
 *
 * <pre>{@code queue.limits().set(Limit.kind("send-mail").atOnce(5).rate(100, Duration.ofMinutes(1)));}</pre>
 *
 * @param subject the jobs to which it applies
 * @param atOnce the maximum number of running jobs; null for no limit
 * @param rate the maximum rate of starts, for each concurrency key if it applies to keys; null for no limit
 * @param together the maximum number of jobs of all keys of a queue that are released and not finished, shared equally
 *     among the keys; null for no limit
 * @param maxWaiting the number of waiting jobs of a queue above which enqueues are refused; null for no limit
 */
public record Limit(
        Subject subject,
        @Nullable Integer atOnce,
        @Nullable Rate rate,
        @Nullable Integer together,
        @Nullable Integer maxWaiting) {
    private static final int MOST = 1_000_000;
    private static final int MOST_TOGETHER = 10_000;
    private static final int MOST_WAITING = 10_000_000;

    /**
     * @throws InvalidJobException if a value is outside its range
     */
    public Limit {
        Objects.requireNonNull(subject, "subject");
        if (atOnce != null && (atOnce < 1 || atOnce > MOST)) {
            throw new InvalidJobException("at most " + atOnce + " at once is not valid: use 1 to " + MOST
                    + "; to stop a queue pause it, to stop a kind hold it");
        }
        if (together != null && subject.of() != Subject.Of.KEYS) {
            throw new InvalidJobException("only the keys of a queue share places, so together is not for " + subject
                    + ": use Limit.keysOf, or atOnce");
        }
        if (together != null && (together < 1 || together > MOST_TOGETHER)) {
            throw new InvalidJobException(together + " places to share are not valid: use 1 to " + MOST_TOGETHER);
        }
        if (maxWaiting != null && subject.of() != Subject.Of.QUEUE) {
            throw new InvalidJobException("only a queue can refuse jobs when too many wait, so maxWaiting is not for "
                    + subject + ": use Limit.queue");
        }
        if (maxWaiting != null && (maxWaiting < 1 || maxWaiting > MOST_WAITING)) {
            throw new InvalidJobException("maxWaiting " + maxWaiting + " is not valid: use 1 to " + MOST_WAITING);
        }
    }

    /**
     * Returns an empty limit on the jobs of a queue.
     *
     * @param name of a queue
     * @return the limit, to which values are added
     * @throws InvalidJobException if the name is not valid
     */
    public static Limit queue(String name) {
        return new Limit(Subject.queue(name), null, null, null, null);
    }

    /**
     * Returns an empty limit on the jobs of a kind, in all queues.
     *
     * @param name of a kind
     * @return the limit, to which values are added
     * @throws InvalidJobException if the name is not valid
     */
    public static Limit kind(String name) {
        return new Limit(Subject.kind(name), null, null, null, null);
    }

    /**
     * Returns an empty limit on the jobs of each concurrency key of a queue. Without a limit, one job of a key runs at
     * a time, in order.
     *
     * @param queue of the jobs
     * @return the limit, to which values are added
     * @throws InvalidJobException if the name is not valid
     */
    public static Limit keysOf(String queue) {
        return new Limit(Subject.keysOf(queue), null, null, null, null);
    }

    /**
     * Limits how many jobs run at the same time. A job runs from the call of its handler until that returns.
     *
     * @param most 1 to 1,000,000
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public Limit atOnce(int most) {
        return new Limit(subject, most, rate, together, maxWaiting);
    }

    /**
     * Limits how many jobs start within a time. A limit on keys applies to each key separately.
     *
     * @param starts the maximum number of starts, 1 to 1,000,000
     * @param per within any interval of this length, one second to 31 days
     * @return a copy
     * @throws InvalidJobException if a value is outside its range
     */
    public Limit rate(int starts, Duration per) {
        return new Limit(subject, atOnce, new Rate(starts, per), together, maxWaiting);
    }

    /**
     * Shares a number of released jobs equally among the concurrency keys of a queue: a single key with jobs may use
     * all of it, with ten keys each may use a tenth, and every key at least one. A key with many jobs therefore uses
     * free capacity, but delays new keys by at most this number of jobs. {@link #atOnce} limits each key in addition;
     * jobs of a key run in order only if that is one. A good value is two to three times the concurrency of all
     * workers.
     *
     * @param places 1 to 10,000
     * @return a copy
     * @throws InvalidJobException if it is outside the range, or the limit does not apply to keys
     */
    public Limit together(int places) {
        return new Limit(subject, atOnce, rate, places, maxWaiting);
    }

    /**
     * Bounds the waiting jobs of a queue, delayed ones included: enqueues of all programs beyond the bound throw
     * {@link dev.pawl.api.QueueFullException}. Programs apply the bound, and changes of it, within five seconds; if a
     * program has a bound of its own ({@link dev.pawl.JobQueueBuilder#maxWaiting}), the smaller one counts. Retries,
     * jobs of schedules and jobs enqueued by SQL alone are never refused. Workers ignore the bound.
     *
     * @param jobs 1 to 10,000,000
     * @return a copy
     * @throws InvalidJobException if it is outside the range, or the limit does not apply to a queue
     */
    public Limit maxWaiting(int jobs) {
        return new Limit(subject, atOnce, rate, together, jobs);
    }

    /** {@return whether it limits anything} */
    public boolean says() {
        return atOnce != null || rate != null || together != null || maxWaiting != null;
    }
}
