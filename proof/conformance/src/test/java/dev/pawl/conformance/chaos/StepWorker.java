package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Signal;
import dev.pawl.api.TypeToken;
import dev.pawl.servers.TestDatabase;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** A worker process whose jobs have steps, sleep and wait for a signal, until it is killed. */
public final class StepWorker {
    static final JobType<Integer> TRAVEL = JobType.of("travel", Integer.class);
    static final Signal<String> GO = Signal.of("go", String.class);
    static final int STEPS = 4;

    private StepWorker() {}

    /**
     * @param arguments JDBC URL
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        try (HikariDataSource pool = database.newDataSource(8);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open();
                Worker worker = Worker.on(queue)
                        .lease(Duration.ofSeconds(3))
                        .pollInterval(Duration.ofMillis(100))
                        .concurrency(5)
                        .handle(
                                TRAVEL,
                                (number, run) -> travel(run),
                                HandlerOptions.DEFAULTS.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(50))))
                        .start()) {
            System.out.println("worker " + worker.id() + " works");
            Thread.currentThread().join();
        }
    }

    /**
     * The first step draws a random ticket. Each step that writes inserts this ticket under a name of its own, so a step that is done twice
     * would leave two rows.
     */
    private static void travel(JobRun run) throws Exception {
        String ticket = run.step("ticket", String.class, () -> UUID.randomUUID().toString());
        for (int step = 1; step <= STEPS; step++) {
            write(run, "stop " + step, ticket);
            if (step == 1) {
                run.steps()
                        .sleep(
                                "a moment",
                                Duration.ofMillis(ThreadLocalRandom.current().nextInt(300)));
            } else if (step == 2) {
                String signalled = run.steps().await(GO, Duration.ofMinutes(5)).orElseThrow();
                write(run, "heard " + signalled, ticket);
            } else if (ThreadLocalRandom.current().nextInt(10) == 0) {
                throw new IllegalStateException("this may happen");
            }
        }
    }

    private static void write(JobRun run, String what, String ticket) throws Exception {
        String unused = run.steps().inTransaction(what, TypeToken.of(String.class), connection -> {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO travel (job_id, what, ticket) VALUES (?, ?, ?)")) {
                insert.setLong(1, run.job().id());
                insert.setString(2, what);
                insert.setString(3, ticket);
                insert.executeUpdate();
            }
            return what;
        });
    }
}
