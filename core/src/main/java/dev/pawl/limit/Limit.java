package dev.pawl.limit;

import dev.pawl.InvalidJobException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much of something may go on in the whole cluster: so many jobs at once, so many starts in a time, so many that wait. Set it with
 * {@link dev.pawl.Limits#set}:
 *
 * <pre>{@code queue.limits().set(Limit.kind("send-mail").atOnce(5).rate(100, Duration.ofMinutes(1)));}</pre>
 *
 * @param subject what it is about
 * @param atOnce how many jobs may be running at the same time; null for any number
 * @param rate how often jobs may start, of the keys of a queue those of each; null for as often as they come
 * @param together how many jobs of all keys of a queue may be under way, shared equally among its keys; null for any number
 * @param maxWaiting how many jobs may wait in a queue before more are refused; null for any number
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
     * @param name of a queue
     * @return a limit on its jobs that says nothing yet
     * @throws InvalidJobException if the name is not valid
     */
    public static Limit queue(String name) {
        return new Limit(Subject.queue(name), null, null, null, null);
    }

    /**
     * @param name of a kind
     * @return a limit on its jobs that says nothing yet
     * @throws InvalidJobException if the name is not valid
     */
    public static Limit kind(String name) {
        return new Limit(Subject.kind(name), null, null, null, null);
    }

    /**
     * @param queue whose jobs have keys
     * @return a limit on the jobs of each of its keys that says nothing yet; without a limit it is one, in order
     * @throws InvalidJobException if the name is not valid
     */
    public static Limit keysOf(String queue) {
        return new Limit(Subject.keysOf(queue), null, null, null, null);
    }

    /**
     * Jobs are running from the moment in which their handler is called until it has returned.
     *
     * @param most how many may be running at the same time, 1 to 1,000,000
     * @return a changed copy
     * @throws InvalidJobException if it is outside the range
     */
    public Limit atOnce(int most) {
        return new Limit(subject, most, rate, together, maxWaiting);
    }

    /**
     * Of the keys of a queue, each has this rate for itself.
     *
     * @param starts how many jobs may start, 1 to 1,000,000
     * @param per in any span of this length, one second to 31 days
     * @return a changed copy
     * @throws InvalidJobException if a value is outside its range
     */
    public Limit rate(int starts, Duration per) {
        return new Limit(subject, atOnce, new Rate(starts, per), together, maxWaiting);
    }

    /**
     * The keys of a queue share so many places equally: while only one has jobs it may use all of them, with ten each has a
     * tenth, and one always. So a key with many jobs takes what nobody else wants, and no more: others that come
     * find at most so many jobs before theirs. Together with {@link #atOnce} no key has more than that. Jobs of a key are in order
     * only where that is one. A good value is two or three times as many as all workers run at once.
     *
     * @param places 1 to 10,000
     * @return a changed copy
     * @throws InvalidJobException if it is outside the range, or this is not about keys
     */
    public Limit together(int places) {
        return new Limit(subject, atOnce, rate, places, maxWaiting);
    }

    /**
     * All programs refuse jobs ({@link dev.pawl.QueueFullException}) where so many wait already in the queue, delayed ones included, so
     * that a queue that nobody empties does not grow without end. Programs that enqueue learn of it, and of a change, within five
     * seconds; where one has a bound of its own ({@link dev.pawl.JobQueueBuilder#maxWaiting}) the smaller one holds. Jobs of schedules,
     * retries, and what comes by SQL alone are not refused. It does not concern workers.
     *
     * @param jobs 1 to 10,000,000
     * @return a changed copy
     * @throws InvalidJobException if it is outside the range, or this is not about a queue
     */
    public Limit maxWaiting(int jobs) {
        return new Limit(subject, atOnce, rate, together, jobs);
    }

    /** {@return whether it says anything} */
    public boolean says() {
        return atOnce != null || rate != null || together != null || maxWaiting != null;
    }
}
