package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.lab.contender.Contender;
import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.contender.Setup;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.report.Formats;
import dev.pawl.lab.study.Baseline;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Twenty workers on one table, with each of the claims of {@link Baseline}, and with Pawl. */
final class Herd implements Scenario {
    private static final int WORKERS = 20;
    private static final int TASKS = 10_000;
    private static final int BATCH = 10;
    private static final int SAMPLE_MILLIS = 10;

    @Override
    public String name() {
        return "herd";
    }

    @Override
    public String description() {
        return "The article on SKIP LOCKED (003): twenty workers poll one table. With an UPDATE over a"
                + " sub-select, or with FOR UPDATE alone, they wait for the same rows, deadlock, and roll whole batches back; with"
                + " SKIP LOCKED they do not wait. Here each worker claims ten of 10,000 tasks at a time and completes each task in its own"
                + " commit. Left behind: tasks whose worker was rolled back after its claim. Claims refused: lock"
                + " errors other than deadlocks. Empty claims: claims that found no task although there were some."
                + " Waiting: mean number of sessions that wait for a lock, sampled every 10 ms.";
    }

    @Override
    public Set<String> products() {
        return Set.of("postgresql");
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        int tasks = Scenario.scaled(TASKS, scale, WORKERS * BATCH);
        List<List<String>> rows = new ArrayList<>();
        try (HikariDataSource pool = scratch.pool(WORKERS + 1)) {
            for (Baseline.Claim claim : Baseline.Claim.values()) {
                rows.add(baseline(pool, claim, tasks));
            }
        }
        rows.add(pawl(scratch, tasks));
        return new Result(
                List.of(
                        "",
                        "tasks/s",
                        "tasks run twice",
                        "left behind",
                        "claims refused",
                        "empty claims",
                        "deadlocks",
                        "waiting"),
                rows);
    }

    private static List<String> baseline(HikariDataSource pool, Baseline.Claim claim, int tasks) throws Exception {
        try (Connection connection = pool.getConnection()) {
            Baseline.create(connection, tasks);
        }
        Baseline baseline = new Baseline(claim, BATCH);
        try (Waiting waiting = new Waiting(pool)) {
            long begun = System.nanoTime();
            ConcurrentThreads.work(WORKERS, number -> {
                try (Connection connection = pool.getConnection()) {
                    return baseline.drain(connection);
                }
            });
            double seconds = (System.nanoTime() - begun) / 1e9;
            long left = Sql.count(pool, "SELECT COUNT(*) FROM tasks WHERE status <> 'completed'");
            return List.of(
                    claim.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    Formats.number((tasks - left) / seconds),
                    Long.toString(Sql.count(pool, "SELECT COUNT(*) - COUNT(DISTINCT task_id) FROM taken")),
                    Long.toString(left),
                    Long.toString(baseline.lockErrors() - baseline.deadlocks()),
                    Long.toString(baseline.emptyClaims()),
                    Long.toString(baseline.deadlocks()),
                    waiting.mean());
        }
    }

    private static List<String> pawl(Scratch scratch, int tasks) throws Exception {
        CountDownLatch done = new CountDownLatch(tasks);
        AtomicLong executions = new AtomicLong();
        try (HikariDataSource pool = scratch.pool(1);
                Contender pawl = Contenders.open(new Setup("auto", scratch, WORKERS, 0, 0, 0, 0))) {
            pawl.enqueue(0, tasks);
            try (Waiting waiting = new Waiting(pool)) {
                long begun = System.nanoTime();
                Contender.Running running = pawl.start(new Contender.Handler() {
                    @Override
                    public void run(int job) {
                        executions.incrementAndGet();
                    }

                    @Override
                    public void done(int job) {
                        done.countDown();
                    }
                });
                double seconds;
                try {
                    if (!done.await(3, TimeUnit.MINUTES)) {
                        throw new IllegalStateException(done.getCount() + " tasks did not run");
                    }
                    seconds = (System.nanoTime() - begun) / 1e9;
                } finally {
                    running.close();
                }
                return List.of(
                        "Pawl, twenty handlers",
                        Formats.number(tasks / seconds),
                        Long.toString(executions.get() - tasks),
                        Long.toString(pawl.unfinished()),
                        "–",
                        "–",
                        "–",
                        waiting.mean());
            }
        }
    }

    /** Samples how many sessions of the database wait for a lock. */
    private static final class Waiting implements AutoCloseable {
        private final AtomicBoolean stop = new AtomicBoolean();
        private final AtomicLong samples = new AtomicLong();
        private final AtomicLong waiting = new AtomicLong();
        private final Thread thread;

        Waiting(HikariDataSource pool) {
            thread = new Thread(() -> sample(pool), "herd-watcher");
            thread.start();
        }

        private void sample(HikariDataSource pool) {
            try (Connection connection = pool.getConnection()) {
                while (!stop.get()) {
                    waiting.addAndGet(Sql.longs(
                                    connection,
                                    "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                            + " AND datname = current_database()")
                            .get(0));
                    samples.incrementAndGet();
                    TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
                }
            } catch (SQLException e) {
                throw new IllegalStateException("cannot count lock waits", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        String mean() {
            return samples.get() == 0 ? "–" : Formats.number((double) waiting.get() / samples.get());
        }

        @Override
        public void close() {
            stop.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
