package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.report.Formats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** An idle queue, and then many jobs at once: how long they take, and their effect on others. */
final class Surge implements Scenario {
    private static final JobType<Integer> STEADY = JobType.of("steady", Integer.class);
    private static final JobType<Integer> SURGE = JobType.of("surge", Integer.class);
    private static final int JOBS = 20_000;
    private static final int BEFORE = 200;
    private static final int EVERY_MILLIS = 10;
    private static final int HANDLERS = 20;
    private static final int LATER = 10; // lower numbers run first

    private final List<Long> ahead = new ArrayList<>();

    /**
     * {@return for each row, the maximum number of surge jobs that began between the enqueue and the start of a steady job; a stall of the
     * machine affects times, but not this number}
     */
    List<Long> ahead() {
        return List.copyOf(ahead);
    }

    @Override
    public String name() {
        return "surge";
    }

    @Override
    public String description() {
        return "A queue smooths bursts with fixed resources (002), or fails under one: connections rise, and no job"
                + " is processed (003). Here 20 handlers process a hundred jobs per second, of a millisecond each;"
                + " then 20,000 more jobs arrive at once. Waits are times from enqueue to start of the steady jobs,"
                + " before the surge and until its last job is done.";
    }

    @Override
    public Set<String> products() {
        return Set.of("postgresql", "mariadb", "mysql", "sqlite");
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        int jobs = Scenario.scaled(JOBS, scale, 500);
        List<List<String>> rows = new ArrayList<>();
        rows.add(surge(scratch, "the surge has the same priority", jobs, 0));
        rows.add(surge(scratch, "the surge has a lower priority", jobs, LATER));
        return new Result(
                List.of(
                        "",
                        "surge done after s",
                        "jobs/s during surge",
                        "wait p99 ms before",
                        "wait p99 ms during surge",
                        "failed"),
                rows);
    }

    private List<String> surge(Scratch scratch, String name, int jobs, int priority) throws Exception {
        CountDownLatch through = new CountDownLatch(jobs);
        int most = BEFORE + (int) TimeUnit.MINUTES.toMillis(2) / EVERY_MILLIS;
        AtomicLongArray enqueued = new AtomicLongArray(most);
        AtomicLongArray waits = new AtomicLongArray(most);
        AtomicLong begunOfSurge = new AtomicLong();
        AtomicLongArray between = new AtomicLongArray(most);
        try (HikariDataSource pool = scratch.pool(HANDLERS + 2);
                JobQueue queue = JobQueue.open(pool);
                Worker worker = Worker.on(queue)
                        .concurrency(HANDLERS)
                        .handle(STEADY, (number, run) -> {
                            waits.set(number, System.nanoTime() - enqueued.get(number));
                            between.addAndGet(number, begunOfSurge.get());
                            TimeUnit.MILLISECONDS.sleep(1);
                        })
                        .handle(SURGE, (number, run) -> {
                            begunOfSurge.incrementAndGet();
                            TimeUnit.MILLISECONDS.sleep(1);
                            through.countDown();
                        })
                        .start()) {
            int sent = 0;
            while (sent < BEFORE) {
                send(queue, enqueued, sent++);
            }
            long begun = System.nanoTime();
            queue.enqueueAll(
                    SURGE,
                    IntStream.range(0, jobs).boxed().toList(),
                    number -> EnqueueOptions.DEFAULTS.priority(priority));
            while (through.getCount() > 0 && sent < most) {
                between.set(sent, -begunOfSurge.get());
                send(queue, enqueued, sent++);
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            if (through.getCount() > 0 || !worker.awaitIdle(java.time.Duration.ofMinutes(1))) {
                throw new IllegalStateException("the surge was not through in time: " + worker.stats());
            }
            ahead.add(Arrays.stream(sorted(between, BEFORE, sent)).max().orElse(0));
            return List.of(
                    name,
                    Formats.number(seconds),
                    Formats.number(jobs / seconds),
                    p99(waits, 0, BEFORE),
                    p99(waits, BEFORE, sent),
                    Long.toString(worker.stats().failed()));
        }
    }

    private static void send(JobQueue queue, AtomicLongArray enqueued, int number) throws InterruptedException {
        enqueued.set(number, System.nanoTime());
        queue.enqueue(STEADY, number);
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
    }

    private static long[] sorted(AtomicLongArray values, int from, int to) {
        return IntStream.range(from, to).mapToLong(values::get).sorted().toArray();
    }

    private static String p99(AtomicLongArray waits, int from, int to) {
        long[] sorted = sorted(waits, from, to);
        return sorted.length == 0
                ? "–"
                : Formats.number(Arrays.stream(sorted)
                                .skip((long) (sorted.length * 0.99))
                                .findFirst()
                                .orElse(0)
                        / 1e6);
    }
}
