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
 * Claimed jobs between the fetcher and the runners. Knows how many handlers are idle, because the two numbers together
 * decide how many jobs to claim. Thread-safe.
 */
final class Buffer {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Deque<HeldJob> jobs = new ArrayDeque<>();
    private final Runnable onLow;
    private int idleRunners;
    private int lowMark;
    private long bytes;
    private boolean closed;

    /**
     * @param onLow called when few jobs are left and more should be claimed
     */
    Buffer(Runnable onLow) {
        this.onLow = onLow;
    }

    /** False if the buffer is closed; then nothing was added. */
    boolean add(Collection<HeldJob> claimed) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            jobs.addAll(claimed);
            claimed.forEach(job -> bytes += job.size());
            lowMark = jobs.size() / 2;
            notEmpty.signalAll();
            return true;
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
            bytes -= job.size();
            low = jobs.size() == lowMark;
        } finally {
            lock.unlock();
        }
        if (low) {
            onLow.run();
        }
        return job;
    }

    /** {@return the next jobs to be taken, which stay here} */
    List<HeldJob> next(int most) {
        lock.lock();
        try {
            return jobs.stream().limit(most).toList();
        } finally {
            lock.unlock();
        }
    }

    /** {@return all jobs, taken out} */
    List<HeldJob> empty() {
        lock.lock();
        try {
            List<HeldJob> left = new ArrayList<>(jobs);
            jobs.clear();
            bytes = 0;
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waiting; returns the jobs that have not started. */
    List<HeldJob> close() {
        lock.lock();
        try {
            closed = true;
            notEmpty.signalAll();
            return empty();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Takes out a job whose lease is gone; false if it is not here (any more). */
    boolean drop(HeldJob job) {
        lock.lock();
        try {
            boolean removed = jobs.remove(job);
            bytes -= removed ? job.size() : 0;
            return removed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param buffered jobs that wait for a handler
     * @param idle handlers that wait for a job
     * @param bytes of payload that wait, about
     */
    record Level(int buffered, int idle, long bytes) {}

    Level level() {
        lock.lock();
        try {
            return new Level(jobs.size(), idleRunners, bytes);
        } finally {
            lock.unlock();
        }
    }
}
