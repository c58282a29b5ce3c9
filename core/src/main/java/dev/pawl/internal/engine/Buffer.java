package dev.pawl.internal.engine;

import dev.pawl.internal.quota.Limiter;
import dev.pawl.internal.quota.LocalLimits;
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
    private final ReentrantLock lock;
    private final Condition notEmpty;
    private final WaitingJobs jobs;
    private final Places places;
    private final Runnable onLow;
    private final Runnable onMore;
    /** That serve: one that finds more of them than there are places ends. */
    private int threads;

    private int idleRunners;
    private int lowMark;
    private long bytes;
    private boolean closed;

    /**
     * @param onLow called when few jobs are left and more should be claimed
     * @param onMore called when limits let more be claimed than before
     * @param quotas what jobs must pass to start
     * @param places of the worker; there is a thread for each
     */
    Buffer(Runnable onLow, Runnable onMore, LocalLimits localLimits, Places places) {
        this.lock = localLimits.lock();
        this.notEmpty = lock.newCondition();
        this.onLow = onLow;
        this.onMore = onMore;
        this.jobs = new WaitingJobs(localLimits, places);
        this.places = places;
        this.threads = places.count();
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

    /** Waits for a job, see {@link #take(HeldJob)}. */
    @Nullable
    HeldJob take() throws InterruptedException {
        return take(null);
    }

    /**
     * Waits for a job that may start, and has entered its gate. That the one before leaves its gate here, and not sooner, is for speed:
     * where jobs are quick, each would need the same locks twice.
     *
     * @param ended the job that leaves its places, and its gate if it is still in there, as those handled with it do; null for none
     * @return null when the buffer is closed, or the thread is one too many
     */
    @Nullable
    HeldJob take(@Nullable HeldJob ended) throws InterruptedException {
        HeldJob job;
        boolean low;
        boolean more = false;
        lock.lock();
        try {
            Limiter left = null;
            if (ended != null) {
                places.leave(ended);
                left = ended.limiter();
                more = releaseAll(ended);
            }
            job = awaitNext();
            if (job == null) {
                return null;
            }
            if (left != null && left != job.limiter() && jobs.anyInLines()) { // its place there is free for another one
                notEmpty.signal();
            }
            bytes -= job.size();
            int taken = 1;
            for (HeldJob other : job.others()) {
                bytes -= other.size();
                taken++;
            }
            low = jobs.size() <= lowMark && jobs.size() + taken > lowMark;
            if (places.isCounted() && places.free() > 0) { // more than one may have become free
                notEmpty.signal();
                low |= idleRunners > 0;
            }
        } finally {
            lock.unlock();
        }
        if (low) {
            onLow.run();
        }
        if (more) {
            onMore.run();
        }
        return job;
    }

    private static boolean releaseAll(HeldJob ended) {
        boolean more = releaseLimiter(ended);
        for (HeldJob other : ended.others()) {
            more |= releaseLimiter(other);
        }
        return more;
    }

    private static boolean releaseLimiter(HeldJob ended) {
        Limiter limiter = ended.takeLimiter();
        return limiter != null && limiter.release();
    }

    /** A job has ended, or does not begin yet: another one may start in its place. Once for each job, however often it is called. */
    void leave(HeldJob job) {
        boolean more = false;
        lock.lock();
        try {
            if (job.limiter() != null) {
                more = releaseLimiter(job);
                if (jobs.anyInLines()) {
                    notEmpty.signal();
                }
            }
        } finally {
            lock.unlock();
        }
        if (more) {
            onMore.run();
        }
    }

    /** The places of a job are free, although its handler goes on. */
    void leavePlaces(HeldJob job) {
        lock.lock();
        try {
            places.leave(job);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable HeldJob awaitNext() throws InterruptedException {
        idleRunners++;
        try {
            HeldJob job = isOver() ? null : jobs.next();
            if (job == null && !isOver()) {
                onLow.run();
                job = jobs.next();
            }
            while (job == null && !isOver()) {
                long ready = jobs.untilReady();
                if (ready == Long.MAX_VALUE) {
                    notEmpty.await();
                } else {
                    long unused = notEmpty.awaitNanos(ready);
                }
                job = isOver() ? null : jobs.next();
            }
            if (job == null && !closed) {
                threads--;
                notEmpty.signal(); // what has woken this thread may be meant for another
            }
            return job;
        } finally {
            idleRunners--;
        }
    }

    private boolean isOver() {
        return closed || threads > places.count();
    }

    /** A job that was taken waits again. False if the buffer is closed. */
    boolean putBack(HeldJob job) {
        return putBack(List.of(job));
    }

    /** The same for jobs that were taken together. If it is closed, they stay together. */
    boolean putBack(List<HeldJob> taken) {
        lock.lock();
        try {
            taken.forEach(places::leave);
            if (!add(taken)) {
                return false;
            }
            taken.forEach(job -> job.together(List.of())); // under the lock: nobody can have taken one of them again
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Another number of places. Threads that are too many end when they are idle.
     *
     * @param count of places
     * @return how many threads are missing, and are taken for there from now on
     */
    int scale(int count) {
        lock.lock();
        try {
            if (closed) {
                return 0;
            }
            places.count(count);
            int missing = Math.max(0, count - threads);
            threads += missing;
            notEmpty.signalAll();
            return missing;
        } finally {
            lock.unlock();
        }
    }

    /** Of those that were missing, so many did not come. */
    void notThere(int missing) {
        lock.lock();
        try {
            threads -= missing;
        } finally {
            lock.unlock();
        }
    }

    /** {@return the last jobs beyond so many places, taken out} */
    List<HeldJob> beyond(int most) {
        lock.lock();
        try {
            return out(jobs.removeBeyond(most));
        } finally {
            lock.unlock();
        }
    }

    /** {@return what waits too long, taken out: all, or all but the one for which places are kept} */
    List<HeldJob> emptyBehind() {
        lock.lock();
        try {
            HeldJob large = places.isCounted() ? jobs.large(places.free()) : null;
            return large == null || places.mayPass() ? empty() : out(jobs.removeAllBut(large));
        } finally {
            lock.unlock();
        }
    }

    private List<HeldJob> out(List<HeldJob> removed) {
        removed.forEach(job -> bytes -= job.size());
        return removed;
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

    /** {@return how many jobs wait for a handler and for nothing else} */
    int waiting() {
        lock.lock();
        try {
            return jobs.waiting();
        } finally {
            lock.unlock();
        }
    }

    /** {@return how many jobs of a kind whose jobs come together are here} */
    int of(String kind) {
        lock.lock();
        try {
            return jobs.of(kind);
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

    /** {@return jobs that will not start for a while, taken out} */
    List<HeldJob> removeExhausted() {
        lock.lock();
        try {
            return out(jobs.removeExhausted());
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param buffered places for the jobs that wait for them and for nothing else
     * @param idle places that wait for a job
     * @param bytes of payload that wait, about
     * @param large places for a job that needs more than are free: as long as it is passed, it is not among those buffered
     * @param kept whether places are kept for it, so that none is idle
     * @param gated jobs that wait for a limit, and are not among those buffered
     */
    record Level(int buffered, int idle, long bytes, int large, boolean kept, int limited) {
        Level(int buffered, int idle, long bytes, int limited) {
            this(buffered, idle, bytes, 0, false, limited);
        }
    }

    Level level() {
        lock.lock();
        try {
            int limited = jobs.limited();
            if (!places.isCounted()) {
                return new Level(jobs.free(), idleRunners, bytes, limited);
            }
            int room = Math.min(idleRunners, places.free());
            HeldJob first = jobs.large(room);
            if (first == null) {
                return new Level(jobs.free(), room, bytes, limited);
            }
            int large = places.needs(places.weight(first.job()));
            return places.mayPass()
                    ? new Level(Math.max(0, jobs.free() - large), room, bytes, large, false, limited)
                    : new Level(jobs.free(), 0, bytes, large, true, limited);
        } finally {
            lock.unlock();
        }
    }
}
