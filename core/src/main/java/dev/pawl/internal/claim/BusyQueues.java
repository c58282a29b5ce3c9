package dev.pawl.internal.claim;

import dev.pawl.internal.claim.SearchStart.Starts;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the last claims say of queues with many available jobs. Thread-safe. */
final class BusyQueues {
    /** A smaller claim does not pay for the search of its start. */
    private static final int MANY = 5;

    /** Jobs that have become available before the last running one wait at most so long for a search from the first job. */
    private static final long FULL_SEARCH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int FULL_SEARCH_SHARE = 50;
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long TURNS_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** For this time claims race again after a turn could not be had: its owner may be frozen, or the server has none. */
    private static final long NO_TURNS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<String, Busy> queues = new ConcurrentHashMap<>();
    private final Map<String, Long> slow = new ConcurrentHashMap<>();
    private final Map<String, Long> refused = new ConcurrentHashMap<>();

    /**
     * A queue of which the last claim was full.
     *
     * @param priority of the last claimed job
     * @param searchNanos the next time for a search from the first job
     */
    record Busy(int priority, long searchNanos) {
        boolean needsFullSearch() {
            return System.nanoTime() - searchNanos >= 0;
        }
    }

    /** {@return what is known; null if the queue is not busy} */
    @Nullable
    Busy of(ClaimRequest request) {
        Busy busy = queues.get(request.queue());
        return busy == null || request.limit() < MANY || busy.priority > request.maxPriority() ? null : busy;
    }

    /** {@return whether claims of the queue have been slow} */
    boolean takeTurns(String queue) {
        Long last = slow.get(queue);
        Long no = refused.get(queue);
        long now = System.nanoTime();
        return last != null && now - last < TURNS_NANOS && (no == null || now - no >= NO_TURNS_NANOS);
    }

    /** A claim could not have its turn. */
    void noTurn(String queue) {
        refused.put(queue, System.nanoTime());
    }

    /**
     * Learns from a claim.
     *
     * @param claimed in the order of the claim
     * @param starts that were known
     * @param full whether it searched from the first job
     * @param tookNanos its duration, without waits for its turn
     */
    void claimed(ClaimRequest request, List<Grant> claimed, Starts starts, boolean full, long tookNanos) {
        if (claimed.size() < request.limit() || request.limit() < MANY) {
            queues.remove(request.queue());
            return;
        }
        long now = System.nanoTime();
        if (tookNanos >= SLOW_NANOS) {
            slow.put(request.queue(), now);
        }
        int priority = claimed.get(claimed.size() - 1).job().priority();
        Busy before = queues.get(request.queue());
        long next = before != null && !full
                ? before.searchNanos
                : starts.haveMissed(claimed) ? now : now + Math.max(FULL_SEARCH_NANOS, FULL_SEARCH_SHARE * tookNanos);
        queues.put(request.queue(), new Busy(priority, next));
    }
}
