package dev.pawl;

import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.limit.SqlLimits;
import dev.pawl.internal.wake.WakeHub;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

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
    private final WakeHub wakes;

    Limits(QueueRuntime runtime) {
        this.limits = new SqlLimits(runtime.database());
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
        if (limit.atOnce() == null && limit.rate() == null && limit.together() == null) {
            throw new InvalidJobException(
                    "the limit of " + limit.subject()
                            + " says nothing: give atOnce(n), rate(n, per) or both, or, for keys, together(n); to remove it, call remove(…)");
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
     * @param reason shown to people
     * @throws InvalidJobException if the length is not valid
     */
    public void hold(Subject subject, Duration length, String reason) {
        if (subject.of() == Subject.Of.KEYS) {
            throw new InvalidJobException("to hold back jobs with keys, hold their queue or their kind");
        }
        Objects.requireNonNull(reason, "reason");
        if (length.isNegative() || length.isZero() || length.compareTo(LONGEST_HOLD) > 0) {
            throw new InvalidJobException("jobs cannot be held back for " + length + ": use up to a year");
        }
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
}
