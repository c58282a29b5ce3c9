package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;

/** A worker process whose handlers log their starts and ends, until it is killed. */
public final class LimitedWorker {
    static final JobType<String> COUNTED = JobType.of("counted", String.class);
    static final JobType<String> KEYED = JobType.of("keyed", String.class);
    static final JobType<String> PACED =
            JobType.of("paced", String.class).withDefaults(EnqueueOptions.DEFAULTS.queue("paced"));
    static final JobType<String> CALLED =
            JobType.of("called", String.class).withDefaults(EnqueueOptions.DEFAULTS.queue("tenants"));
    static final JobType<String> RATED = JobType.of("rated", String.class);

    /** The key of a tenant, and the name of a file that exists while the tenant's service is down. */
    static final String DOWN = "down";

    static final Duration HELD = Duration.ofMillis(500);

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
                    .queues("default", "paced", "tenants")
                    .lease(Duration.ofSeconds(4))
                    .concurrency(6)
                    .handle(COUNTED, (text, run) -> {
                        String name = run.job().id() + "/" + run.leaseToken() + " " + run.attempt();
                        write(log, "begin " + name);
                        try {
                            if (text.startsWith("meet ")) {
                                meet(
                                        Path.of(arguments[1]).resolveSibling("met"),
                                        name,
                                        Integer.parseInt(text.substring(5)));
                            } else {
                                Delay.work(random.nextInt(40));
                            }
                        } finally {
                            write(log, "end " + name);
                        }
                    })
                    .handle(CALLED, Handlers.completing((text, run) -> {
                        if (!run.job().key().orElseThrow().equals(DOWN)) {
                            return Outcome.completed();
                        }
                        boolean isDown = Files.exists(Path.of(arguments[1]).resolveSibling(DOWN));
                        write(
                                log,
                                "call " + (isDown ? "in-vain " : "well ")
                                        + run.job().id());
                        return isDown ? Outcome.keyUnavailable(HELD, "the tenant is down") : Outcome.completed();
                    }))
                    .handle(KEYED, (text, run) -> {
                        String name = run.job().id() + "/" + run.leaseToken() + " "
                                + run.job().key().orElseThrow();
                        write(log, "first " + name);
                        try {
                            Delay.work(random.nextInt(10));
                        } finally {
                            write(log, "last " + name);
                        }
                    })
                    .handle(
                            PACED,
                            (text, run) -> write(
                                    log,
                                    "start-of-key " + run.job().id() + " "
                                            + run.job().key().orElseThrow()))
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

    /** Returns when this number of runs have arrived, in all processes together. */
    private static void meet(Path folder, String name, int many) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Files.createFile(folder.resolve(name.replaceAll("[^0-9]", "-")));
        while (come(folder) < many) {
            Delay.poll(20); // there is no signal between the processes
        }
    }

    private static long come(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    /** One write call, so that lines of threads do not mix; the clock is shared by all processes of a machine. */
    private static void write(FileChannel log, String line) throws IOException {
        int unused =
                log.write(ByteBuffer.wrap((System.nanoTime() + " " + line + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
