package dev.pawl.internal.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Whether the turns of keys of which jobs have ended wait for more to end. A turn has a commit of its own, and for each key it reads and
 * writes as much for one job as for ten. Once what is under way is recorded in two parts, each part is let go, run and recorded by itself from
 * then on, in twice as many turns. So the smaller part waits until the larger one is recorded as well, and they are let go together. No handler
 * is idle for that: as long as so many are to come, they have enough to do, or have done it. Not thread-safe.
 */
final class Gathering {
    /** Recording as many as can be recorded at once takes less, unless something holds it up. */
    static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(20);

    /** Fewer are not worth a wait. */
    static final int MANY = 100;

    private final IntSupplier coming;
    private int ended;
    private long sinceNanos;

    /**
     * @param coming how many jobs with keys will have ended in a moment
     */
    Gathering(IntSupplier coming) {
        this.coming = coming;
    }

    /** So many have ended. */
    void ended(int jobs, long nowNanos) {
        if (ended == 0) {
            sinceNanos = nowNanos;
        }
        ended += jobs;
    }

    /** {@return for how long their turns wait, unless more end before; zero if it is time} */
    long remaining(long nowNanos) {
        if (ended == 0) {
            return 0;
        }
        int soon = coming.getAsInt();
        return soon < MANY || soon <= ended ? 0 : Math.max(0, sinceNanos + LONGEST - nowNanos);
    }

    /** Their turns are taken. */
    void over() {
        ended = 0;
    }
}
