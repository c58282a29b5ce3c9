package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerEvent;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * A worker process that its test kills, or ends in an orderly way. Every run of a handler writes one line at its start and one at its end
 * to a log that survives the kill. The line at the end begins with {@code done} if the run's transaction has committed. Each line has the
 * job, the token, the machine's time and the payload. The effect goes into the database through the run's transaction. The log also has
 * each outcome that was refused.
 */
public final class ChaosWorker {
    static final JobType<Integer> EFFECT = JobType.of("chaos.effect", Integer.class);
    static final JobType<Integer> PLAIN = JobType.of("chaos.plain", Integer.class);
    /** The prefix of the keys of effects that were written outside of their run's transaction. */
    static final String UNFENCED = "p-";

    static final Duration LEASE = Duration.ofSeconds(4);

    private ChaosWorker() {}

    /**
     * @param arguments JDBC URL, log file and strategy. Tests of failovers add a lease, which replaces {@link #LEASE}, and with which the
     *     pool gets a short time limit
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        // Not a FileChannel, which an interrupted handler would close for all handlers.
        try (FileOutputStream log = new FileOutputStream(arguments[1], true);
                HikariDataSource pool = database.newDataSource(8, Duration.ofSeconds(arguments.length > 3 ? 3 : 15));
                JobQueue queue = JobQueue.builder(pool).migrate(false).open();
                Worker worker = Worker.on(queue)
                        .concurrency(8)
                        .lease(arguments.length > 3 ? Duration.parse(arguments[3]) : LEASE)
                        .strategy(Strategy.parse(arguments[2]))
                        .pollInterval(Duration.ofMillis(200))
                        .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(50)))
                        .handle(EFFECT, (number, run) -> handle(log, number, run))
                        .handle(PLAIN, (number, run) -> handlePlain(log, pool, run))
                        .listener(event -> {
                            if (event instanceof WorkerEvent.LeaseLost lost) {
                                write(log, "refused", lost.job(), lost.job().leaseToken());
                            }
                        })
                        .start()) {
            Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
            System.out.println("worker " + registered(worker) + " works");
            Thread.currentThread().join();
        }
    }

    /**
     * {@return the worker's id} The connection that registers the worker may be cut like any other; the worker retries, and so does this
     * method.
     */
    private static long registered(Worker worker) throws InterruptedException {
        while (true) {
            try {
                return worker.id();
            } catch (DatabaseException cut) {
                Delay.poll(50); // a registration gives no signal
            }
        }
    }

    private static void handle(FileOutputStream log, int number, JobRun run) throws Exception {
        write(log, "begin", run.job(), run.leaseToken());
        String last = "end";
        try {
            run.transaction(connection -> {
                insertEffect(connection, run, UUID.randomUUID().toString());
                if (number % 50 == 0 && run.attempt() == 1) {
                    throw new IllegalStateException("fails once, after its write");
                }
            });
            last = "done";
        } finally {
            write(log, last, run.job(), run.leaseToken());
        }
    }

    /** Writes the effect in a separate transaction; the outcome is recorded after the handler. */
    private static void handlePlain(FileOutputStream log, DataSource pool, JobRun run) throws Exception {
        write(log, "begin", run.job(), run.leaseToken());
        try (Connection connection = pool.getConnection()) {
            Delay.work(20);
            insertEffect(
                    connection, run, UNFENCED + UUID.randomUUID().toString().substring(UNFENCED.length()));
        } finally {
            write(log, "end", run.job(), run.leaseToken());
        }
    }

    private static void insertEffect(Connection connection, JobRun run, String effect) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO chaos_effect (run, job_id, token) VALUES (?, ?, ?)")) {
            insert.setString(1, effect);
            insert.setLong(2, run.job().id());
            insert.setLong(3, run.leaseToken());
            insert.executeUpdate();
        }
    }

    private static void write(FileOutputStream log, String what, Job job, long token) {
        String line = what + " " + job.id() + " " + token + " " + System.nanoTime() + " " + job.payload() + "\n";
        try {
            log.write(line.getBytes(StandardCharsets.UTF_8)); // one write call, so that lines of threads do not mix
        } catch (IOException e) {
            throw new UncheckedIOException("cannot log a run", e);
        }
    }
}
