package dev.pawl.lab.study;

import dev.pawl.internal.jdbc.Fault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.LongAdder;

/**
 * Ways to claim from a task table that are not good enough, and the one that is, on PostgreSQL: what each costs a
 * worker, and which of them give a task to two workers. Thread-safe; each worker has a connection.
 */
public final class Baseline {
    /** How a worker takes the next task. */
    public enum Claim {
        /** Read, then update, and hope: two workers read the same task. */
        NAIVE(""),
        /** One statement, and still wrong: the second worker waits for the row and then updates it once more. */
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
    private final LongAdder lockErrors = new LongAdder();

    /**
     * @param claim how to take tasks
     */
    public Baseline(Claim claim) {
        this.claim = claim;
    }

    /** Recreates the tables, with so many tasks. */
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

    /** Takes and completes tasks until there are none left; returns how many. */
    public int drain(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        int done = 0;
        while (true) {
            try {
                long task = take(connection);
                connection.commit();
                if (task == 0) {
                    return done;
                }
                update(connection, "INSERT INTO taken (task_id) VALUES (?)", task);
                update(connection, "UPDATE tasks SET status = 'completed' WHERE id = ?", task);
                connection.commit();
                done++;
            } catch (SQLException e) {
                connection.rollback();
                if (!Fault.of(e).isContention()) {
                    throw e;
                }
                lockErrors.increment();
            }
        }
    }

    private long take(Connection connection) throws SQLException {
        if (claim == Claim.NAIVE_UPDATE) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("UPDATE tasks SET status = 'processing', locked_at = now()"
                            + " WHERE id IN (SELECT id FROM tasks WHERE status = 'pending' ORDER BY id LIMIT 1)"
                            + " RETURNING id")) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
        long task;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT id FROM tasks WHERE status = 'pending' ORDER BY id LIMIT 1 " + claim.lock)) {
            task = row.next() ? row.getLong(1) : 0;
        }
        if (task != 0) {
            update(connection, "UPDATE tasks SET status = 'processing', locked_at = now() WHERE id = ?", task);
        }
        return task;
    }

    private static void update(Connection connection, String sql, long task) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, task);
            statement.executeUpdate();
        }
    }

    /** {@return how often a lock was refused} */
    public long lockErrors() {
        return lockErrors.sum();
    }
}
