package dev.pawl.lab;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.JobType;
import dev.pawl.Worker;
import dev.pawl.testkit.server.TestDatabase;
import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time from the call of enqueue to the start of the handler on an idle system, one job at a time: within one process,
 * and between two queues that know nothing of each other, as in two processes.
 */
public final class StartLatency {
    private static final JobType<String> NOTHING = JobType.of("nothing", String.class);
    private static final int WARM_UP = 100;

    private StartLatency() {}

    /**
     * @param arguments number of jobs (default 500)
     * @throws Exception if a server does not start
     */
    public static void main(String[] arguments) throws Exception {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
        int jobs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
        for (Supplier<TestServer> server :
                List.<Supplier<TestServer>>of(TestServers::postgres, TestServers::mariaDb, TestServers::sqlite)) {
            print(server.get(), "same process", false, jobs);
            if (server.get().name().equals("postgresql")) {
                print(server.get(), "other process, by NOTIFY", true, jobs);
            }
        }
        System.exit(0);
    }

    private static void print(TestServer server, String how, boolean apart, int jobs) throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(8);
                HikariDataSource otherPool = database.newDataSource(8);
                JobQueue workers = JobQueue.open(pool);
                JobQueue other = JobQueue.open(otherPool)) {
            long[] micros = measure(workers, apart ? other : workers, jobs);
            Arrays.sort(micros);
            System.out.printf(
                    "%-11s %-26s p50 %5.1f ms   p95 %5.1f ms   p99 %5.1f ms   max %5.1f ms%n",
                    server.name(),
                    how,
                    micros[jobs / 2] / 1e3,
                    micros[jobs * 95 / 100] / 1e3,
                    micros[jobs * 99 / 100] / 1e3,
                    micros[jobs - 1] / 1e3);
        }
    }

    private static long[] measure(JobQueue workers, JobQueue producer, int jobs) throws InterruptedException {
        SynchronousQueue<Long> starts = new SynchronousQueue<>();
        try (Worker worker = Worker.on(workers)
                .handle(NOTHING, (payload, run) -> starts.put(System.nanoTime()))
                .start()) {
            if (!worker.awaitIdle(Duration.ofSeconds(10))) {
                throw new IllegalStateException("the worker is not idle");
            }
            long[] micros = new long[jobs];
            for (int i = -WARM_UP; i < jobs; i++) {
                TimeUnit.MILLISECONDS.sleep(50); // so that the worker has gone back to waiting
                long enqueued = System.nanoTime();
                producer.enqueue(NOTHING, "x");
                @Nullable Long started = starts.poll(10, TimeUnit.SECONDS);
                if (started == null) {
                    throw new IllegalStateException("job " + i + " did not start within 10 s");
                }
                if (i >= 0) {
                    micros[i] = (started - enqueued) / 1000;
                }
            }
            return micros;
        }
    }
}
