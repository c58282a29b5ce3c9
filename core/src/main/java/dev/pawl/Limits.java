package dev.pawl;

import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.limit.SqlLimits;
import dev.pawl.internal.store.KeyTurns;
import dev.pawl.internal.store.StoredText;
import dev.pawl.internal.wake.WakeHub;
import dev.pawl.limit.HeldKey;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Limits on what runs at once and on how often it starts, for the whole cluster. Get it from {@link JobQueue#limits}.
 * Workers learn of a new limit within five seconds, and of a changed one within about a second; what runs already is not
 * counted. A worker that dies or is cut off keeps what it had for as long as its leases last, so that the promise holds.
 * Thread-safe. Every method throws {@link DatabaseException} if the database fails.
 *
 * <p>Limits count runs in workers; of runs that go on elsewhere (see {@link RunsElsewhere}), only their beginning.
 */
public final class Limits {
    private static final Duration LONGEST_HOLD = Duration.ofDays(366);

    private final SqlLimits limits;
    private final SqlKeys keys;
    private final WakeHub wakes;

    Limits(QueueRuntime runtime) {
        this.limits = new SqlLimits(runtime.database());
        this.keys = new SqlKeys(runtime.database());
        this.wakes = runtime.ports().wakes();
    }

    /** {@return all limits, and what is held back, queues first, by name} */
    public List<LimitInfo> list() {
        return Failures.wrapped("cannot list the limits", limits::list);
    }

    /**
     * Sets a limit in place of the one that the queue or kind may have. A program may do so each time it starts.
     *
     * @param limit what to set
     * @throws InvalidJobException if it says nothing
     */
    public void set(Limit limit) {
        if (!limit.says()) {
            throw new InvalidJobException(
                    "the limit of " + limit.subject()
                            + " says nothing: give atOnce(n), rate(n, per) or both, for queues maxWaiting(n), or, for keys, together(n); to remove it, call remove(…)");
        }
        boolean unused = changing("cannot set the limit of " + limit.subject(), () -> {
            limits.set(limit);
            return true;
        });
    }

    /** What waited for that may go on now. */
    private boolean changing(String failure, Failures.Call<Boolean> work) {
        boolean done = Failures.wrapped(failure, work);
        wakes.changed();
        return done;
    }

    /**
     * Removes a limit.
     *
     * @param subject a queue or a kind
     * @return false if it had none
     */
    public boolean remove(Subject subject) {
        return changing("cannot remove the limit of " + subject, () -> limits.remove(subject));
    }

    /**
     * Holds jobs back for a time: none starts, what runs goes on. When the time is over one job at a time is tried, until
     * one ends without {@link Outcome#unavailable}.
     *
     * @param subject a queue or a kind
     * @param length for how long, longer than nothing and up to a year
     * @param reason shown to people; up to 16,384 characters
     * @throws InvalidJobException if the length or the reason is not valid
     */
    public void hold(Subject subject, Duration length, String reason) {
        if (subject.of() == Subject.Of.KEYS) {
            throw new InvalidJobException(
                    "to hold back jobs with keys, hold their queue, their kind, or one key: holdKey(…)");
        }
        check(length, reason);
        Failures.wrapped("cannot hold back the jobs of " + subject, () -> {
            limits.hold(subject, length, reason);
            return true;
        });
    }

    /**
     * Ends a hold, whoever began it.
     *
     * @param subject a queue or a kind
     * @return false if its jobs are not held back
     */
    public boolean open(Subject subject) {
        return changing("cannot let the jobs of " + subject + " go on", () -> limits.open(subject));
    }

    private static void check(Duration length, String reason) {
        Objects.requireNonNull(reason, "reason");
        StoredText.requireNote("the reason", reason);
        if (length.isNegative() || length.isZero() || length.compareTo(LONGEST_HOLD) > 0) {
            throw new InvalidJobException("jobs cannot be held back for " + length + ": use up to a year");
        }
    }

    /** {@return keys whose jobs are held back, or tried one at a time after that, by queue and key; 1,000 at most} */
    public List<HeldKey> heldKeys() {
        return Failures.wrapped("cannot list the keys that are held back", keys::held);
    }

    /**
     * Holds the jobs of one key back for a time, others go on: none is started that has not been claimed by a worker, what runs goes on. When
     * the time is over one job at a time is tried, until one has ended.
     *
     * @param queue of the jobs
     * @param key which they have, see {@link EnqueueOptions#key}
     * @param length for how long, longer than nothing and up to a year
     * @param reason shown to people; up to 16,384 characters
     * @throws InvalidJobException if the length, the queue, the key or the reason is not valid
     */
    public void holdKey(String queue, String key, Duration length, String reason) {
        check(length, reason);
        KeyTurns.JobKey one = jobKey(queue, key);
        Failures.wrapped("cannot hold back the jobs of key '" + key + "' of queue " + queue, () -> {
            keys.hold(one, length, reason);
            return true;
        });
    }

    /**
     * Ends the hold of one key, whoever began it.
     *
     * @param queue of its jobs
     * @param key which they have
     * @return false if its jobs are not held back
     * @throws InvalidJobException if the queue or the key is not valid
     */
    public boolean openKey(String queue, String key) {
        KeyTurns.JobKey one = jobKey(queue, key);
        boolean opened =
                changing("cannot let the jobs of key '" + key + "' of queue " + queue + " go on", () -> keys.open(one));
        if (opened) {
            wakes.enqueued(Set.of(queue));
        }
        return opened;
    }

    private static KeyTurns.JobKey jobKey(String queue, String key) {
        EnqueueOptions unused = EnqueueOptions.DEFAULTS.queue(queue).key(key); // checks both
        return new KeyTurns.JobKey(queue, key);
    }
}
