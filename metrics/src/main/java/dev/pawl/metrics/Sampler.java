package dev.pawl.metrics;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.DisplayState;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.PawlException;
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

/** Samples the state of the queues periodically on its own thread; reading the metrics causes no query. */
final class Sampler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);
    /**
     * Unless limited, a rest lasts at least this many times as long as the sample before it, so sampling takes at most a twentieth of the
     * time.
     */
    private static final int REST = 19;
    /** The longest rest, unless the interval itself is longer, because one slow sample must not silence the metrics for hours. */
    private static final long LONGEST_REST = TimeUnit.MINUTES.toNanos(5);

    private static final List<Measure> ALL = List.of(
            Measure.DEPTH, Measure.OLDEST, Measure.PAUSED, Measure.QUEUE_OUTAGE, Measure.KIND_OUTAGE, Measure.WORKERS);

    private final JobQueue queue;
    private final Meters meters;
    private final LabelLimit queues;
    private final LabelLimit kinds;
    private final long everyNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "pawl-metrics");
    private volatile long readNanos;
    private volatile boolean hasRead;
    private boolean fails;
    private boolean over;

    Sampler(JobQueue queue, Meters meters, LabelLimit queues, LabelLimit kinds, Duration every) {
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
        } catch (RuntimeException | LinkageError broken) { // the program starts anyway
            LOG.warn("a metric could not be shown: {}", broken.toString());
        }
        thread.start();
    }

    /** Waits for a read in flight, so that the caller can close the pool, and removes the last values. */
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
                sample();
                rest = rest(everyNanos, System.nanoTime() - begun, fails);
            } while (!closed.await(rest, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no thread interrupts this one; otherwise it ends
        }
    }

    static long rest(long everyNanos, long tookNanos, boolean failed) {
        return failed ? everyNanos : Math.max(everyNanos, Math.min(tookNanos * REST, LONGEST_REST));
    }

    private void sample() {
        try {
            read();
            readNanos = System.nanoTime();
            hasRead = closed.getCount() > 0;
            fails = false;
        } catch (PawlException failed) {
            end(failed);
        } catch (RuntimeException | LinkageError broken) { // thrown by the meters
            end(broken);
        }
    }

    /** Removes outdated values. */
    private void end(Throwable why) {
        if (!fails) {
            LOG.warn("cannot read the queues for metrics, which are removed until it works again: {}", why.toString());
        }
        fails = true;
        showNothing();
    }

    /** A failing gauge does not affect the others and does not end the thread. */
    private void showNothing() {
        for (Measure measure : ALL) {
            try {
                show(measure, Map.of());
            } catch (RuntimeException | LinkageError broken) {
                LOG.debug("a metric could not be removed", broken);
            }
        }
    }

    /** Sets a gauge. After a close, which may happen during a read, it only removes values. */
    private synchronized void show(Measure measure, Map<List<String>, Double> values) {
        if (!over || values.isEmpty()) {
            meters.set(measure, values);
        }
    }

    private void read() {
        Map<List<String>, Double> depth = new HashMap<>();
        Map<List<String>, Double> oldest = new HashMap<>();
        Map<List<String>, Double> paused = new HashMap<>();
        for (QueueStats each : queue.admin().queues().list(Admin.UNLIMITED)) {
            String name = queues.of(each.name());
            add(depth, name, DisplayState.AVAILABLE, each.available());
            add(depth, name, DisplayState.SCHEDULED, each.scheduled());
            add(depth, name, DisplayState.RETRYABLE, each.retrying());
            add(depth, name, DisplayState.BLOCKED, each.blocked());
            add(depth, name, DisplayState.PENDING, each.pending());
            add(depth, name, DisplayState.PAUSED, each.pausedJobs());
            add(depth, name, DisplayState.RUNNING, each.running());
            Duration age = each.oldestAge();
            oldest.merge(List.of(name), age == null ? 0 : age.toNanos() / 1e9, Math::max);
            paused.merge(List.of(name), each.paused() ? 1.0 : 0.0, Math::max);
        }
        Map<List<String>, Double> queueOutages = new HashMap<>();
        Map<List<String>, Double> kindOutages = new HashMap<>();
        for (LimitInfo each : queue.limits().list()) {
            Subject subject = each.limit().subject();
            if (each.pause() != null && subject.of() == Subject.Of.QUEUE) {
                queueOutages.put(List.of(queues.of(subject.name())), 1.0);
            } else if (each.pause() != null && subject.of() == Subject.Of.KIND) {
                kindOutages.put(List.of(kinds.of(subject.name())), 1.0);
            }
        }
        long workers = queue.admin().workers().list().stream()
                .filter(WorkerInfo::alive)
                .count();
        show(Measure.DEPTH, depth);
        show(Measure.OLDEST, oldest);
        show(Measure.PAUSED, paused);
        show(Measure.QUEUE_OUTAGE, queueOutages);
        show(Measure.KIND_OUTAGE, kindOutages);
        show(Measure.WORKERS, Map.of(List.of(), (double) workers));
    }

    private static void add(Map<List<String>, Double> depth, String queue, DisplayState state, long jobs) {
        depth.merge(List.of(queue, state.word()), (double) jobs, Double::sum);
    }
}
