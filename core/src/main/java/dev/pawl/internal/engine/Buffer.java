package dev.pawl.internal.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Claimed jobs between the fetcher and the runners. Knows how many handlers are busy, because together they say how many
 * jobs to claim. Thread-safe.
 */
final class Buffer {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Deque<HeldJob> jobs = new ArrayDeque<>();
    private final Runnable onLow;
    private int idleRunners;
    private int lowMark;
    private long taken;
    private boolean closed;

    /**
     * @param onLow told when few jobs are left and more should be claimed
     */
    Buffer(Runnable onLow) {
        this.onLow = onLow;
    }

    void add(Collection<HeldJob> claimed) {
        lock.lock();
        try {
            jobs.addAll(claimed);
            lowMark = jobs.size() / 2;
            notEmpty.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a job; null when the buffer is closed. */
    @Nullable
    HeldJob take() throws InterruptedException {
        HeldJob job;
        boolean low;
        lock.lock();
        try {
            idleRunners++;
            try {
                if (jobs.isEmpty() && !closed) {
                    onLow.run();
                }
                while (jobs.isEmpty() && !closed) {
                    notEmpty.await();
                }
            } finally {
                idleRunners--;
            }
            if (closed) {
                return null;
            }
            job = jobs.remove();
            taken++;
            low = jobs.size() == lowMark;
        } finally {
            lock.unlock();
        }
        if (low) {
            onLow.run();
        }
        return job;
    }

    /** Ends all waiting; answers the jobs that have not started. */
    List<HeldJob> close() {
        lock.lock();
        try {
            closed = true;
            List<HeldJob> left = new ArrayList<>(jobs);
            jobs.clear();
            notEmpty.signalAll();
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** Takes out a job whose lease is gone; false if it is not here (any more). */
    boolean drop(HeldJob job) {
        lock.lock();
        try {
            return jobs.remove(job);
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param buffered jobs that wait for a handler
     * @param idle handlers that wait for a job
     * @param taken jobs taken so far
     */
    record Level(int buffered, int idle, long taken) {}

    Level level() {
        lock.lock();
        try {
            return new Level(jobs.size(), idleRunners, taken);
        } finally {
            lock.unlock();
        }
    }
}
