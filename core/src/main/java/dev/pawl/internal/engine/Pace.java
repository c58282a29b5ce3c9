package dev.pawl.internal.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How fast the handlers are, judged by the runs that have ended and by those that are taking longer right now. Counting
 * the jobs taken would not work: the first burst of slow jobs looks like any other. Thread-safe.
 */
final class Pace {
    /** How much work, in time, may wait for the handlers; a claim takes far less. */
    static final long HORIZON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long IDLE = 0;

    private final int handlers;
    private final AtomicLongArray begunNanos;
    private final AtomicInteger nextHandler = new AtomicInteger();
    private double meanNanos;
    private int ended;

    Pace(int handlers) {
        this.handlers = handlers;
        this.begunNanos = new AtomicLongArray(handlers);
    }

    /** {@return a number of its own for the thread of a handler} */
    int enlist() {
        return nextHandler.getAndIncrement();
    }

    /** The handler of that number is left to itself, and another thread gets the number. */
    void left(int handler) {
        begunNanos.set(handler, IDLE);
    }

    void begun(int handler, long nowNanos) {
        begunNanos.set(handler, nowNanos == IDLE ? 1 : nowNanos);
    }

    void ended(int handler, long nowNanos) {
        long took = Math.max(1, nowNanos - begunNanos.getAndSet(handler, IDLE));
        synchronized (this) {
            ended = Math.min(ended + 1, 2 * handlers);
            meanNanos += (took - meanNanos) / ended;
        }
    }

    /** {@return how many jobs the handlers get through within the horizon; zero while nothing is known} */
    int ahead(long nowNanos) {
        double mean;
        synchronized (this) {
            mean = meanNanos;
            if (ended == 0 || mean > HORIZON_NANOS) {
                return 0;
            }
        }
        int quick = handlers - busyLongerThan(HORIZON_NANOS, nowNanos);
        return (int) Math.min(Integer.MAX_VALUE, quick * (HORIZON_NANOS / mean));
    }

    /** {@return whether every handler has been at the same job for at least this long} */
    boolean isStuck(long nanos, long nowNanos) {
        return busyLongerThan(nanos, nowNanos) == handlers;
    }

    private int busyLongerThan(long nanos, long nowNanos) {
        int busy = 0;
        for (int i = 0; i < handlers; i++) {
            long begun = begunNanos.get(i);
            if (begun != IDLE && nowNanos - begun >= nanos) {
                busy++;
            }
        }
        return busy;
    }
}
