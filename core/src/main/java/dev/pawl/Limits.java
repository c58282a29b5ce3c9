package dev.pawl;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.Outcome;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.limit.SqlLimits;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.StoredText;
import dev.pawl.internal.wake.WakeHub;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.PausedKey;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Limits on concurrency and on start rates across all workers. Get it from {@link JobQueue#limits}. Workers apply a new limit within five
 * seconds. They apply a changed limit within about a second, or within three if they are idle. Jobs that are already running do not count
 * towards a new limit. A worker that dies or loses its connection keeps its share until its leases expire, so that the limit is never
 * exceeded. Thread-safe. Every method throws {@link DatabaseException} if the database fails.
 *
 * <p>Limits count runs in workers. A run on a remote worker counts only until a manager has handed it off.
 */
public final class Limits {
    private static final Duration MAX_PAUSE = Duration.ofDays(366);

    private final SqlLimits limits;
    private final SqlKeys keys;
    private final WakeHub wakes;

    Limits(QueueRuntime runtime) {
        this.limits = new SqlLimits(runtime.database());
        this.keys = new SqlKeys(runtime.database());
        this.wakes = runtime.ports().wakes();
    }

    /** {@return all limits and pauses, queues first, by name} */
    public List<LimitInfo> list() {
        return Failures.wrapped("cannot list the limits", limits::list);
    }

    /**
     * Sets the limit of a queue, a kind or the keys of a queue; replaces an earlier one. A program may call it each time it starts.
     *
     * @param limit the limit
     * @throws IllegalArgumentException if it limits nothing
     */
    public void set(Limit limit) {
        if (!limit.says()) {
            throw new IllegalArgumentException("the limit of " + limit.subject()
                    + " limits nothing: use atOnce(n) or rate(n, per), for queues also maxWaiting(n), for keys also"
                    + " together(n); to remove the limit, call remove(…)");
        }
        boolean unused = changing("cannot set the limit of " + limit.subject(), () -> {
            limits.set(limit);
            return true;
        });
    }

    /** Applies a change and wakes the workers, because waiting jobs may now be allowed to run. */
    private boolean changing(String failure, Failures.Call<Boolean> work) {
        boolean done = Failures.wrapped(failure, work);
        wakes.changed();
        return done;
    }

    /**
     * Removes a limit.
     *
     * @param subject a queue, a kind or the keys of a queue
     * @return false if it had no limit
     */
    public boolean remove(Subject subject) {
        return changing("cannot remove the limit of " + subject, () -> limits.remove(subject));
    }

    /**
     * Pauses the jobs of a queue or kind for a time: within five seconds, workers stop starting them; running ones continue. After the
     * pause one job at a time is tried, until one ends without {@link Outcome#unavailable}.
     *
     * @param target a queue or a kind
     * @param length duration of the pause; more than zero, at most a year
     * @param reason shown to operators; at most 16,384 characters
     * @throws IllegalArgumentException if the length or the reason is not valid, or the target is the keys of a queue
     */
    public void pause(Subject target, Duration length, String reason) {
        if (target.of() == Subject.Of.KEYS) {
            throw new IllegalArgumentException(
                    "the keys of a queue cannot be paused together: pause the queue, a kind, or one ConcurrencyKey");
        }
        check(length, reason);
        Failures.wrapped("cannot pause the jobs of " + target, () -> {
            limits.pause(target, length, reason);
            return true;
        });
    }

    /**
     * Resumes a paused queue or kind, whether an operator or a handler paused it.
     *
     * @param target a queue or a kind
     * @return false if it is not paused
     */
    public boolean resume(Subject target) {
        return changing("cannot resume the jobs of " + target, () -> limits.resume(target));
    }

    private static void check(Duration length, String reason) {
        Objects.requireNonNull(reason, "reason");
        StoredText.requireNote("the reason", reason);
        if (length.isNegative() || length.isZero() || length.compareTo(MAX_PAUSE) > 0) {
            throw new IllegalArgumentException("jobs cannot be paused for " + length + ": use up to a year");
        }
    }

    /**
     * {@return the paused concurrency keys, including those whose jobs are tried one at a time after a pause, by queue
     * and key; at most 1,000}
     */
    public List<PausedKey> pausedKeys() {
        return Failures.wrapped("cannot list the paused keys", keys::held);
    }

    /**
     * Pauses the jobs of one concurrency key for a time. Running jobs and jobs that a worker has claimed already
     * continue; other keys are not affected. After the pause one job at a time is tried, until one has finished.
     *
     * @param target the key
     * @param length duration of the pause; more than zero, at most a year
     * @param reason shown to operators; at most 16,384 characters
     * @throws IllegalArgumentException if the length or the reason is not valid
     */
    public void pause(ConcurrencyKey target, Duration length, String reason) {
        check(length, reason);
        Failures.wrapped("cannot pause the jobs of " + target, () -> {
            keys.pause(jobKey(target), length, reason);
            return true;
        });
    }

    /**
     * Resumes a paused concurrency key, whether an operator or a handler paused it.
     *
     * @param target the key
     * @return false if it is not paused
     */
    public boolean resume(ConcurrencyKey target) {
        boolean resumed = changing("cannot resume the jobs of " + target, () -> keys.resume(jobKey(target)));
        if (resumed) {
            wakes.enqueued(Set.of(target.queue()));
        }
        return resumed;
    }

    private static JobKey jobKey(ConcurrencyKey target) {
        return new JobKey(target.queue(), target.key());
    }
}
