package dev.pawl.internal.jdbc;

import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which faults are retried, how often, and the pauses between the tries. Pauses are doubled each time, and random, so that callers that
 * collided do not collide again. Immutable.
 */
public final class Retry {
    /** For a transaction that conflicts with another one. */
    public static final Retry CONTENTION = new Retry(Fault::isContention, 8, TimeUnit.MILLISECONDS.toNanos(2), 6);

    /** For work that is repeated only if another process is writing to the SQLite file; other faults are not retried. */
    static final Retry BUSY_FILE = new Retry(fault -> fault == Fault.BUSY, 8, TimeUnit.MILLISECONDS.toNanos(2), 6);

    /** For a lost race with a claim, or with another job of the same key: the next try sees what the winner has written. */
    public static final Retry RACE = new Retry(fault -> fault == Fault.UNIQUE, 50, TimeUnit.MILLISECONDS.toNanos(1), 4);

    /** For a read without which this worker would lose jobs that it has claimed. */
    public static final Retry TRANSIENT = new Retry(Fault::isTransient, 5, TimeUnit.MILLISECONDS.toNanos(64), 3);

    /** The tries for the locked row of a batch, and the pauses between them. */
    public static final Retry LOCKED_BATCH = new Retry(fault -> false, 20, TimeUnit.MILLISECONDS.toNanos(2), 2);

    /** The pause between tries to get the write lock of an SQLite file. The caller ends the tries at its deadline. */
    public static final Retry LOCKED_FILE = new Retry(fault -> false, 1, TimeUnit.MICROSECONDS.toNanos(2_500), 0);

    /** The pause between tries to lock the tables for a migration. The caller ends the tries at its deadline. */
    public static final Retry LOCKED_TABLES = new Retry(fault -> false, 1, TimeUnit.MILLISECONDS.toNanos(500), 0);

    private final Predicate<Fault> again;
    private final int tries;
    private final long firstNanos;
    private final int doublings;

    /**
     * @param again faults that are retried
     * @param tries the maximum number of tries
     * @param firstNanos upper bound of the first pause; the lower bound is a quarter of it
     * @param doublings how often the pause is doubled at most
     */
    private Retry(Predicate<Fault> again, int tries, long firstNanos, int doublings) {
        this.again = again;
        this.tries = tries;
        this.firstNanos = firstNanos;
        this.doublings = doublings;
    }

    /**
     * The work of a try.
     *
     * @param <T> the result
     */
    @FunctionalInterface
    public interface Attempt<T> {
        /**
         * @return the result
         * @throws SQLException to try again, or to fail
         */
        T run() throws SQLException;
    }

    /** {@return the maximum number of tries} */
    public int tries() {
        return tries;
    }

    /**
     * @param attempt what to try
     * @param <T> the result
     * @return what it returns
     * @throws SQLException the last failure, if the fault is not retried, the tries are used up, or the thread was interrupted
     */
    public <T> T call(Attempt<T> attempt) throws SQLException {
        return call(tries, attempt, null);
    }

    /**
     * @param most the maximum number of tries
     * @param retries counts the further tries; null not to count them
     */
    <T> T call(int most, Attempt<T> attempt, @Nullable LongAdder retries) throws SQLException {
        for (int tried = 1; ; tried++) {
            try {
                return attempt.run();
            } catch (SQLException failure) {
                if (tried >= most || !again.test(Fault.of(failure)) || !pause(tried)) {
                    throw failure;
                }
                if (retries != null) {
                    retries.increment();
                }
            }
        }
    }

    /**
     * Waits before the next try.
     *
     * @param tried how often it was tried
     * @return false if the thread was interrupted; its interrupt status is set again
     */
    public boolean pause(int tried) {
        long most = firstNanos << Math.min(tried - 1, doublings);
        try {
            TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(most / 4, most));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Waits before the next try, for a caller that cannot go on without the pause.
     *
     * @param tried how often it was tried
     * @param what completes the message "interrupted while waiting …"
     * @throws SQLException if the thread was interrupted
     */
    public void pause(int tried, String what) throws SQLException {
        if (!pause(tried)) {
            throw new SQLException("interrupted while waiting " + what, "57014");
        }
    }
}
