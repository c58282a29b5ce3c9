package dev.pawl.conformance.contract;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.servers.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A worker of a newer build, which migrates on its start. */
final class UpgradedWorker {
    private UpgradedWorker() {}

    /**
     * @param arguments JDBC URL, prefix
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        CountDownLatch jobs = new CountDownLatch(100);
        try (HikariDataSource pool = new TestDatabase(arguments[0], () -> {}).newDataSource(8);
                JobQueue queue =
                        JobQueue.builder(pool).tablePrefix(arguments[1]).open();
                Worker worker = Worker.on(queue)
                        .pollInterval(Duration.ofMillis(20))
                        .handle(Fixture.GREET, (name, run) -> jobs.countDown())
                        .start()) {
            jobs.await();
            worker.stop(Duration.ofSeconds(10));
            System.out.println("has run 100 jobs");
            Thread.currentThread().join();
        }
    }
}
