package dev.pawl.internal.store.sql;

import dev.pawl.internal.store.JobStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * The caller's pool, and how one piece of work uses a connection of it: taken, used, restored, given back. Contention
 * (a deadlock, a busy file) is tried again here; an unreachable database is left to the caller's loop.
 */
public final class Database {
    private static final int TRIES = JobStore.USUAL_TRIES;
    private static final Predicate<Fault> CONTENTION = Fault::isContention;

    private final DataSource dataSource;
    private final Dialect dialect;

    /**
     * @param dataSource the caller's pool
     * @param dialect the product behind it
     */
    public Database(DataSource dataSource, Dialect dialect) {
        this.dataSource = dataSource;
        this.dialect = dialect;
    }

    /** {@return the product} */
    public Dialect dialect() {
        return dialect;
    }

    /**
     * Runs statements that each commit on their own.
     *
     * @param work the statements
     * @param <T> the answer
     * @return what {@code work} answers
     * @throws SQLException after contention would not end, or at once for anything else
     */
    public <T> T autocommit(SqlWork<T> work) throws SQLException {
        return retrying(TRIES, CONTENTION, () -> autocommitted(work));
    }

    /**
     * Like {@link #autocommit}, but a deadlock or the like is the answer and not tried again: only a busy file is.
     *
     * @param work the statements
     * @param <T> the answer
     * @return what {@code work} answers
     * @throws SQLException from the driver
     */
    public <T> T autocommitOnce(SqlWork<T> work) throws SQLException {
        return retrying(TRIES, fault -> fault == Fault.BUSY, () -> autocommitted(work));
    }

    private <T> T autocommitted(SqlWork<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean before = connection.getAutoCommit();
            if (!before) {
                connection.setAutoCommit(true);
            }
            try {
                return work.on(connection);
            } finally {
                if (!before) {
                    restoreAutoCommit(connection, false);
                }
            }
        }
    }

    /**
     * Runs statements in one transaction and commits it.
     *
     * @param work the statements; run again from the start after contention
     * @param <T> the answer
     * @return what {@code work} answers
     * @throws SQLException after a rollback
     */
    public <T> T transaction(SqlWork<T> work) throws SQLException {
        return transaction(TRIES, work);
    }

    /**
     * Runs statements in one transaction and commits it.
     *
     * @param tries how often at most, if others are in the way
     * @param work the statements; run again from the start after contention
     * @param <T> the answer
     * @return what {@code work} answers
     * @throws SQLException after a rollback
     */
    public <T> T transaction(int tries, SqlWork<T> work) throws SQLException {
        return retrying(tries, CONTENTION, () -> once(work));
    }

    /** One transaction, one try: for work that may not be repeated. */
    public <T> T once(SqlWork<T> work) throws SQLException {
        try {
            dialect.writers().lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting to write to the database", "57014", e);
        }
        try {
            return committed(work);
        } finally {
            dialect.writers().unlock();
        }
    }

    private <T> T committed(SqlWork<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean before = connection.getAutoCommit();
            if (before) {
                connection.setAutoCommit(false);
            }
            try {
                dialect.begin(connection);
                T answer = work.on(connection);
                connection.commit();
                return answer;
            } catch (SQLException | RuntimeException | Error failure) {
                rollback(connection, failure);
                throw failure;
            } finally {
                if (before) {
                    restoreAutoCommit(connection, true);
                }
            }
        }
    }

    private static void rollback(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            failure.addSuppressed(broken);
        }
    }

    /** A dead connection cannot be restored; the pool finds out when it is given back. */
    private static void restoreAutoCommit(Connection connection, boolean autoCommit) throws SQLException {
        if (!connection.isClosed()) {
            try {
                connection.setAutoCommit(autoCommit);
            } catch (SQLException broken) {
                if (Fault.of(broken) != Fault.UNREACHABLE) {
                    throw broken;
                }
            }
        }
    }

    private interface Attempt<T> {
        T run() throws SQLException;
    }

    private static <T> T retrying(int most, Predicate<Fault> again, Attempt<T> attempt) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return attempt.run();
            } catch (SQLException failure) {
                if (tries >= most || !again.test(Fault.of(failure)) || !pause(tries)) {
                    throw failure;
                }
            }
        }
    }

    /** Waits 1 ms after the first try, doubled each time, with full jitter; false if interrupted. */
    private static boolean pause(int tries) {
        long most = TimeUnit.MILLISECONDS.toNanos(1) << Math.min(tries, 7);
        try {
            TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(most / 4, most));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
