package dev.pawl.internal.engine;

import dev.pawl.internal.store.Admission.Limiter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The conditions for which a group of jobs waits, besides a handler.
 *
 * @param limiter that they must acquire; null for none
 * @param weight of each job
 * @param together how one call takes several of them; null if each job has a call of its own
 */
record WaitGroup(
        @Nullable Limiter limiter, int weight, @Nullable Together together) {
    /** Jobs that need nothing but a handler. */
    static final WaitGroup FREE = new WaitGroup(null, 1, null);

    boolean is(@Nullable Limiter ofLimiter, int ofWeight, @Nullable Together ofTogether) {
        return limiter == ofLimiter && weight == ofWeight && Objects.equals(together, ofTogether);
    }

    /** {@return whether jobs need nothing but a handler} */
    boolean isFree() {
        return is(null, 1, null);
    }

    /** {@return the largest number of jobs in one call} */
    int most() {
        return together == null ? 1 : together.size();
    }

    /** {@return how long the first job waits for others that the same call takes} */
    long fillNanos() {
        return together == null ? 0 : together.waitNanos();
    }

    /** {@return whether the jobs are of a kind whose handler takes several in one call} */
    boolean staysTogether() {
        return together != null;
    }

    /** {@return whether the jobs are of this kind, and its handler takes several in one call} */
    boolean staysTogether(String kind) {
        return together != null && together.kind().equals(kind);
    }

    /** {@return the capacity that this many jobs take, if each call needs {@code needs}} */
    int capacity(int jobs, int needs) {
        return together == null || needs == 1 ? jobs * needs : (jobs + together.size() - 1) / together.size() * needs;
    }

    /** {@return how many jobs like the first one may start now} */
    int free(HeldJob first) {
        return limiter == null ? Integer.MAX_VALUE : limiter.free(first.cost());
    }

    /** {@return how many jobs like the first one may start now or within a moment; it pays to keep these in the buffer} */
    int near(HeldJob first) {
        return limiter == null ? Integer.MAX_VALUE : limiter.near(first.cost());
    }

    /** {@return the largest cost of a waiting job, if it is more than one start and such a job could start now; else 1} */
    int maxCost() {
        return limiter == null ? 1 : limiter.maxCost();
    }

    int soon() {
        return limiter == null ? Integer.MAX_VALUE : limiter.soon();
    }

    boolean isExhausted() {
        return limiter != null && limiter.isExhausted();
    }

    void dequeue(HeldJob job) {
        if (limiter != null) {
            limiter.dequeue(job.cost());
        }
    }

    boolean tryAcquire(HeldJob job) {
        if (limiter == null) {
            return true;
        }
        long startEnd = limiter.acquire(job.cost());
        if (startEnd == Limiter.REFUSED) {
            return false;
        }
        job.acquired(new StartPermit(limiter, startEnd));
        return true;
    }
}
