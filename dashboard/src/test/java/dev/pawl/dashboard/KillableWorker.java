package dev.pawl.dashboard;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process with a worker whose handler never ends, or ends at once. */
final class KillableWorker {
    static final JobType<String> LETTER = JobType.of("letter.write", String.class);

    /** Long enough for a live process on a busy machine to renew its lease, and for a test to press buttons before the lease expires. */
    private static final Duration LEASE = Duration.ofSeconds(20);

    private KillableWorker() {}

    /**
     * @param arguments the database, and {@code hang} if handlers never end
     */
    public static void main(String[] arguments) throws InterruptedException {
        boolean hangs = arguments.length > 1 && arguments[1].equals("hang");
        CountDownLatch never = new CountDownLatch(1);
        try (HikariDataSource pool = new TestDatabase(arguments[0], () -> {}).newDataSource(3);
                JobQueue queue = JobQueue.open(pool);
                Worker worker = Worker.on(queue)
                        .name(hangs ? "mortal" : "heir")
                        .lease(LEASE)
                        .handle(LETTER, (payload, run) -> {
                            if (hangs) {
                                never.await();
                            }
                        })
                        .start()) {
            worker.join();
        }
    }
}
