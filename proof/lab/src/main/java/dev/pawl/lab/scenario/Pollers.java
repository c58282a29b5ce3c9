package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.report.Formats;
import dev.pawl.lab.run.Cpu;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Five hundred workers without work: their cost for the server. */
final class Pollers implements Scenario {
    private static final int WORKERS = 500;
    private static final int CONNECTIONS = 50;
    private static final int PROCESSES = 10;
    private static final int EVERY_MILLIS = 100;
    private static final int SECONDS = 10;
    private static final int SETTLE_SECONDS = 5;
    private static final JobType<Integer> NEVER = JobType.of("never", Integer.class);

    @Override
    public String name() {
        return "pollers";
    }

    @Override
    public String description() {
        return "Five hundred workers that poll every 100 ms overload the server's processor (003). Here they poll an"
                + " empty table for ten seconds, over 50 connections. Pawl has 500 idle handlers, in ten workers of"
                + " fifty, with its defaults. Commits are counted by the server. The processors used by the server"
                + " are known only for servers that the lab has started.";
    }

    @Override
    public Set<String> products() {
        return Set.of("postgresql");
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        int seconds = Scenario.scaled(SECONDS, scale, 1);
        List<List<String>> rows = new ArrayList<>();
        try (HikariDataSource pool = scratch.pool(CONNECTIONS + 1)) {
            Sql.execute(
                    pool,
                    "CREATE TABLE task_queue (id bigserial PRIMARY KEY, status varchar(20) NOT NULL, locked_at timestamptz)",
                    "CREATE INDEX task_queue_pending ON task_queue (id) WHERE status = 'pending'");
            // Pawl comes first, because the pollers' sessions may report the last second of their work late, and it
            // would count for Pawl.
            rows.add(pawl(scratch, pool, seconds));
            rows.add(0, measured(scratch, pool, "500 workers, each every 100 ms", () -> {
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
                ConcurrentThreads.work(WORKERS, number -> poll(pool, end));
            }));
        }
        return new Result(List.of("", "commits/s", "server's processors", "client's processors"), rows);
    }

    /** Sleeps between polls like a worker; if the server is slow, the next poll is late too. */
    private static int poll(HikariDataSource pool, long end) throws Exception {
        int polls = 0;
        while (System.nanoTime() < end) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                polls += 1
                        + Sql.longs(
                                        connection,
                                        "SELECT id FROM task_queue WHERE status = 'pending' ORDER BY id LIMIT 10"
                                                + " FOR UPDATE SKIP LOCKED")
                                .size();
                connection.commit();
                connection.setAutoCommit(true);
            }
            TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
        }
        return polls;
    }

    private static List<String> pawl(Scratch scratch, HikariDataSource watching, int seconds) throws Exception {
        List<AutoCloseable> open = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                HikariDataSource pool = scratch.pool(4);
                open.add(0, pool);
                JobQueue queue = JobQueue.open(pool);
                open.add(0, queue);
                open.add(
                        0,
                        Worker.on(queue)
                                .concurrency(WORKERS / PROCESSES)
                                .handle(NEVER, (number, run) -> {})
                                .start());
            }
            TimeUnit.SECONDS.sleep(Math.min(SETTLE_SECONDS, seconds)); // excludes their start and first empty polls
            return measured(scratch, watching, "500 handlers of Pawl", () -> TimeUnit.SECONDS.sleep(seconds));
        } finally {
            for (AutoCloseable one : open) {
                one.close();
            }
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static List<String> measured(Scratch scratch, HikariDataSource pool, String name, Step step)
            throws Exception {
        long commits = commits(pool);
        Cpu before = Cpu.now();
        step.run();
        long more = commits(pool) - commits;
        Cpu after = Cpu.now();
        double seconds = (after.nanos() - before.nanos()) / 1e9;
        Double server = !scratch.ours() || before.children() == null || after.children() == null
                ? null
                : Double.valueOf((after.children() - before.children()) / seconds);
        return List.of(
                name,
                Formats.number(more / seconds),
                Formats.number(server),
                Formats.number((after.client() - before.client()) / seconds));
    }

    private static long commits(HikariDataSource pool) throws Exception {
        TimeUnit.MILLISECONDS.sleep(1100); // sessions report their counters at most once a second
        try (Connection connection = pool.getConnection()) {
            return Sql.longs(
                            connection,
                            "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()")
                    .get(0);
        }
    }
}
