package dev.pawl.internal.quota;

import dev.pawl.internal.store.Admission;
import java.util.List;

/**
 * The limits of a queue and kind. A job starts only if all of them admit it. The jobs share this object, so it is not the permit of a
 * single job. Thread-safe.
 */
final class SharedLimiter implements Admission.Limiter {
    private final LocalLimits limits;
    private final List<LocalLimit> all;

    SharedLimiter(LocalLimits limits, List<LocalLimit> all) {
        this.limits = limits;
        this.all = all;
    }

    List<LocalLimit> limits() {
        return all;
    }

    /** {@return whether there is no limit} */
    boolean isOpen() {
        return all.isEmpty();
    }

    @Override
    public long acquire(int cost) {
        return limits.acquire(this, cost);
    }

    @Override
    public boolean release() {
        return limits.release(this);
    }

    @Override
    public int free(int cost) {
        return limits.free(this, cost);
    }

    @Override
    public int near(int cost) {
        return limits.near(this, cost);
    }

    @Override
    public int maxCost() {
        return limits.maxCost(this);
    }

    @Override
    public int soon() {
        return limits.soon(this);
    }

    @Override
    public void enqueue(int cost, int jobs) {
        limits.waiting(this, cost, jobs);
    }

    @Override
    public void dequeue(int cost) {
        limits.waiting(this, cost, -1);
    }

    @Override
    public boolean isExhausted() {
        return limits.isExhausted(this);
    }
}
