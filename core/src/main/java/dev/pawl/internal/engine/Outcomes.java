package dev.pawl.internal.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ended runs between the runners and the completer, and those put off. Bounded by number and by the bytes of their
 * payloads: while the database is slow or away, it fills up and the runners wait. Thread-safe.
 */
final class Outcomes {
    static final int BATCH = 1000;
    private static final int MOST_WAITING = 4 * BATCH;
    private static final int MOST_PUT_OFF = 4;
    private static final long LINGER = TimeUnit.MILLISECONDS.toNanos(2);
    private static final Duration PUT_OFF = Duration.ofMillis(200);

    private final long mostBytes;
    private final long putOffNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Deque<Ended> waiting = new ArrayDeque<>();
    /** By when they are due. */
    private final Queue<PutOff> putOff = new PriorityQueue<>();

    private long bytes;
    private long putOffBytes;
    private int unrecorded;
    private boolean closed;
    private boolean abandoned;

    private record PutOff(Ended ended, long untilNanos) implements Comparable<PutOff> {
        @Override
        public int compareTo(PutOff other) {
            return Long.compare(untilNanos - other.untilNanos, 0);
        }
    }

    Outcomes(long mostBytes) {
        this(mostBytes, PUT_OFF);
    }

    /**
     * @param mostBytes of payload that may be unrecorded
     * @param putOff how long a run that is put off waits
     */
    Outcomes(long mostBytes, Duration putOff) {
        this.mostBytes = mostBytes;
        this.putOffNanos = putOff.toNanos();
    }

    /** Waits for room. An outcome must not be lost, so an interrupt is reported only afterwards. */
    void put(Ended ended) throws InterruptedException {
        boolean interrupted = false;
        lock.lock();
        try {
            while (isFull(ended) && !abandoned) {
                try {
                    room.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            waiting.add(ended);
            unrecorded++;
            bytes += ended.held().size();
            if (waiting.size() == 1 || waiting.size() == BATCH) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (interrupted) {
            throw new InterruptedException();
        }
    }

    private boolean isFull(Ended ended) {
        // What is put off has a limit of its own: it must not hold up the others.
        return unrecorded + putOff.size() >= MOST_WAITING
                || putOffBytes > MOST_PUT_OFF * mostBytes
                || (unrecorded > 0 && bytes + ended.held().size() > mostBytes);
    }

    /**
     * Waits for a full batch, or for a few milliseconds after its first outcome; empty when closed and everything has
     * been taken.
     */
    List<Ended> take() throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty() && !isDue()) {
                if (closed && (putOff.isEmpty() || abandoned)) {
                    return List.of();
                }
                if (putOff.isEmpty()) {
                    changed.await();
                } else {
                    long unused = changed.awaitNanos(Math.max(1, putOff.element().untilNanos - System.nanoTime()));
                }
            }
            long left = LINGER;
            while (left > 0 && waiting.size() < BATCH && !closed) {
                left = changed.awaitNanos(left);
            }
            List<Ended> batch = new ArrayList<>(Math.min(BATCH, waiting.size()));
            while (isDue() && batch.size() < BATCH) {
                Ended due = putOff.remove().ended;
                batch.add(due);
                putOffBytes -= due.held().size();
                unrecorded++;
                bytes += due.held().size();
            }
            while (!waiting.isEmpty() && batch.size() < BATCH) {
                batch.add(waiting.remove());
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue() {
        return !putOff.isEmpty() && putOff.element().untilNanos - System.nanoTime() <= 0;
    }

    /** To be taken again in a moment. */
    void putOff(Ended ended) {
        putOff(ended, 1);
    }

    /** To be taken again in a moment, which is longer the more often it was. */
    void putOff(Ended ended, int times) {
        lock.lock();
        try {
            long now = System.nanoTime();
            ended.putOff(now);
            putOff.add(new PutOff(ended, now + times * putOffNanos));
            putOffBytes += ended.held().size();
        } finally {
            lock.unlock();
        }
    }

    /** What was taken has been recorded, put off or let go of. */
    void done(List<Ended> batch) {
        lock.lock();
        try {
            unrecorded -= batch.size();
            batch.forEach(ended -> bytes -= ended.held().size());
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** {@return how many are not recorded} */
    int size() {
        lock.lock();
        try {
            return unrecorded + putOff.size();
        } finally {
            lock.unlock();
        }
    }

    /** No more will come. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What is put off is given up; nobody waits for room any more. */
    void abandon() {
        lock.lock();
        try {
            abandoned = true;
            changed.signalAll();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
