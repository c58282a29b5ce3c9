package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/**
 * A worker process that its test kills. Every run of a handler writes to a log that survives the kill, one line at its start and one at its
 * end, with the machine's time; the effect goes into the database through the run's transaction.
 */
public final class ChaosWorker {
    static final JobType<Integer> EFFECT = JobType.of("chaos.effect", Integer.class);
    static final Duration LEASE = Duration.ofSeconds(4);

    private ChaosWorker() {}

    /**
     * @param arguments JDBC URL, log file, strategy
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        // Not a FileChannel, which an interrupted handler would close for all.
        try (FileOutputStream log = new FileOutputStream(arguments[1], true);
                HikariDataSource pool = database.newDataSource(8);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open();
                Worker worker = Worker.on(queue)
                        .concurrency(8)
                        .lease(LEASE)
                        .strategy(Strategy.parse(arguments[2]))
                        .pollInterval(Duration.ofMillis(200))
                        .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(50)))
                        .handle(EFFECT, (number, run) -> handle(log, number, run))
                        .start()) {
            System.out.println("worker " + registered(worker) + " works");
            Thread.currentThread().join();
        }
    }

    /** The connection that registers it may be cut like any other; the worker retries, and so does this. */
    private static long registered(Worker worker) throws InterruptedException {
        while (true) {
            try {
                return worker.id();
            } catch (DatabaseException cut) {
                Delay.poll(50); // there is no signal for its success
            }
        }
    }

    private static void handle(FileOutputStream log, int number, JobRun run) throws Exception {
        write(log, "begin", run);
        try {
            run.transaction(connection -> {
                try (var insert =
                        connection.prepareStatement("INSERT INTO chaos_effect (run, job_id, token) VALUES (?, ?, ?)")) {
                    insert.setString(1, UUID.randomUUID().toString());
                    insert.setLong(2, run.job().id());
                    insert.setLong(3, run.leaseToken());
                    insert.executeUpdate();
                }
                if (number % 50 == 0 && run.attempt() == 1) {
                    throw new IllegalStateException("fails once, after its write");
                }
            });
        } finally {
            write(log, "end", run);
        }
    }

    private static void write(FileOutputStream log, String what, JobRun run) throws IOException {
        String line = what + " " + run.job().id() + " " + run.leaseToken() + " " + System.nanoTime() + "\n";
        log.write(line.getBytes(StandardCharsets.UTF_8)); // one write call, so that lines of threads do not mix
    }
}
