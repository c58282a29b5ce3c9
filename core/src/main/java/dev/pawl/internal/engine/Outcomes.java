package dev.pawl.internal.engine;

import dev.pawl.internal.store.Mutex;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.IntSupplier;

/**
 * The queue of finished runs between the runners and the completer, including deferred runs. It is bounded by number and by the bytes of
 * the payloads, so it fills up and the runners wait while the database is slow or unavailable. Thread-safe.
 */
final class Outcomes {
    static final int BATCH = 1000;
    private static final int MAX_WAITING = 4 * BATCH;
    private static final int DEFERRED_BYTES_FACTOR = 4;
    private static final long SHORTEST_LINGER = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_LINGER = TimeUnit.MILLISECONDS.toNanos(50);
    /** If the worker holds no other job, and nothing was recorded for this long, an outcome is recorded at once. */
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(10);
    /**
     * Ratio of the wait for a batch to the duration of the last recording. It limits recording to about a tenth of the time. Where
     * recording is slow, because many workers record, each call thus records more.
     */
    private static final int LINGERS = 10;

    private static final Duration DEFERRAL = Duration.ofMillis(200);

    private final long mostBytes;
    private final long deferralNanos;
    private final Mutex lock = new Mutex();
    private final Condition changed = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Deque<FinishedRun> waiting = new ArrayDeque<>();
    /** Ordered by the time at which they are due. */
    private final Queue<Deferred> deferred = new PriorityQueue<>();

    private long bytes;
    private long deferredBytes;
    private int unrecorded;
    /** The number of waiting outcomes for which other jobs wait. */
    private int awaited;

    /** The number of threads that wait for room. */
    private int blocked;

    private long takenNanos = System.nanoTime() - LONGEST_LINGER;
    /** Whether the two last batches were taken in quick succession. */
    private boolean busy;

    private long linger = SHORTEST_LINGER;
    private boolean closed;
    private boolean abandoned;

    private record Deferred(FinishedRun finished, long untilNanos) implements Comparable<Deferred> {
        @Override
        public int compareTo(Deferred other) {
            return Long.compare(untilNanos - other.untilNanos, 0);
        }
    }

    Outcomes(long mostBytes) {
        this(mostBytes, DEFERRAL);
    }

    /**
     * @param mostBytes of payload that may be unrecorded
     * @param deferral delay of a deferred run
     */
    Outcomes(long mostBytes, Duration deferral) {
        this.mostBytes = mostBytes;
        this.deferralNanos = deferral.toNanos();
    }

    /**
     * Adds a finished run, and waits for room if necessary. An outcome must not be lost, so an interrupt is reported only after the run was
     * added.
     */
    void put(FinishedRun finished) throws InterruptedException {
        boolean interrupted = false;
        lock.lock();
        try (lock) {
            while (isFull(finished) && !abandoned) {
                blocked++;
                changed.signalAll();
                try {
                    room.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                } finally {
                    blocked--;
                }
            }
            waiting.add(finished);
            unrecorded++;
            bytes += finished.held().size();
            boolean first = finished.held().isAwaited() && awaited++ == 0;
            if (first || waiting.size() == 1 || waiting.size() == BATCH) {
                changed.signalAll();
            }
        }
        if (interrupted) {
            throw new InterruptedException();
        }
    }

    private boolean isFull(FinishedRun finished) {
        // Deferred outcomes count towards the number, but have a byte limit of their own.
        return unrecorded + deferred.size() >= MAX_WAITING
                || deferredBytes > DEFERRED_BYTES_FACTOR * mostBytes
                || (unrecorded > 0 && bytes + finished.held().size() > mostBytes);
    }

    /**
     * Waits for a full batch, or for some milliseconds after the first outcome. Returns an empty list when the queue is closed and drained.
     *
     * @param held how many jobs the worker holds, including those whose outcomes wait here
     */
    List<FinishedRun> take(IntSupplier held) throws InterruptedException {
        lock.lock();
        try (lock) {
            while (waiting.isEmpty() && !isDue()) {
                if (closed && (deferred.isEmpty() || abandoned)) {
                    return List.of();
                }
                if (deferred.isEmpty()) {
                    changed.await();
                } else {
                    long unused = changed.awaitNanos(Math.max(1, deferred.element().untilNanos - System.nanoTime()));
                }
            }
            long from = System.nanoTime();
            long left = from - takenNanos > QUIET && held.getAsInt() <= waiting.size() ? 0 : linger();
            while (left > 0 && waiting.size() < BATCH && !closed) {
                long unused = changed.awaitNanos(left);
                left = linger() - (System.nanoTime() - from);
            }
            List<FinishedRun> batch = new ArrayList<>(Math.min(BATCH, waiting.size()));
            while (isDue() && batch.size() < BATCH) {
                FinishedRun due = deferred.remove().finished;
                batch.add(due);
                deferredBytes -= due.held().size();
                unrecorded++;
                bytes += due.held().size();
            }
            while (!waiting.isEmpty() && batch.size() < BATCH) {
                FinishedRun next = waiting.remove();
                awaited -= next.held().isAwaited() ? 1 : 0;
                batch.add(next);
            }
            long now = System.nanoTime();
            busy = now - takenNanos < LONGEST_LINGER;
            takenNanos = now;
            return batch;
        }
    }

    private long linger() {
        return blocked > 0 ? 0 : awaited > 0 ? SHORTEST_LINGER : linger;
    }

    private boolean isDue() {
        return !deferred.isEmpty() && deferred.element().untilNanos - System.nanoTime() <= 0;
    }

    /** Defers an outcome. */
    void defer(FinishedRun finished) {
        defer(finished, 1);
    }

    /** Defers an outcome by a delay that is proportional to {@code times}. */
    void defer(FinishedRun finished, int times) {
        lock.lock();
        try (lock) {
            long now = System.nanoTime();
            finished.defer(now);
            deferred.add(new Deferred(finished, now + times * deferralNanos));
            deferredBytes += finished.held().size();
        }
    }

    /**
     * Reports that a taken batch was recorded, deferred or dropped.
     *
     * @param othersRun whether the worker has other jobs, whose outcomes will come
     */
    void done(List<FinishedRun> batch, boolean othersRun) {
        lock.lock();
        try (lock) {
            long took = System.nanoTime() - takenNanos;
            linger = batch.size() > 1 || (othersRun && busy)
                    ? Math.max(SHORTEST_LINGER, Math.min(LONGEST_LINGER, LINGERS * took))
                    : SHORTEST_LINGER; // no other outcome arrived, and other jobs may wait for this one
            unrecorded -= batch.size();
            batch.forEach(finished -> bytes -= finished.held().size());
            room.signalAll();
        }
    }

    /** {@return the delay between the first outcome and taking a batch} */
    long lingerNanos() {
        lock.lock();
        try (lock) {
            return linger();
        }
    }

    /** {@return the number of unrecorded outcomes} */
    int size() {
        lock.lock();
        try (lock) {
            return unrecorded + deferred.size();
        }
    }

    /** Ends the waits of the completer: no further outcomes will be added. */
    void close() {
        lock.lock();
        try (lock) {
            closed = true;
            changed.signalAll();
        }
    }

    /** Gives up deferred outcomes, and stops waiting for room. */
    void abandon() {
        lock.lock();
        try (lock) {
            abandoned = true;
            changed.signalAll();
            room.signalAll();
        }
    }
}
