package dev.pawl.internal.database.sqlite;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.jdbc.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** SQLite from 3.42. Timestamps are integers: microseconds since 1970, although the clock only has milliseconds. */
public final class SqliteDialect extends Dialect {
    private static final String NOW = "(CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000)";

    /** One lock for each file, shared by all queues of this process. */
    private static final Map<String, Lock> WRITERS = new ConcurrentHashMap<>();

    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Lock writers;
    private final String takeWriteLock;

    /**
     * @param version of the library
     * @param url identifies the file
     * @param prefix of every table
     */
    public SqliteDialect(String version, String url, String prefix) {
        super("sqlite", version, TableNames.prefixed(prefix));
        writers = WRITERS.computeIfAbsent(url, file -> new ReentrantLock(true));
        takeWriteLock = sql("UPDATE pawl_queue SET paused_at = paused_at WHERE false");
    }

    /** For a comparison of rows, SQLite bounds the range of the index by the first columns only, and would read all jobs of a queue. */
    @Override
    protected String nextPlace(String next) {
        return "COALESCE((" + next.formatted("n.queue = j.queue AND n.kind = j.kind AND n.priority > j.priority")
                + "), ("
                + next.formatted("n.queue = j.queue AND n.kind > j.kind") + "), (" + next.formatted("n.queue > j.queue")
                + "))";
    }

    @Override
    public String now() {
        return NOW;
    }

    @Override
    public String nowPlusMicros() {
        return NOW + " + ?";
    }

    @Override
    public String moment() {
        return "?";
    }

    @Override
    public void bind(PreparedStatement statement, int index, Instant moment) throws SQLException {
        statement.setLong(index, Micros.of(moment));
    }

    @Override
    public @Nullable Instant moment(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return micros == 0 && row.wasNull() ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    public String readyTable() {
        return "pawl_job INDEXED BY pawl_job_ready";
    }

    @Override
    public String waitingTable() {
        return "pawl_job INDEXED BY pawl_job_waiting";
    }

    /** With statistics from when the table was small, the planner would read a partial index from start to end instead. */
    @Override
    public String jobsById() {
        return "pawl_job NOT INDEXED";
    }

    /** One value to bind instead of hundreds, and one statement for any number of ids. */
    @Override
    public String anyOf(String column, int count) {
        return column + " IN (SELECT value FROM json_each(?))";
    }

    @Override
    public int bindIds(PreparedStatement statement, int index, List<Long> ids) throws SQLException {
        StringBuilder array = new StringBuilder("[");
        for (Long id : ids) {
            array.append(array.length() == 1 ? "" : ",").append(id);
        }
        statement.setString(index, array.append(']').toString());
        return index + 1;
    }

    /** With {@code state = 1}, the planner would read the index on running jobs from start to end to find a few ids. */
    @Override
    public String runs() {
        return isIn(JobState.RUNNING);
    }

    @Override
    public String micros(String moment) {
        return moment;
    }

    @Override
    public boolean mayCommitLate() {
        return false;
    }

    @Override
    public String skipLocked() {
        return "";
    }

    @Override
    public String forShare() {
        return "";
    }

    @Override
    public String shareSkipLocked() {
        return "";
    }

    @Override
    public String forUpdate() {
        return "";
    }

    @Override
    public boolean isInProcess() {
        return true;
    }

    /** This lock is fair and wakes its next owner at once; SQLite's own wait for the file is a sleep. */
    @Override
    public Lock writers() {
        return writers;
    }

    /**
     * Takes the write lock first, because a transaction that reads first and writes later fails if another process has written in between.
     * The effect is that of BEGIN IMMEDIATE, in any transaction mode of the pool. Retries while another process has the lock, because
     * SQLite's own wait sleeps up to 100 ms at a time, starves, and cannot be interrupted.
     */
    @Override
    public void begin(Connection connection) throws SQLException {
        long deadline = System.nanoTime() + LONGEST_WAIT_NANOS;
        try (Statement statement = connection.createStatement()) {
            int busyTimeout = busyTimeout(statement);
            statement.execute("PRAGMA busy_timeout = 0");
            try {
                while (!takeWriteLock(statement, deadline)) {
                    Retry.LOCKED_FILE.pause(1, "for the write lock of the file");
                }
            } finally {
                statement.execute("PRAGMA busy_timeout = " + busyTimeout);
            }
        }
    }

    /** SQLite has no read-only transactions. */
    @Override
    public <T> T readOnly(Connection connection, SqlWork<T> work) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            boolean before = isQueryOnly(statement);
            statement.execute("PRAGMA query_only = TRUE");
            try {
                return work.run(connection);
            } finally {
                statement.execute("PRAGMA query_only = " + before);
            }
        }
    }

    private static boolean isQueryOnly(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("PRAGMA query_only")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static int busyTimeout(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("PRAGMA busy_timeout")) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    private boolean takeWriteLock(Statement statement, long deadline) throws SQLException {
        try {
            statement.executeUpdate(takeWriteLock);
            return true;
        } catch (SQLException e) {
            if (Fault.of(e) != Fault.BUSY || System.nanoTime() - deadline >= 0) {
                throw e;
            }
            return false;
        }
    }
}
