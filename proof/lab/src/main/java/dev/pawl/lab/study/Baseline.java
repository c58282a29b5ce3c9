package dev.pawl.lab.study;

import dev.pawl.internal.jdbc.Fault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Claims from a task table on PostgreSQL, in wrong, slow and right ways. Shows what each costs, and which of them give a task to two
 * workers. Thread-safe; each worker has a connection.
 */
public final class Baseline {
    /** How a worker claims the next task. */
    public enum Claim {
        /** Read, then update without a check: two workers read the same task. */
        NAIVE(""),
        /** One statement, and still wrong: the second worker waits for the row and then updates it again. */
        NAIVE_UPDATE(""),
        /** The second worker waits for the first. */
        FOR_UPDATE("FOR UPDATE"),
        /** The second worker gets an error and tries again. */
        NOWAIT("FOR UPDATE NOWAIT"),
        /** The second worker takes the next task. */
        SKIP_LOCKED("FOR UPDATE SKIP LOCKED");

        private final String lock;

        Claim(String lock) {
            this.lock = lock;
        }
    }

    private final Claim claim;
    private final int batch;
    private final LongAdder lockErrors = new LongAdder();
    private final LongAdder deadlocks = new LongAdder();
    private final LongAdder emptyClaims = new LongAdder();

    /**
     * @param claim how to claim tasks
     * @param batch maximum tasks per claim
     */
    public Baseline(Claim claim, int batch) {
        this.claim = claim;
        this.batch = batch;
    }

    /** Recreates the tables with a number of tasks. */
    public static void create(Connection connection, int tasks) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS tasks, taken");
            statement.execute("CREATE TABLE tasks (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                    + " status varchar(20) NOT NULL DEFAULT 'pending', locked_at timestamptz)");
            statement.execute("CREATE INDEX tasks_pending ON tasks (id) WHERE status = 'pending'");
            statement.execute("CREATE TABLE taken (task_id bigint NOT NULL)");
            statement.execute("INSERT INTO tasks (status) SELECT 'pending' FROM generate_series(1, " + tasks + ")");
        }
    }

    /** Claims and completes tasks until none are left; returns how many. */
    public int drain(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        int done = 0;
        while (true) {
            try {
                List<Long> tasks = take(connection);
                connection.commit();
                if (tasks.isEmpty()) {
                    if (ids(connection, "SELECT id FROM tasks WHERE status = 'pending' LIMIT 1")
                            .isEmpty()) {
                        return done;
                    }
                    emptyClaims.increment();
                    continue;
                }
                for (long task : tasks) {
                    update(connection, "INSERT INTO taken (task_id) VALUES (?)", task);
                    update(connection, "UPDATE tasks SET status = 'completed' WHERE id = ?", task);
                }
                connection.commit();
                done += tasks.size();
            } catch (SQLException e) {
                connection.rollback();
                if (!Fault.of(e).isContention()) {
                    throw e;
                }
                lockErrors.increment();
                if (Fault.of(e) == Fault.DEADLOCK) {
                    deadlocks.increment();
                }
            }
        }
    }

    private List<Long> take(Connection connection) throws SQLException {
        if (claim == Claim.NAIVE_UPDATE) {
            return ids(
                    connection,
                    "UPDATE tasks SET status = 'processing', locked_at = now() WHERE id IN (SELECT id FROM tasks"
                            + " WHERE status = 'pending' ORDER BY id LIMIT " + batch + ") RETURNING id");
        }
        List<Long> tasks = ids(
                connection,
                "SELECT id FROM tasks WHERE status = 'pending' ORDER BY id LIMIT " + batch + " " + claim.lock);
        for (long task : tasks) {
            update(connection, "UPDATE tasks SET status = 'processing', locked_at = now() WHERE id = ?", task);
        }
        return tasks;
    }

    private static List<Long> ids(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<Long> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
            return ids;
        }
    }

    private static void update(Connection connection, String sql, long task) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, task);
            statement.executeUpdate();
        }
    }

    /** {@return how often a claim or completion failed because of another transaction's lock, including deadlocks} */
    public long lockErrors() {
        return lockErrors.sum();
    }

    /**
     * {@return how often a claim returned nothing although there were tasks, because another worker had claimed the row that it waited for}
     */
    public long emptyClaims() {
        return emptyClaims.sum();
    }

    /** {@return how often the server resolved a deadlock by failing one of these transactions} */
    public long deadlocks() {
        return deadlocks.sum();
    }
}
