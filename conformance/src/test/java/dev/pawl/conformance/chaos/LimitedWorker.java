package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.JobType;
import dev.pawl.Worker;
import dev.pawl.servers.TestDatabase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A worker process whose handlers write when they begin and end, until it is killed. */
public final class LimitedWorker {
    static final JobType<String> COUNTED = JobType.of("counted", String.class);
    static final JobType<String> KEYED = JobType.of("keyed", String.class);
    static final JobType<String> RATED = JobType.of("rated", String.class);

    private LimitedWorker() {}

    /**
     * @param arguments JDBC URL; the file to write to
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        try (FileChannel log =
                        FileChannel.open(Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                HikariDataSource pool = database.newDataSource(8);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open()) {
            Random random = new Random();
            Worker worker = Worker.on(queue)
                    .lease(Duration.ofSeconds(4))
                    .concurrency(6)
                    .handle(COUNTED, (text, run) -> {
                        String name = run.job().id() + "/" + run.leaseToken() + " " + run.attempt();
                        write(log, "begin " + name);
                        try {
                            TimeUnit.MILLISECONDS.sleep(random.nextInt(40)); // what it does is take time
                        } finally {
                            write(log, "end " + name);
                        }
                    })
                    .handle(KEYED, (text, run) -> {
                        String name = run.job().id() + "/" + run.leaseToken() + " "
                                + run.job().key().orElseThrow();
                        write(log, "first " + name);
                        try {
                            TimeUnit.MILLISECONDS.sleep(random.nextInt(10));
                        } finally {
                            write(log, "last " + name);
                        }
                    })
                    .handle(
                            RATED,
                            (text, run) -> write(log, "start " + run.job().id()))
                    .start();
            try (worker) {
                System.out.println("worker " + worker.id() + " works");
                Thread.currentThread().join();
            }
        }
    }

    /** One write, so that lines of many threads do not mix; the clock is the same for all processes of a machine. */
    private static void write(FileChannel log, String line) throws IOException {
        int unused =
                log.write(ByteBuffer.wrap((System.nanoTime() + " " + line + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
