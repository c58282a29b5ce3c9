package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A worker process with quick jobs, slow jobs that never end, and jobs that kill the process. It prints which slow jobs start. */
public final class BystanderWorker {
    static final JobType<String> QUICK = JobType.of("quick", String.class);
    static final JobType<String> SLOW = JobType.of("slow", String.class);
    static final JobType<String> POISON = JobType.of("poison", String.class);

    private BystanderWorker() {}

    /**
     * @param arguments JDBC URL, lease
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        try (HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open();
                Worker worker = Worker.on(queue)
                        .lease(Duration.parse(arguments[1]))
                        .pollInterval(Duration.ofMillis(100))
                        .handle(QUICK, (what, run) -> {})
                        .handle(SLOW, (what, run) -> {
                            System.out.println("begins " + run.job().id() + ";");
                            new CountDownLatch(1).await();
                        })
                        .handle(POISON, (what, run) -> Runtime.getRuntime().halt(1))
                        .start()) {
            System.out.println("worker " + worker.id() + " works");
            Thread.currentThread().join();
        }
    }
}
