package dev.pawl.internal.engine;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops claims while the memory that survived the last collection exceeds a fraction of the heap. Checked before claims, with figures that
 * the JVM keeps anyway. If no job of this worker runs, there may be no further collection to show that memory is free, so it requests one.
 * Checked by one thread, read by others.
 */
final class MemoryGuard {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.worker");
    private static final long READ_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long COLLECT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final String worker;
    private final double maxUse;
    private final @Nullable Heap heap;
    private long readNanos;
    private long collectNanos;
    private volatile boolean isPausing;
    private final AtomicLong times = new AtomicLong();

    /** Memory use of the heap, as fractions of its largest size. */
    interface Heap {
        /** {@return the memory in use after the last collection; zero before the first one} */
        double afterCollection();

        /** {@return the memory in use now, garbage included} */
        double now();

        /** Requests a collection. */
        void collect();
    }

    /**
     * @param worker for the log
     * @param maxUse 0.5 to 0.99
     * @param heap of this process; null to disable the check
     * @param nowNanos the current time
     */
    MemoryGuard(String worker, double maxUse, @Nullable Heap heap, long nowNanos) {
        this.worker = worker;
        this.maxUse = maxUse;
        this.heap = heap;
        this.readNanos = nowNanos - READ_INTERVAL_NANOS;
    }

    /**
     * @param idle whether no job of this worker runs or waits to run
     * @param nowNanos the current time
     * @return whether claims are stopped
     */
    boolean mustPause(boolean idle, long nowNanos) {
        if (heap == null || nowNanos - readNanos < READ_INTERVAL_NANOS) {
            return isPausing;
        }
        readNanos = nowNanos;
        double live = heap.afterCollection();
        boolean above = live > maxUse && heap.now() > maxUse;
        if (above != isPausing) {
            change(above, live, nowNanos);
        } else if (above && idle && nowNanos - collectNanos >= 0) {
            collectNanos = nowNanos + COLLECT_NANOS;
            heap.collect();
        }
        return above;
    }

    private void change(boolean above, double live, long nowNanos) {
        isPausing = above;
        if (above) {
            times.incrementAndGet();
            collectNanos = nowNanos + TimeUnit.SECONDS.toNanos(1);
            LOG.warn(
                    "{}: stops claiming: {} of the heap was in use after the last collection, more than maxHeapUse ({}); it claims"
                            + " jobs again when the heap is free",
                    worker,
                    percent(live),
                    percent(maxUse));
        } else {
            LOG.info("{}: claims jobs again: the heap is free", worker);
        }
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * part);
    }

    /** {@return whether claims are stopped now} */
    boolean isPausing() {
        return isPausing;
    }

    /** {@return how often claims were stopped} */
    long times() {
        return times.get();
    }
}
