package dev.pawl.metrics;

import dev.pawl.JobQueue;
import dev.pawl.PawlException;
import dev.pawl.admin.DisplayState;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import dev.pawl.metrics.Names.Measure;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads how the queues stand now and then, in a thread of its own, and never because somebody reads the metrics. */
final class Sampler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);
    /** It may be at it for a twentieth of the time. */
    private static final int REST = 19;
    /** Unless it is to be done less often anyway: one look that took long is not to silence the metrics for hours. */
    private static final long LONGEST_REST = TimeUnit.MINUTES.toNanos(5);

    private static final List<Measure> ALL = List.of(
            Measure.DEPTH, Measure.OLDEST, Measure.PAUSED, Measure.QUEUE_HELD, Measure.KIND_HELD, Measure.WORKERS);

    private final JobQueue queue;
    private final Meters meters;
    private final Bound queues;
    private final Bound kinds;
    private final long everyNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "pawl-metrics");
    private volatile long readNanos;
    private volatile boolean hasRead;
    private boolean fails;
    private boolean over;

    Sampler(JobQueue queue, Meters meters, Bound queues, Bound kinds, Duration every) {
        this.queue = queue;
        this.meters = meters;
        this.queues = queues;
        this.kinds = kinds;
        this.everyNanos = every.toNanos();
        thread.setDaemon(true);
    }

    void start() {
        try {
            meters.gauge(Measure.SAMPLE_AGE, () -> hasRead ? (System.nanoTime() - readNanos) / 1e9 : Double.NaN);
        } catch (RuntimeException | LinkageError broken) { // a program starts all the same
            LOG.warn("a metric could not be shown: {}", broken.toString());
        }
        thread.start();
    }

    /** Waits for what it may be reading, so that the caller can close the pool. What was known last is not shown for ever. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            over = true;
        }
        hasRead = false;
        showNothing();
    }

    private void run() {
        try {
            long rest;
            do {
                long begun = System.nanoTime();
                look();
                rest = rest(everyNanos, System.nanoTime() - begun, fails);
            } while (!closed.await(rest, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does; then it ends
        }
    }

    static long rest(long everyNanos, long tookNanos, boolean failed) {
        return failed ? everyNanos : Math.max(everyNanos, Math.min(tookNanos * REST, LONGEST_REST));
    }

    private void look() {
        try {
            read();
            readNanos = System.nanoTime();
            hasRead = closed.getCount() > 0;
            fails = false;
        } catch (PawlException failed) {
            end(failed);
        } catch (RuntimeException | LinkageError broken) { // of the meters
            end(broken);
        }
    }

    /** What was true a while ago is not shown as if it were. */
    private void end(Throwable why) {
        if (!fails) {
            LOG.warn("the queues could not be read for metrics, which end until they can: {}", why.toString());
        }
        fails = true;
        showNothing();
    }

    /** One that cannot be set does not keep the others, nor end the thread. */
    private void showNothing() {
        for (Measure measure : ALL) {
            try {
                show(measure, Map.of());
            } catch (RuntimeException | LinkageError broken) {
                LOG.debug("a metric could not be ended", broken);
            }
        }
    }

    /** Not after the close, which may have come while the database was read. */
    private synchronized void show(Measure measure, Map<List<String>, Double> values) {
        if (!over || values.isEmpty()) {
            meters.set(measure, values);
        }
    }

    private void read() {
        Map<List<String>, Double> depth = new HashMap<>();
        Map<List<String>, Double> oldest = new HashMap<>();
        Map<List<String>, Double> paused = new HashMap<>();
        for (QueueStats each : queue.admin().queues()) {
            String name = queues.of(each.name());
            add(depth, name, DisplayState.AVAILABLE, each.available());
            add(depth, name, DisplayState.SCHEDULED, each.scheduled());
            add(depth, name, DisplayState.RETRYABLE, each.retrying());
            add(depth, name, DisplayState.BLOCKED, each.blocked());
            add(depth, name, DisplayState.PENDING, each.pending());
            add(depth, name, DisplayState.PAUSED, each.held());
            add(depth, name, DisplayState.RUNNING, each.running());
            Duration age = each.oldestAge();
            oldest.merge(List.of(name), age == null ? 0 : age.toNanos() / 1e9, Math::max);
            paused.merge(List.of(name), each.paused() ? 1.0 : 0.0, Math::max);
        }
        Map<List<String>, Double> heldQueues = new HashMap<>();
        Map<List<String>, Double> heldKinds = new HashMap<>();
        for (LimitInfo each : queue.limits().list()) {
            Subject subject = each.limit().subject();
            if (each.hold() != null && subject.of() == Subject.Of.QUEUE) {
                heldQueues.put(List.of(queues.of(subject.name())), 1.0);
            } else if (each.hold() != null && subject.of() == Subject.Of.KIND) {
                heldKinds.put(List.of(kinds.of(subject.name())), 1.0);
            }
        }
        long workers =
                queue.admin().workers().stream().filter(WorkerInfo::alive).count();
        show(Measure.DEPTH, depth);
        show(Measure.OLDEST, oldest);
        show(Measure.PAUSED, paused);
        show(Measure.QUEUE_HELD, heldQueues);
        show(Measure.KIND_HELD, heldKinds);
        show(Measure.WORKERS, Map.of(List.of(), (double) workers));
    }

    private static void add(Map<List<String>, Double> depth, String queue, DisplayState state, long jobs) {
        depth.merge(List.of(queue, state.word()), (double) jobs, Double::sum);
    }
}
