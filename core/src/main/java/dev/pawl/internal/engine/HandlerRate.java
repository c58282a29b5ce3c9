package dev.pawl.internal.engine;

import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntSupplier;

/**
 * How fast the handlers are, judged by the runs that have ended and by those that are taking longer right now. Counting
 * the jobs taken would not work: the first burst of slow jobs looks like any other. Thread-safe.
 */
final class Pace {
    /** How much work, in time, may wait for the handlers; a claim takes far less. */
    static final long HORIZON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long IDLE = 0;

    private final IntSupplier handlers;
    private final AtomicLongArray begunNanos;
    /** How many the job of a handler takes; written before that it has begun. */
    private final AtomicIntegerArray places;

    private final BitSet numbers = new BitSet();
    private volatile int used;
    private double meanNanos;
    private int ended;

    Pace(int handlers) {
        this(() -> handlers, handlers);
    }

    /**
     * @param handlers how many jobs run at once now, counted in places
     * @param most how many there will ever be
     */
    Pace(IntSupplier handlers, int most) {
        this.handlers = handlers;
        this.used = handlers.getAsInt();
        int threads = 2 * most; // some end while others begin
        this.begunNanos = new AtomicLongArray(threads);
        this.places = new AtomicIntegerArray(threads);
    }

    int handlers() {
        return handlers.getAsInt();
    }

    /** {@return a number of its own for the thread of a handler} */
    synchronized int enlist() {
        int number = Math.min(numbers.nextClearBit(0), begunNanos.length() - 1);
        numbers.set(number);
        used = Math.max(used, number + 1);
        return number;
    }

    /** The thread of that number ends. */
    synchronized void retire(int handler) {
        numbers.clear(handler);
    }

    /** The handler of that number is left to itself, and the present thread gets the number. */
    void left(int handler) {
        begunNanos.set(handler, IDLE);
    }

    void begun(int handler, long nowNanos) {
        begun(handler, nowNanos, 1);
    }

    void begun(int handler, long nowNanos, int takes) {
        places.setPlain(handler, Math.max(1, takes));
        begunNanos.set(handler, nowNanos == IDLE ? 1 : nowNanos);
    }

    void ended(int handler, long nowNanos) {
        ended(handler, nowNanos, 1);
    }

    /** @param jobs that were handled together */
    void ended(int handler, long nowNanos, int jobs) {
        long took = Math.max(1, (nowNanos - begunNanos.getAndSet(handler, IDLE)) / Math.max(1, jobs));
        synchronized (this) {
            ended = Math.min(ended + 1, 2 * handlers());
            meanNanos += (took - meanNanos) / ended;
        }
    }

    /** {@return how many jobs the handlers get through within the horizon, counted in places; zero while nothing is known} */
    int ahead(long nowNanos) {
        double mean;
        synchronized (this) {
            mean = meanNanos;
            if (ended == 0 || mean > HORIZON_NANOS) {
                return 0;
            }
        }
        int quick = handlers() - busyLongerThan(HORIZON_NANOS, nowNanos);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, quick) * (HORIZON_NANOS / mean));
    }

    /** {@return whether every handler has been at the same job for at least this long} */
    boolean isStuck(long nanos, long nowNanos) {
        return isStuck(1, nanos, nowNanos);
    }

    /** {@return whether so many places are not free without those that have been at the same job for at least this long} */
    boolean isStuck(int needed, long nanos, long nowNanos) {
        return busyLongerThan(nanos, nowNanos) + needed > handlers();
    }

    private int busyLongerThan(long nanos, long nowNanos) {
        int busy = 0;
        int numbered = used;
        for (int i = 0; i < numbered; i++) {
            long begun = begunNanos.get(i);
            if (begun != IDLE && nowNanos - begun >= nanos) {
                busy += places.getPlain(i);
            }
        }
        return busy;
    }
}
