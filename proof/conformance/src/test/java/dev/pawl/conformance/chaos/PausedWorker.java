package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.WorkerEvent;
import dev.pawl.servers.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A worker process that is stopped for longer than its lease, and prints what it notices on resuming. */
public final class PausedWorker {
    static final JobType<String> SLOW = JobType.of("slow", String.class);
    static final Duration LEASE = Duration.ofSeconds(10);

    private PausedWorker() {}

    /**
     * @param arguments JDBC URL
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        try (HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open();
                Worker worker = Worker.on(queue)
                        .lease(LEASE)
                        .handle(SLOW, PausedWorker::handle)
                        .listener(event -> {
                            if (event instanceof WorkerEvent.LeaseLost lost) {
                                System.out.println("refused " + lost.job().payload());
                            }
                        })
                        .start()) {
            System.out.println("worker " + worker.id() + " works");
            Thread.currentThread().join();
        }
    }

    private static void handle(String what, JobRun run) throws Exception {
        System.out.println("begins " + what);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException told) {
            System.out.println("told " + what + " " + run.isCancelled());
        }
        if (what.equals("writer")) {
            try {
                run.transaction(connection -> System.out.println("writes late"));
            } catch (LeaseLostException e) {
                System.out.println("may not write");
                throw e;
            }
        }
    }
}
