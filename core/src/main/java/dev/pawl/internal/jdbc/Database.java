package dev.pawl.internal.jdbc;

import dev.pawl.api.FrameworkTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a connection of the caller's pool, and then restores and returns the connection. Contention (a deadlock, a busy file) is
 * retried here. The failure of an unreachable database is left to the caller's loop, and the connection that reported it is removed from
 * the pool.
 */
public final class Database {
    private final DataSource dataSource;
    private final Dialect dialect;
    private final NetworkLimit limit;
    private final Isolation isolation;
    private final SessionSettings settings;
    private final LongAdder contended;
    private final @Nullable FrameworkTransactions transactions;

    /**
     * @param dataSource the caller's pool
     * @param dialect the product behind it
     */
    public Database(DataSource dataSource, Dialect dialect) {
        this(
                dataSource,
                dialect,
                new NetworkLimit(Duration.ZERO),
                new Isolation(false),
                new SessionSettings(),
                new LongAdder(),
                null);
    }

    private Database(
            DataSource dataSource,
            Dialect dialect,
            NetworkLimit limit,
            Isolation isolation,
            SessionSettings settings,
            LongAdder contended,
            @Nullable FrameworkTransactions transactions) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.limit = limit;
        this.isolation = isolation;
        this.settings = settings;
        this.contended = contended;
        this.transactions = transactions;
    }

    /**
     * @param framework whose transactions handlers get; null for Pawl's own
     * @return the same pool
     */
    public Database withTransactions(@Nullable FrameworkTransactions framework) {
        return new Database(dataSource, dialect, limit, isolation, settings, contended, framework);
    }

    /**
     * @param longest how long a statement may wait for the server before its connection is given up
     * @return the same pool, for statements that are short
     */
    public Database limited(Duration longest) {
        return new Database(
                dataSource, dialect, new NetworkLimit(longest), isolation, settings, contended, transactions);
    }

    /**
     * {@return the same pool, for reads: the database refuses statements that write, and every method that would write throws}
     */
    public Database readOnly() {
        return new Database(dataSource, dialect, limit, new Isolation(true), settings, contended, transactions);
    }

    /** {@return whether this is a pool for reads, on which only {@link #autocommit} works} */
    public boolean isReadOnly() {
        return isolation.isReadOnly();
    }

    /** {@return the number of retries because of contention} */
    public long contended() {
        return contended.sum();
    }

    /** {@return a blank and the URL in brackets, without secrets; empty if the pool does not reveal it} */
    public String where() {
        return PoolUrl.inBrackets(dataSource);
    }

    /** {@return a description of the pool's session settings that do not suit our statements; null if all do} */
    public @Nullable String unsuitedSettings() {
        return settings.found();
    }

    /** {@return the product} */
    public Dialect dialect() {
        return dialect;
    }

    /**
     * Runs statements that each commit on their own.
     *
     * @param work the statements
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException after too many retries under contention, or at once for any other error
     */
    public <T> T autocommit(SqlWork<T> work) throws SQLException {
        return retrying(Retry.CONTENTION, () -> autocommitted(work));
    }

    /**
     * Like {@link #autocommit}, for a claim or a notification: contention is reported to the caller, and only a busy file is tried again.
     *
     * @param work the statements
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException from the driver
     */
    public <T> T autocommitOnce(SqlWork<T> work) throws SQLException {
        isolation.requireWritable();
        return retrying(Retry.BUSY_FILE, () -> autocommitted(work));
    }

    /**
     * Runs one writing statement that commits on its own. This saves the round trips to begin and to end a transaction, unless the pool's
     * isolation level has to be lowered for the statement.
     *
     * @param work the statement; run again after contention
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException from the driver
     */
    public <T> T statement(SqlWork<T> work) throws SQLException {
        return retrying(Retry.CONTENTION, () -> inTurn(() -> alone(work)));
    }

    /**
     * Like {@link #statement}, but contention is reported to the caller; only a busy file is tried again.
     *
     * @param work the statement
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException from the driver
     */
    public <T> T statementOnce(SqlWork<T> work) throws SQLException {
        return retrying(Retry.BUSY_FILE, () -> inTurn(() -> alone(work)));
    }

    private <T> T alone(SqlWork<T> work) throws SQLException {
        return connected(connection -> isolation.isAboveReadCommitted(connection, dialect)
                ? committed(connection, true, work)
                : autocommitted(connection, work));
    }

    private <T> T autocommitted(SqlWork<T> work) throws SQLException {
        return connected(connection -> autocommitted(connection, work));
    }

    /** Discards the connection if the work shows that it is unusable, because not every pool detects that by itself. */
    private <T> T connected(SqlWork<T> use) throws SQLException {
        try (Connection connection = connect()) {
            int timeout = limit.set(connection);
            try {
                return use.run(connection);
            } catch (SQLException failure) {
                UselessConnections.discardAfter(connection, failure);
                throw isLost(connection, failure)
                        ? new SQLTransientConnectionException(failure.getMessage(), "08003", failure)
                        : failure;
            } finally {
                limit.restore(connection, timeout);
            }
        }
    }

    /** A pool that has closed a broken connection reports that without an SQL state. */
    private static boolean isLost(Connection connection, SQLException failure) {
        try {
            return failure.getSQLState() == null && Fault.of(failure) == Fault.OTHER && connection.isClosed();
        } catch (SQLException | RuntimeException unknown) {
            failure.addSuppressed(unknown);
            return false;
        }
    }

    private <T> T autocommitted(Connection connection, SqlWork<T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        if (!before) {
            connection.setAutoCommit(true);
        }
        try {
            return settings.during(connection, dialect, session -> isolation.committedOnly(session, dialect, work));
        } catch (SQLException failure) {
            UselessConnections.discardAfter(connection, failure);
            throw failure;
        } finally {
            if (!before) {
                Restore.unlessDead(connection, () -> connection.setAutoCommit(false));
            }
        }
    }

    /**
     * Runs statements in one transaction and commits it.
     *
     * @param work the statements, at least one; run again from the start after contention
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException after a rollback
     */
    public <T> T transaction(SqlWork<T> work) throws SQLException {
        return transaction(Retry.CONTENTION.tries(), work);
    }

    /**
     * Runs statements in one transaction and commits it.
     *
     * @param tries maximum number of tries under contention
     * @param work the statements, at least one; run again from the start after contention
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException after a rollback
     */
    public <T> T transaction(int tries, SqlWork<T> work) throws SQLException {
        return Retry.CONTENTION.call(tries, () -> inTurn(() -> own(work)), contended);
    }

    /**
     * Runs a transaction for a command that may lose a race with a claim, or with another job of the same key. A command that loses is
     * repeated, and then sees what the winner has written.
     *
     * @param work the statements, at least one
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException after a rollback
     */
    public <T> T racing(SqlWork<T> work) throws SQLException {
        return Retry.RACE.call(() -> transaction(work));
    }

    /**
     * Runs work that may not be repeated, in one transaction and one try. It is the framework's transaction, if there is a framework.
     *
     * @param work the statements, at least one
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException after a rollback
     */
    public <T> T once(SqlWork<T> work) throws SQLException {
        FrameworkTransactions framework = transactions;
        return inTurn(() -> framework == null ? callers(work) : committed(framework, work));
    }

    /**
     * Called before work that commits on its own.
     *
     * @throws RuntimeException if the framework refuses that, because one of its transactions surrounds the calling
     * thread
     */
    public void requireNoneAround() {
        FrameworkTransactions framework = transactions;
        if (framework != null) {
            framework.requireNone();
        }
    }

    /**
     * Runs the work in the framework's transaction. What {@link Dialect#begin} has set for one transaction never applies to the next one on
     * the connection, not even after a rollback, because the work begins with a statement.
     */
    private <T> T committed(FrameworkTransactions framework, SqlWork<T> work) throws SQLException {
        List<T> answer = new ArrayList<>(1);
        List<UselessConnections.Later> useless = new ArrayList<>(1);
        try {
            framework.run(connection -> {
                try {
                    dialect.begin(connection);
                    answer.add(settings.beforeCommit(connection, dialect, work));
                } catch (SQLException failure) {
                    UselessConnections.after(connection, failure).ifPresent(useless::add);
                    throw failure;
                }
            });
        } catch (SQLException | RuntimeException failure) {
            useless.forEach(UselessConnections.Later::discard); // after the framework's rollback on the connection
            throw failure;
        } catch (Exception failure) {
            throw new SQLException("the framework's transaction failed", failure);
        }
        return answer.get(0);
    }

    private <T> T retrying(Retry retry, Retry.Attempt<T> attempt) throws SQLException {
        return retry.call(retry.tries(), attempt, contended);
    }

    private <T> T inTurn(Retry.Attempt<T> write) throws SQLException {
        isolation.requireWritable();
        try {
            dialect.writers().lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting to write to the database", "57014", e);
        }
        try {
            return write.run();
        } finally {
            dialect.writers().unlock();
        }
    }

    private <T> T own(SqlWork<T> work) throws SQLException {
        return connected(
                connection -> committed(connection, isolation.isAboveReadCommitted(connection, dialect), work));
    }

    /** Runs the work at the isolation level of the pool, if the dialect leaves the level to the pool. */
    private <T> T callers(SqlWork<T> work) throws SQLException {
        return connected(connection -> settings.during(
                connection, dialect, session -> inTransaction(session, false, dialect::commitOpened, work)));
    }

    private <T> T committed(Connection connection, boolean seesLatest, SqlWork<T> work) throws SQLException {
        return settings.during(
                connection, dialect, session -> inTransaction(session, seesLatest, Connection::commit, work));
    }

    /** Ends a transaction for which autocommit was turned off. */
    private interface Commit {
        void run(Connection connection) throws SQLException;
    }

    private <T> T inTransaction(Connection connection, boolean seesLatest, Commit ofOpened, SqlWork<T> work)
            throws SQLException {
        boolean before = connection.getAutoCommit();
        try {
            if (before) {
                dialect.open(connection);
            } else {
                dialect.begin(connection);
            }
            if (seesLatest) {
                dialect.seeLatest(connection);
            }
            T answer = work.run(connection);
            if (before) {
                ofOpened.run(connection);
            } else {
                connection.commit();
            }
            return answer;
        } catch (Throwable failure) { // other JVM languages may throw any Throwable
            rollback(connection, failure);
            UselessConnections.discardAfter(connection, failure);
            throw failure;
        } finally {
            if (before) {
                Restore.unlessDead(connection, () -> autocommit(connection));
            }
        }
    }

    /** Turns autocommit on if it is off. If it is on already, some drivers would send a statement for nothing. */
    private static void autocommit(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.setAutoCommit(true);
        }
    }

    /** A connection that cannot roll back must not be used again, because switching autocommit on would commit half the work. */
    private void rollback(Connection connection, Throwable failure) {
        try {
            connection.rollback();
            if (!(failure instanceof SQLException)) { // an SQLException shows that a statement was sent
                dialect.rolledBack(connection);
            }
        } catch (SQLException | RuntimeException broken) {
            failure.addSuppressed(broken);
            if (!(broken instanceof SQLException lost)
                    || Fault.of(lost) != Fault.RECONNECTED) { // after a reconnect, the transaction is gone
                UselessConnections.discard(connection, failure);
            }
        }
    }

    /**
     * Pools report in many ways that no connection is available; all of them are treated as the same transient fault.
     */
    private Connection connect() throws SQLException {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw Fault.of(e).isTransient() ? e : new SQLTransientConnectionException(e.getMessage(), "08001", e);
        } catch (RuntimeException e) {
            throw new SQLTransientConnectionException(String.valueOf(e.getMessage()), "08001", e);
        }
    }
}
