package dev.pawl.internal.engine;

import dev.pawl.internal.quota.Quotas;
import java.util.Collection;
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
    private final WaitingJobs jobs;
    private final Runnable onLow;
    private int idleRunners;
    private int lowMark;
    private long bytes;
    private boolean closed;

    /**
     * @param onLow called when few jobs are left and more should be claimed
     * @param quotas what jobs must pass to start
     */
    Buffer(Runnable onLow, Quotas quotas) {
        this.onLow = onLow;
        this.jobs = new WaitingJobs(quotas);
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

    /** Waits for a job that may start, and has entered its gate; null when the buffer is closed. */
    @Nullable
    HeldJob take() throws InterruptedException {
        HeldJob job;
        boolean low;
        lock.lock();
        try {
            idleRunners++;
            try {
                job = closed ? null : jobs.next();
                if (job == null && !closed) {
                    onLow.run();
                    job = jobs.next();
                }
                while (job == null && !closed) {
                    notEmpty.await();
                    job = closed ? null : jobs.next();
                }
            } finally {
                idleRunners--;
            }
            if (job == null) {
                return null;
            }
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
            return jobs.first(most);
        } finally {
            lock.unlock();
        }
    }

    /** {@return all jobs, taken out} */
    List<HeldJob> empty() {
        lock.lock();
        try {
            bytes = 0;
            return jobs.removeAll();
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

    /** Some that could not start may be able to now, or must pass a new limit. */
    void limitsChanged() {
        lock.lock();
        try {
            jobs.sortAgain();
            notEmpty.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A job has ended, and another one may start in its place. */
    void left() {
        lock.lock();
        try {
            if (jobs.anyGated()) {
                notEmpty.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return jobs that will not start for a while, taken out} */
    List<HeldJob> shut() {
        lock.lock();
        try {
            List<HeldJob> shut = jobs.removeShut();
            shut.forEach(job -> bytes -= job.size());
            return shut;
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param buffered jobs that wait for a handler and for nothing else
     * @param idle handlers that wait for a job
     * @param bytes of payload that wait, about
     */
    record Level(int buffered, int idle, long bytes) {}

    Level level() {
        lock.lock();
        try {
            return new Level(jobs.free(), idleRunners, bytes);
        } finally {
            lock.unlock();
        }
    }
}
