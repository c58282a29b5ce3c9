package dev.pawl.internal.engine;

import dev.pawl.internal.store.Lease;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All jobs that this worker holds, by lease. Thread-safe. */
final class HeldJobs {
    private static final int MAX_UNRECORDED = 10_000;
    /**
     * For how many lease lengths the start of an unrecorded run stays logged. The number is large because all rescuers may be unavailable
     * for a while.
     */
    private static final int KEPT = 100;

    private final Map<Lease, HeldJob> byLease = new ConcurrentHashMap<>();
    private final AtomicInteger keyed = new AtomicInteger();
    private final Deque<Unrecorded> unrecorded = new ArrayDeque<>();

    /** @param untilNanos when the job will have been rescued */
    record Unrecorded(Lease lease, long untilNanos) {}

    void add(HeldJob held) {
        HeldJob before = byLease.put(held.lease(), held);
        count(held, before == null ? 1 : 0);
    }

    /** {@return false if it was removed before} */
    boolean remove(HeldJob held) {
        boolean removed = byLease.remove(held.lease(), held);
        count(held, removed ? -1 : 0);
        return removed;
    }

    private void count(HeldJob held, int more) {
        if (held.job().key().isPresent()) {
            keyed.addAndGet(more);
        }
    }

    /**
     * Removes a job whose outcome will not be recorded. If the job has started, its start stays logged, so that a rescuer does not treat it
     * as a job that has not started.
     */
    boolean drop(HeldJob held) {
        boolean removed = remove(held);
        if (removed && held.hasBegun()) {
            synchronized (unrecorded) {
                unrecorded.add(new Unrecorded(
                        new Lease(
                                held.lease().jobId(),
                                held.lease().token()), // a copy without references to other objects
                        System.nanoTime() + KEPT * held.leaseLength().toNanos()));
                if (unrecorded.size() > MAX_UNRECORDED) {
                    unrecorded.remove();
                }
            }
        }
        return removed;
    }

    /** {@return the latest jobs that were dropped after their start} */
    List<Lease> unrecorded() {
        long now = System.nanoTime();
        synchronized (unrecorded) {
            unrecorded.removeIf(one -> now - one.untilNanos >= 0);
            return unrecorded.stream().map(Unrecorded::lease).toList();
        }
    }

    /** {@return whether any of these jobs matches} Called for every job that runs, so it is not a stream. */
    static boolean any(List<HeldJob> jobs, Predicate<HeldJob> such) {
        for (HeldJob job : jobs) {
            if (such.test(job)) {
                return true;
            }
        }
        return false;
    }

    boolean holds(HeldJob held) {
        return byLease.get(held.lease()) == held;
    }

    /** {@return the job of a lease; null if it is not held here} */
    @Nullable
    HeldJob of(Lease lease) {
        return byLease.get(lease);
    }

    Collection<HeldJob> all() {
        return byLease.values();
    }

    /** {@return how many held jobs have concurrency keys} */
    int keyed() {
        return keyed.get();
    }

    int size() {
        return byLease.size();
    }

    boolean isEmpty() {
        return byLease.isEmpty();
    }
}
