package dev.pawl.internal.engine;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds claims back while what a collection could not free is more than a part of the heap. Judged where claims are made, from figures that
 * the JVM keeps anyway. If nothing of this worker runs any more there may be no collection that would tell that the heap is free: then
 * it asks for one. One thread decides; others may look.
 */
final class HeapMark {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.worker");
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long COLLECT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final String worker;
    private final double mark;
    private final @Nullable Heap heap;
    private long lookedNanos;
    private long collectNanos;
    private volatile boolean holds;
    private final AtomicLong times = new AtomicLong();

    /** What is known of the heap, as parts of its largest size. */
    interface Heap {
        /** {@return what was in use after the last collection; zero if there was none yet} */
        double afterCollection();

        /** {@return what is in use, garbage included} */
        double now();

        /** Asks for a collection. */
        void collect();
    }

    /**
     * @param worker for the log
     * @param mark 0.5 to 0.99
     * @param heap of this process; null if it does not matter
     * @param nowNanos the present
     */
    HeapMark(String worker, double mark, @Nullable Heap heap, long nowNanos) {
        this.worker = worker;
        this.mark = mark;
        this.heap = heap;
        this.lookedNanos = nowNanos - LOOK_NANOS;
    }

    /**
     * @param idle whether nothing of this worker runs or waits to run
     * @param nowNanos the present
     * @return whether nothing may be claimed
     */
    boolean holdsBack(boolean idle, long nowNanos) {
        if (heap == null || nowNanos - lookedNanos < LOOK_NANOS) {
            return holds;
        }
        lookedNanos = nowNanos;
        double live = heap.afterCollection();
        boolean above = live > mark && heap.now() > mark;
        if (above != holds) {
            turn(above, live, nowNanos);
        } else if (above && idle && nowNanos - collectNanos >= 0) {
            collectNanos = nowNanos + COLLECT_NANOS;
            heap.collect();
        }
        return above;
    }

    private void turn(boolean above, double live, long nowNanos) {
        holds = above;
        if (above) {
            times.incrementAndGet();
            collectNanos = nowNanos + TimeUnit.SECONDS.toNanos(1);
            LOG.warn(
                    "{}: holds back: {} of the heap was in use after the last collection, and the mark is {}; it claims no more"
                            + " jobs until the heap is free again",
                    worker,
                    percent(live),
                    percent(mark));
        } else {
            LOG.info("{}: claims jobs again: the heap is free", worker);
        }
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * part);
    }

    /** {@return whether it holds back now} */
    boolean holds() {
        return holds;
    }

    /** {@return how often it has begun to hold back} */
    long times() {
        return times.get();
    }
}
