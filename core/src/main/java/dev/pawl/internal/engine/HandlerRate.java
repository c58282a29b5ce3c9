package dev.pawl.internal.engine;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntSupplier;

/**
 * Measures how fast the handlers are, from finished runs and from running ones that already take longer. Counting the jobs that handlers
 * take would not work, because a first burst of slow jobs is taken as quickly as a burst of fast jobs. Thread-safe.
 */
final class HandlerRate {
    private static final long IDLE = 0;

    private final IntSupplier handlers;
    private final AtomicLongArray begunNanos;
    /** Capacity that each handler's job uses; written before the start of the job. */
    private final AtomicIntegerArray usedCapacity;

    private final BitSet numbers = new BitSet();
    private volatile int used;
    private double meanNanos;
    private int ended;

    HandlerRate(int handlers) {
        this(() -> handlers, handlers);
    }

    /**
     * @param handlers the current capacity
     * @param most the largest capacity that is possible
     */
    HandlerRate(IntSupplier handlers, int most) {
        this.handlers = handlers;
        this.used = handlers.getAsInt();
        int threads = 2 * most; // some threads end while others begin
        this.begunNanos = new AtomicLongArray(threads);
        this.usedCapacity = new AtomicIntegerArray(threads);
    }

    int handlers() {
        return handlers.getAsInt();
    }

    /** {@return a number for the calling handler thread} */
    synchronized int enlist() {
        int number = Math.min(numbers.nextClearBit(0), begunNanos.length() - 1);
        numbers.set(number);
        used = Math.max(used, number + 1);
        return number;
    }

    /** Frees the number of a thread that ends. */
    synchronized void retire(int handler) {
        numbers.clear(handler);
    }

    /** The handler of this number was abandoned, and the calling thread takes over the number. */
    void left(int handler) {
        begunNanos.set(handler, IDLE);
    }

    void begun(int handler, long nowNanos) {
        begun(handler, nowNanos, 1);
    }

    void begun(int handler, long nowNanos, int capacity) {
        usedCapacity.setPlain(handler, Math.max(1, capacity));
        begunNanos.set(handler, nowNanos == IDLE ? 1 : nowNanos);
    }

    void ended(int handler, long nowNanos) {
        ended(handler, nowNanos, 1);
    }

    /**
     * @param jobs that were handled in one chunk
     */
    void ended(int handler, long nowNanos, int jobs) {
        long took = Math.max(1, (nowNanos - begunNanos.getAndSet(handler, IDLE)) / Math.max(1, jobs));
        synchronized (this) {
            ended = Math.min(ended + 1, 2 * Math.max(1, handlers()));
            meanNanos += (took - meanNanos) / ended;
        }
    }

    /**
     * {@return how much capacity the handlers will free within a time; zero while nothing is known, or if the mean run takes longer than
     * that time}
     *
     * @param withinNanos the time
     * @param nowNanos the current time
     */
    int ahead(long withinNanos, long nowNanos) {
        double mean;
        synchronized (this) {
            mean = meanNanos;
            if (ended == 0 || mean > withinNanos) {
                return 0;
            }
        }
        int quick = handlers() - busyLongerThan(withinNanos, nowNanos);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, quick) * (withinNanos / mean));
    }

    /** {@return whether every handler has been running the same job for at least this long} */
    boolean isStuck(long nanos, long nowNanos) {
        return isStuck(1, nanos, nowNanos);
    }

    /** {@return whether less than the needed capacity is left beside the handlers that have been running for at least this long} */
    boolean isStuck(int needed, long nanos, long nowNanos) {
        return busyLongerThan(nanos, nowNanos) + needed > handlers();
    }

    private int busyLongerThan(long nanos, long nowNanos) {
        int busy = 0;
        int numbered = used;
        for (int i = 0; i < numbered; i++) {
            long begun = begunNanos.get(i);
            if (begun != IDLE && nowNanos - begun >= nanos) {
                busy += usedCapacity.getPlain(i);
            }
        }
        return busy;
    }
}
