package dev.pawl.internal.engine;

import dev.pawl.internal.quota.Limiter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What jobs wait for together.
 *
 * @param gate what they must pass; null for nothing
 * @param weight of each
 * @param chunk how many of them go together; null if each goes alone
 */
record Line(@Nullable Limiter limiter, int weight, @Nullable Chunking chunk) {
    boolean is(@Nullable Limiter ofLimiter, int ofWeight, @Nullable Chunking ofChunk) {
        return limiter == ofLimiter && weight == ofWeight && Objects.equals(chunk, ofChunk);
    }

    /** {@return whether jobs need nothing but a handler} */
    boolean isFree() {
        return is(null, 1, null);
    }

    /** {@return the places of so many} */
    int places(int jobs, int needs) {
        return chunk == null || needs == 1 ? jobs * needs : (jobs + chunk.size() - 1) / chunk.size() * needs;
    }

    /** {@return how many like that one, its first, may enter} */
    int free(HeldJob first) {
        return limiter == null ? Integer.MAX_VALUE : limiter.free(first.cost());
    }

    /** {@return how many like that one may enter in the next moment, so that it is worth while to wait for them} */
    int near(HeldJob first) {
        return limiter == null ? Integer.MAX_VALUE : limiter.near(first.cost());
    }

    /** {@return what the job costs for which several starts were dealt together, so that it goes first; 1 if there is none} */
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
        job.acquired(limiter, startEnd);
        return true;
    }
}
