package dev.pawl.lab;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.JobType;
import dev.pawl.Retention;
import dev.pawl.Worker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Pawl as users run it: typed payloads, one worker with its default buffer, real handlers. */
final class PawlContender implements Contender {
    private static final JobType<String> NOTHING = JobType.of("nothing", String.class);

    private final HikariDataSource pool;
    private final boolean history;
    private final int concurrency;
    private int prefixes;
    private @Nullable JobQueue queue;

    PawlContender(HikariDataSource pool, boolean history, int concurrency) {
        this.pool = pool;
        this.history = history;
        this.concurrency = concurrency;
    }

    static String payload(int i) {
        return "{\"n\":" + i + ",\"to\":\"someone@example.com\"}";
    }

    @Override
    public String name() {
        return "Pawl, one worker, " + concurrency + " handlers, " + (history ? "with history" : "no history");
    }

    @Override
    public void reset() {
        queue = JobQueue.builder(pool)
                .tablePrefix("lab" + (history ? "h" : "n") + prefixes++ + "_")
                .retention(history ? Retention.DEFAULTS : Retention.DEFAULTS.completed(Duration.ZERO))
                .open();
    }

    private JobQueue queue() {
        if (queue == null) {
            throw new IllegalStateException("reset first");
        }
        return queue;
    }

    @Override
    public void enqueue(int jobs) {
        queue().enqueueAll(NOTHING, IntStream.range(0, jobs).mapToObj(PawlContender::payload));
    }

    @Override
    public void drain(int jobs) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(jobs);
        AtomicReference<String> last = new AtomicReference<>("");
        try (Worker worker = Worker.on(queue())
                .concurrency(concurrency)
                .handle(NOTHING, (payload, run) -> last.set(payload))
                .listener(event -> {
                    if (event instanceof dev.pawl.WorkerEvent.Completed) {
                        done.countDown();
                    }
                })
                .start()) {
            if (!done.await(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException("not drained after 5 minutes: " + worker.stats());
            }
        }
    }
}
