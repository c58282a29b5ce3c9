package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.servers.process.JavaProcess;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Measures how long jobs wait after {@code kill -9} of the Pawl worker that was running them. */
public final class Recovery {
    private static final Duration START = Duration.ofSeconds(60);

    private Recovery() {}

    /**
     * @param setup configuration; its number of workers is the number of jobs that are running at the kill
     * @param lease of the killed worker, and of the one that takes over
     * @return the time from the kill to the start of the last job on another worker
     * @throws InterruptedException if interrupted while waiting
     * @throws IllegalStateException if the jobs do not run
     */
    public static Duration measure(Setup setup, Duration lease) throws InterruptedException {
        try (HikariDataSource pool = setup.scratch().pool(setup.workers() + 4);
                JobQueue queue = JobQueue.open(pool);
                JavaProcess victim = JavaProcess.startFast(
                        WorkerProcess.class,
                        Map.of(WorkerProcess.URL, setup.scratch().url()),
                        setup.scratch().product(),
                        setup.system(),
                        Integer.toString(setup.workers()),
                        Integer.toString(setup.batch()),
                        "-1",
                        Long.toString(lease.toMillis()))) {
            String unused = victim.awaitOutput(WorkerProcess.READY, START);
            queue.enqueueAll(
                    PawlContender.WORK,
                    IntStream.range(0, setup.workers()).mapToObj(n -> new PawlContender.Payload(n, "")));
            for (int n = 0; n < setup.workers(); n++) {
                unused = victim.awaitOutput(WorkerProcess.HOLDING + " " + n, START);
            }
            CountDownLatch again = new CountDownLatch(setup.workers());
            try (Worker worker = PawlContender.worker(queue, setup)
                    .lease(lease)
                    .handle(PawlContender.WORK, (payload, run) -> again.countDown())
                    .start()) {
                victim.kill();
                long killed = System.nanoTime();
                if (!again.await(lease.toMillis() + START.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException(
                            again.getCount() + " jobs of the killed worker did not run: " + worker.stats());
                }
                return Duration.ofNanos(System.nanoTime() - killed);
            }
        }
    }
}
