package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.report.Formats;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A batch in one commit, with some tasks that always fail. */
final class BatchAtomic implements Scenario {
    private static final int TASKS = 5_000;
    private static final int BATCH = 5;
    private static final int ONE_BAD_IN = 100;
    private static final int WORKERS = 4;
    private static final int IN_VAIN = 20;

    @Override
    public String name() {
        return "batch-atomic";
    }

    @Override
    public String description() {
        return "A worker claims five tasks, does them, and commits all at the end; an exception rolls the batch back"
                + " (003). Here one of 100 tasks always fails. Four workers continue until the last 20 batches of"
                + " each have completed nothing. Undone: executions of good tasks that were rolled back. The count of"
                + " a failed attempt is rolled back as well, so the task is claimed again, together with its"
                + " neighbours.";
    }

    @Override
    public Set<String> products() {
        return Set.of("postgresql");
    }

    private enum Mode {
        BATCH("a batch in one commit, as printed"),
        SAVEPOINTS("a savepoint around each task"),
        ONE_BY_ONE("one task in a commit");

        private final String text;

        Mode(String text) {
            this.text = text;
        }
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        int tasks = Scenario.scaled(TASKS, scale, 2 * ONE_BAD_IN);
        List<List<String>> rows = new ArrayList<>();
        try (HikariDataSource pool = scratch.pool(WORKERS)) {
            for (Mode mode : Mode.values()) {
                rows.add(drain(pool, mode, tasks));
            }
        }
        return new Result(List.of("", "good tasks done", "left behind", "undone", "failures", "good tasks/s"), rows);
    }

    private static List<String> drain(HikariDataSource pool, Mode mode, int tasks) throws Exception {
        Sql.execute(
                pool,
                "DROP TABLE IF EXISTS task_queue, work_done",
                "CREATE TABLE task_queue (id bigint PRIMARY KEY, status varchar(20) NOT NULL, attempts int NOT NULL)",
                "CREATE INDEX task_queue_pending ON task_queue (id) WHERE status = 'pending'",
                "CREATE TABLE work_done (task_id bigint NOT NULL)",
                "INSERT INTO task_queue SELECT i, 'pending', 0 FROM generate_series(1, " + tasks + ") i",
                "ANALYZE task_queue");
        AtomicInteger undone = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        long begun = System.nanoTime();
        ConcurrentThreads.work(WORKERS, number -> work(pool, mode, undone, failures));
        double seconds = (System.nanoTime() - begun) / 1e9;
        long done = Sql.count(pool, "SELECT COUNT(*) FROM work_done");
        return List.of(
                mode.text,
                Long.toString(done),
                Long.toString(tasks - tasks / ONE_BAD_IN - done),
                Integer.toString(undone.get()),
                Integer.toString(failures.get()),
                Formats.number(done / seconds));
    }

    private static int work(HikariDataSource pool, Mode mode, AtomicInteger undone, AtomicInteger failures)
            throws SQLException {
        int batches = 0;
        int inVain = 0;
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            while (inVain < IN_VAIN) {
                List<Long> claimed = Sql.longs(
                        connection,
                        "UPDATE task_queue SET status = 'processing', attempts = attempts + 1 WHERE id ="
                                + " ANY(ARRAY(SELECT id FROM task_queue WHERE status = 'pending' AND attempts < 3"
                                + " ORDER BY id LIMIT "
                                + (mode == Mode.ONE_BY_ONE ? 1 : BATCH) + " FOR UPDATE SKIP LOCKED)) RETURNING id");
                int good = run(connection, mode, claimed, failures);
                boolean whole = good == claimed.size() || mode == Mode.SAVEPOINTS;
                if (whole) {
                    connection.commit();
                } else {
                    undone.addAndGet(good);
                    connection.rollback();
                    if (mode == Mode.ONE_BY_ONE) {
                        setAside(connection, claimed);
                    }
                }
                inVain = good > 0 && whole ? 0 : inVain + 1;
                batches++;
            }
        }
        return batches;
    }

    /** Runs the claimed tasks; a batch ends at the first failure. Returns how many succeeded. */
    private static int run(Connection connection, Mode mode, List<Long> claimed, AtomicInteger failures)
            throws SQLException {
        int good = 0;
        for (long task : claimed) {
            Savepoint before = mode == Mode.SAVEPOINTS ? connection.setSavepoint() : null;
            Sql.update(connection, "INSERT INTO work_done (task_id) VALUES (?)", task);
            if (task % ONE_BAD_IN != 0) {
                Sql.update(connection, "UPDATE task_queue SET status = 'completed' WHERE id = ?", task);
                good++;
                continue;
            }
            failures.incrementAndGet();
            if (before == null) {
                return good;
            }
            connection.rollback(before);
            Sql.update(connection, "UPDATE task_queue SET status = 'pending' WHERE id = ?", task);
        }
        return good;
    }

    /** Outside a batch, the failure can be counted in a separate transaction. */
    private static void setAside(Connection connection, List<Long> claimed) throws SQLException {
        for (long task : claimed) {
            Sql.update(connection, "UPDATE task_queue SET attempts = attempts + 1 WHERE id = ?", task);
        }
        connection.commit();
    }
}
