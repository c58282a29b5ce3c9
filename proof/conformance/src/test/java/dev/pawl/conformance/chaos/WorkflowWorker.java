package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.servers.TestDatabase;
import java.time.Duration;

/** A worker process with jobs of workflows, until it is killed. */
public final class WorkflowWorker {
    private WorkflowWorker() {}

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
                        .concurrency(6)
                        .retryPolicy(attempt -> Duration.ofMillis(50))
                        .handle(WorkflowCheck.NODE, (percent, run) -> WorkflowCheck.run(queue, percent, run))
                        .start()) {
            System.out.println("worker " + worker.id() + " works");
            Thread.currentThread().join();
        }
    }
}
