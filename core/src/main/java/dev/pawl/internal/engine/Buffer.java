package dev.pawl.internal.engine;

import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.Admission.Limiter;
import dev.pawl.internal.store.Mutex;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Claimed jobs between the fetcher and the runners. Also counts idle handlers, because both numbers together decide how many jobs to claim.
 * Thread-safe.
 */
final class Buffer implements SharedCapacity.Waiter {
    private final Mutex lock;
    private final Condition notEmpty;
    private final WaitingJobs jobs;
    private final Capacity capacity;
    private final SharedCapacity.@Nullable Member shared;
    private final Runnable onLow;
    private final Runnable onMore;
    /** The number of runner threads. A thread that finds it larger than the capacity ends. */
    private int threads;

    private int idleRunners;
    private int lowMark;
    private long bytes;
    private boolean closed;

    /**
     * @param onLow called when few jobs are left and more should be claimed
     * @param onMore called when limits allow more claims than before
     * @param admission whose limiters jobs must acquire to start
     * @param capacity of the worker; each unit has a thread
     */
    Buffer(Runnable onLow, Runnable onMore, Admission admission, Capacity capacity) {
        this.lock = admission.lock();
        this.notEmpty = lock.newCondition();
        this.onLow = onLow;
        this.onMore = onMore;
        this.jobs = new WaitingJobs(admission, capacity);
        this.capacity = capacity;
        this.threads = capacity.count();
        this.shared = capacity.shared();
        if (shared != null) {
            shared.serves(this);
        }
    }

    /** {@return whether the last call to the database succeeded, and in time; true if no other worker uses the same capacity} */
    boolean isTrusted() {
        return shared == null || shared.isTrusted();
    }

    /** Reports whether the database has answered or failed. */
    void database(boolean answers) {
        if (shared != null && (!answers || !shared.isTrusted())) {
            lock.lock();
            try (lock) {
                if (answers) {
                    shared.answered();
                } else {
                    shared.failed();
                }
            }
        }
    }

    /** Reports that the database has logged starts. */
    void onStartsLogged() {
        if (shared != null) {
            lock.lock();
            try (lock) {
                shared.onStartsLogged();
            }
        }
    }

    @Override
    public boolean waits() {
        return idleRunners > 0 && !closed && jobs.waiting() > 0;
    }

    @Override
    public void jobMayStart() {
        notEmpty.signal();
    }

    @Override
    public void mayClaim() {
        onLow.run();
    }

    @Override
    public void returnCapacity(HeldJob job) {
        capacity.release(job);
    }

    /** Offers shared capacity to other workers, because a job that waited for it may be gone. */
    private void pass() {
        if (shared != null) {
            shared.pass();
        }
    }

    /** {@return false if the buffer is closed; then nothing was added} */
    boolean add(Collection<HeldJob> claimed) {
        lock.lock();
        try (lock) {
            if (closed) {
                return false;
            }
            jobs.addAll(claimed);
            if (shared != null && !claimed.isEmpty()) {
                shared.jobsCame();
            }
            claimed.forEach(job -> bytes += job.size());
            lowMark = jobs.size() / 2;
            if (claimed.size() == 1) {
                notEmpty.signal(); // the other idle handlers would wake up for nothing, and delay this one
            } else if (!claimed.isEmpty()) {
                notEmpty.signalAll();
            }
            return true;
        }
    }

    /**
     * Waits for a job or chunk that may start, and acquires its limiters. The limiters of the previous jobs are released in the same call,
     * because quick jobs would otherwise take the lock twice.
     *
     * @param ended the previous jobs of the thread, whose capacity and limiters are released
     * @return empty if the buffer is closed or there are more threads than capacity
     */
    List<HeldJob> take(List<HeldJob> ended) throws InterruptedException {
        List<HeldJob> taken;
        boolean low;
        boolean more = false;
        lock.lock();
        try (lock) {
            Limiter left = ended.isEmpty() ? null : ended.get(0).limiter();
            for (HeldJob job : ended) {
                capacity.leave(job);
                more |= releaseLimiter(job);
            }
            taken = awaitNext();
            if (taken.isEmpty()) {
                return taken;
            }
            if (shared != null && (!shared.isTrusted() || HeldJobs.any(taken, job -> !job.isStartLogged()))) {
                waitsForLog(taken.get(0));
            }
            if (left != null
                    && left != taken.get(0).limiter()
                    && jobs.anyInGroups()) { // another group's job can use the freed permit
                notEmpty.signal();
            }
            for (HeldJob job : taken) {
                bytes -= job.size();
            }
            low = jobs.size() <= lowMark && jobs.size() + taken.size() > lowMark;
            if (capacity.isCounted() && capacity.free() > 0) { // may have freed more than one unit
                notEmpty.signal();
                low |= idleRunners > 0;
            }
        }
        if (low) {
            onLow.run();
        }
        if (more) {
            onMore.run();
        }
        return taken;
    }

    private static boolean releaseLimiter(HeldJob ended) {
        Limiter limiter = ended.takeLimiter();
        return limiter != null && limiter.release();
    }

    /** Releases the limiter of a job that has finished or does not start yet, so that another one can start. Idempotent. */
    void leave(HeldJob job) {
        boolean more = false;
        lock.lock();
        try (lock) {
            if (job.limiter() != null) {
                more = releaseLimiter(job);
                if (jobs.anyInGroups()) {
                    notEmpty.signal();
                }
            }
        }
        if (more) {
            onMore.run();
        }
    }

    /** Frees the shared capacity of jobs whose handler does not run, or has ended, although their outcomes are not recorded yet. */
    void handlerEnded(List<HeldJob> ended) {
        if (shared != null) {
            lock.lock();
            try (lock) {
                ended.forEach(capacity::leave);
                if (jobs.waiting() > 0) {
                    notEmpty.signal();
                }
            }
        }
    }

    /** Lets other workers get the capacity of a taken job until the job's thread calls {@link #hasCapacity}. Idempotent. */
    void waitsForLog(HeldJob first) {
        if (shared != null) {
            lock.lock();
            try (lock) {
                first.mayLoseCapacity();
                shared.beginLogging(first);
            }
        }
    }

    /** {@return whether jobs whose start is logged have capacity; other workers may have got it in the meantime} */
    boolean hasCapacity(List<HeldJob> logged) {
        HeldJob first = logged.get(0);
        if (shared == null || !first.couldLoseCapacity()) {
            return true;
        }
        lock.lock();
        try (lock) {
            shared.endLogging(first);
            if (first.usedCapacity() == 0 && shared.isTrusted() && capacity.free() > 0) {
                capacity.take(first, 1);
            }
            return first.usedCapacity() > 0;
        }
    }

    /** Releases the capacity of a job although its handler is still running. */
    void releaseCapacity(HeldJob job) {
        lock.lock();
        try (lock) {
            capacity.leave(job);
        }
    }

    private List<HeldJob> awaitNext() throws InterruptedException {
        idleRunners++;
        try {
            List<HeldJob> next = isFinished() ? List.of() : jobs.next();
            if (next.isEmpty() && !isFinished()) {
                onLow.run();
                next = jobs.next();
            }
            while (next.isEmpty() && !isFinished()) {
                long ready = Math.min(jobs.untilReady(), untilCapacity());
                if (ready == Long.MAX_VALUE) {
                    notEmpty.await();
                } else {
                    long unused = notEmpty.awaitNanos(ready);
                }
                next = isFinished() ? List.of() : jobs.next();
            }
            if (next.isEmpty() && !closed) {
                threads--;
                notEmpty.signal(); // the wake-up may have been meant for another thread
            }
            return next;
        } finally {
            idleRunners--;
        }
    }

    private long untilCapacity() {
        return shared == null || jobs.waiting() == 0 ? Long.MAX_VALUE : shared.untilCapacity();
    }

    private boolean isFinished() {
        return closed || threads > capacity.count();
    }

    /** Puts taken jobs back. False if the buffer is closed. */
    boolean putBack(List<HeldJob> taken) {
        lock.lock();
        try (lock) {
            taken.forEach(capacity::leave);
            return add(taken);
        }
    }

    /**
     * Changes the capacity. Surplus threads end when they become idle.
     *
     * @param count the new capacity
     * @return how many threads the caller must start; they count as started from now on
     */
    int scale(int count) {
        lock.lock();
        try (lock) {
            if (closed) {
                return 0;
            }
            capacity.count(count);
            int missing = Math.max(0, count - threads);
            threads += missing;
            notEmpty.signalAll();
            return missing;
        }
    }

    /** Reports that some of the missing threads could not be started. */
    void notStarted(int missing) {
        lock.lock();
        try (lock) {
            threads -= missing;
        }
    }

    /** {@return the last jobs that exceed this capacity, removed} */
    List<HeldJob> beyond(int most) {
        lock.lock();
        try (lock) {
            return out(jobs.removeBeyond(most));
        }
    }

    /** Removes and returns all jobs except the one for which capacity is reserved, if any. Called when jobs have waited too long. */
    List<HeldJob> emptyBehind() {
        lock.lock();
        try (lock) {
            HeldJob large = capacity.isCounted() ? jobs.large(capacity.free()) : null;
            return large == null || capacity.mayPass() ? empty() : out(jobs.removeAllBut(large));
        }
    }

    private List<HeldJob> out(List<HeldJob> removed) {
        removed.forEach(job -> bytes -= job.size());
        pass();
        return removed;
    }

    /** {@return the next jobs to be taken, not removed} */
    List<HeldJob> next(int most) {
        lock.lock();
        try (lock) {
            return jobs.first(most);
        }
    }

    /** {@return all jobs, removed} */
    List<HeldJob> empty() {
        lock.lock();
        try (lock) {
            bytes = 0;
            List<HeldJob> all = jobs.removeAll();
            pass();
            return all;
        }
    }

    /** Closes the buffer, ends all waits and returns the jobs that have not started. */
    List<HeldJob> close() {
        lock.lock();
        try (lock) {
            closed = true;
            notEmpty.signalAll();
            if (shared != null) {
                shared.quit();
            }
            return empty();
        }
    }

    /** {@return how many jobs wait for a handler only} */
    int waiting() {
        lock.lock();
        try (lock) {
            return jobs.waiting();
        }
    }

    /** {@return how many jobs of a chunked kind are buffered} */
    int of(String kind) {
        lock.lock();
        try (lock) {
            return jobs.of(kind);
        }
    }

    boolean isClosed() {
        lock.lock();
        try (lock) {
            return closed;
        }
    }

    /** Removes a job whose lease is lost; false if it is not buffered. */
    boolean drop(HeldJob job) {
        lock.lock();
        try (lock) {
            boolean removed = jobs.remove(job);
            bytes -= removed ? job.size() : 0;
            pass();
            return removed;
        }
    }

    /** Limits have changed: jobs may be able to start, or belong to other groups. */
    void limitsChanged() {
        lock.lock();
        try (lock) {
            jobs.sortAgain();
            notEmpty.signalAll();
        }
    }

    /** {@return jobs that cannot start for a while because of a limit, removed} */
    List<HeldJob> removeExhausted() {
        lock.lock();
        try (lock) {
            return out(jobs.removeExhausted());
        }
    }

    /**
     * @param buffered capacity needed by the jobs that wait only for a handler
     * @param idle capacity that waits for a job
     * @param bytes approximate size of the waiting payloads in bytes
     * @param large capacity for a job that needs more than is free; not part of {@code buffered} while others may overtake it
     * @param kept whether capacity is reserved for the job that needs more, so that no capacity is idle
     * @param limited jobs that wait for a limit, not part of {@code buffered}
     */
    record Level(int buffered, int idle, long bytes, int large, boolean kept, int limited) {
        Level(int buffered, int idle, long bytes, int limited) {
            this(buffered, idle, bytes, 0, false, limited);
        }
    }

    /**
     * {@return the level at the start of a round of claims; call {@link #roundEnded} after the round} It may count
     * capacity that is reserved for this worker.
     */
    Level levelOfRound() {
        lock.lock();
        try (lock) {
            Level level = level();
            if (shared != null) {
                boolean isFull = level.idle() == 0 && idleRunners > 0;
                boolean anyWait = jobs.waiting() > 0;
                shared.beginRound(isFull && !anyWait);
                if (!isFull && anyWait) {
                    notEmpty.signal(); // a job may have waited for a limit until now
                }
            }
            return level;
        }
    }

    /** Reports that all jobs of a round of claims have been added. */
    void roundEnded() {
        if (shared != null) {
            lock.lock();
            try (lock) {
                shared.endRound();
            }
        }
    }

    Level level() {
        lock.lock();
        try (lock) {
            int limited = jobs.limited();
            if (!capacity.isCounted()) {
                return new Level(jobs.free(), idleRunners, bytes, limited);
            }
            int room = Math.min(idleRunners, capacity.free());
            HeldJob first = jobs.large(room);
            if (first == null) {
                return new Level(jobs.free(), room, bytes, limited);
            }
            int large = capacity.needs(capacity.weight(first.job()));
            return capacity.mayPass()
                    ? new Level(Math.max(0, jobs.free() - large), room, bytes, large, false, limited)
                    : new Level(jobs.free(), 0, bytes, large, true, limited);
        }
    }
}
