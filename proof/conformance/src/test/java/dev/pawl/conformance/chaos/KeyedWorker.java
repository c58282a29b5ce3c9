package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;

/** A worker process that runs quick jobs with keys until it is killed. Its handlers log their starts and ends. */
public final class KeyedWorker {
    static final JobType<String> QUICK = JobType.of("quick", String.class);
    static final Duration LEASE = Duration.ofSeconds(4);

    private KeyedWorker() {}

    /**
     * @param arguments JDBC URL; the file to write to
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        try (FileOutputStream log = new FileOutputStream(arguments[1], true); // an interrupt does not close it
                HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open()) {
            Random random = new Random();
            Worker worker = Worker.on(queue)
                    .lease(LEASE)
                    .concurrency(4)
                    .retryPolicy(RetryPolicy.exponential(Duration.ofMillis(20), Duration.ofMillis(50)))
                    .handle(QUICK, (text, run) -> {
                        String name = run.job().id() + "/" + run.leaseToken() + " "
                                + run.job().key().orElseThrow();
                        write(log, "first " + name);
                        try {
                            if (random.nextInt(40) == 0) {
                                Delay.work(random.nextInt(60));
                            }
                            if (random.nextInt(60) == 0 && run.job().attempt() < 3) {
                                throw new IllegalStateException("not this time");
                            }
                        } finally {
                            write(log, "last " + name);
                        }
                    })
                    .start();
            try (worker) {
                System.out.println("worker " + worker.id() + " works");
                Thread.currentThread().join();
            }
        }
    }

    /** Writes a line in one call, so that threads do not mix theirs. All processes of a machine share the clock. */
    private static void write(FileOutputStream log, String line) throws IOException {
        log.write((System.nanoTime() + " " + line + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
