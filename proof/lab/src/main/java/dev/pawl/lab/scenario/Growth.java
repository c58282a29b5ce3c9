package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.report.Formats;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The effect of finished tasks that stay in the table, and of running ones at its head, on the cost of a claim. */
final class Growth implements Scenario {
    private static final int FINISHED = 300_000;
    private static final int RUNNING = 5_000;
    private static final int CLAIMS = 30;
    private static final JobType<Integer> WORK = JobType.of("work", Integer.class);

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public String description() {
        return "The table is also the history, so it must be trimmed as it grows (002). With LIMIT and SKIP LOCKED a"
                + " claim may read thousands of running rows; a partial index keeps it from reading finished ones"
                + " (003). Here ten tasks are claimed (median of 30 claims): with no other tasks in the table, behind"
                + " 300,000 finished tasks, and behind 5,000 more that other transactions have locked. Pawl keeps"
                + " finished jobs in another table.";
    }

    @Override
    public Set<String> products() {
        return Set.of("postgresql");
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        int finished = Scenario.scaled(FINISHED, scale, 1_000);
        int running = Scenario.scaled(RUNNING, scale, 100);
        List<List<String>> rows = new ArrayList<>();
        try (HikariDataSource pool = scratch.pool(6)) {
            rows.add(measured(pool, "no index but the key", finished, running));
            rows.add(measured(
                    pool,
                    "index (status, id)",
                    finished,
                    running,
                    "CREATE INDEX task_queue_status ON task_queue (status, id)"));
            rows.add(measured(
                    pool,
                    "partial index, as advised",
                    finished,
                    running,
                    "CREATE INDEX task_queue_pending ON task_queue (id) WHERE status = 'pending'"));
            rows.add(pawl(pool, finished));
        }
        return new Result(
                List.of("", "ms, nothing finished", "ms, behind finished", "ms, behind locked as well"), rows);
    }

    private static List<String> measured(
            HikariDataSource pool, String name, int finished, int running, String... indexes) throws Exception {
        Sql.execute(
                pool,
                "DROP TABLE IF EXISTS task_queue",
                "CREATE TABLE task_queue (id bigserial PRIMARY KEY, payload text, status varchar(20) NOT NULL,"
                        + " locked_at timestamptz, attempts int NOT NULL DEFAULT 0)");
        Sql.execute(pool, indexes);
        pending(pool);
        String before = claims(pool);
        Sql.execute(
                pool,
                "DELETE FROM task_queue",
                "INSERT INTO task_queue (payload, status) SELECT 'a payload of some length', 'completed'"
                        + " FROM generate_series(1, " + finished + ")");
        pending(pool);
        String behind = claims(pool);
        Sql.execute(
                pool,
                "DELETE FROM task_queue WHERE status <> 'completed'",
                "INSERT INTO task_queue (payload, status) SELECT 'running', 'pending' FROM generate_series(1, "
                        + running + ")");
        String locked;
        try (Connection holder = pool.getConnection()) {
            holder.setAutoCommit(false);
            Sql.longs(holder, "SELECT id FROM task_queue WHERE status = 'pending' ORDER BY id FOR UPDATE");
            pending(pool);
            locked = claims(pool);
            holder.rollback();
        }
        return List.of(name, before, behind, locked);
    }

    private static void pending(HikariDataSource pool) throws SQLException {
        Sql.execute(
                pool,
                "INSERT INTO task_queue (payload, status) SELECT 'a payload of some length', 'pending'"
                        + " FROM generate_series(1, 1000)",
                "VACUUM ANALYZE task_queue");
    }

    private static String claims(HikariDataSource pool) throws SQLException {
        long[] nanos = new long[CLAIMS];
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < CLAIMS; i++) {
                long begun = System.nanoTime();
                List<Long> ids = Sql.longs(
                        connection,
                        "UPDATE task_queue SET status = 'processing', locked_at = now(), attempts = attempts + 1"
                                + " WHERE id = ANY(ARRAY(SELECT id FROM task_queue WHERE status = 'pending' ORDER BY id"
                                + " LIMIT 10 FOR UPDATE SKIP LOCKED)) RETURNING id");
                connection.commit();
                nanos[i] = System.nanoTime() - begun;
                if (ids.size() != 10) {
                    throw new IllegalStateException(ids.size() + " tasks were claimed instead of ten");
                }
            }
            connection.setAutoCommit(true);
        }
        return median(nanos);
    }

    private static String median(long[] nanos) {
        return Formats.number(
                Arrays.stream(nanos).sorted().skip(nanos.length / 2).findFirst().orElse(0) / 1e6);
    }

    /** Measures one job at a time from enqueue to start, which is a wake-up and a claim. */
    private static List<String> pawl(HikariDataSource pool, int finished) throws Exception {
        try (JobQueue queue = JobQueue.open(pool)) {
            String before = starts(queue);
            Sql.execute(
                    pool,
                    "INSERT INTO pawl_job_history SELECT copy.* FROM pawl_job_history h,"
                            + " generate_series(1, " + finished + ") i, LATERAL jsonb_populate_record(h,"
                            + " jsonb_build_object('id', h.id + 1000000 + i)) copy"
                            + " WHERE h.id = (SELECT MIN(id) FROM pawl_job_history)",
                    "VACUUM ANALYZE pawl_job_history");
            return List.of("Pawl, enqueue to start", before, starts(queue), "–");
        }
    }

    private static String starts(JobQueue queue) throws Exception {
        long[] nanos = new long[CLAIMS];
        AtomicLong started = new AtomicLong();
        java.util.concurrent.Semaphore begun = new java.util.concurrent.Semaphore(0);
        try (Worker worker = Worker.on(queue)
                .handle(WORK, (number, run) -> {
                    started.set(System.nanoTime());
                    begun.release();
                })
                .start()) {
            for (int i = 0; i < CLAIMS; i++) {
                long sent = System.nanoTime();
                queue.enqueue(WORK, i);
                if (!begun.tryAcquire(1, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("a job did not start: " + worker.stats());
                }
                nanos[i] = started.get() - sent;
            }
            if (!worker.awaitIdle(java.time.Duration.ofSeconds(30))) {
                throw new IllegalStateException("a worker did not end: " + worker.stats());
            }
        }
        return median(nanos);
    }
}
