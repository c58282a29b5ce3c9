package dev.pawl.internal.engine;

import dev.pawl.internal.wake.WakeHub;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * What the fetcher waits on. News of jobs and of free handlers are kept apart: a free handler is no reason to look into
 * a queue that was just found empty. Thread-safe.
 */
final class FetchSignal implements WakeHub.Sleeper {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Predicate<String> wanted;
    private boolean news;
    private boolean expecting;
    private boolean room;
    private boolean roused;
    private volatile long toldNanos = System.nanoTime();
    private volatile long expectedNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);
    private boolean closed;

    /**
     * @param wanted of which queues news count
     */
    FetchSignal(Predicate<String> wanted) {
        this.wanted = wanted;
    }

    @Override
    public void wake(String queue) {
        if (wanted.test(queue)) {
            set(() -> {
                news = true;
                toldNanos = System.nanoTime();
            });
        }
    }

    @Override
    public void expect(String queue) {
        if (queue.equals(WakeHub.ANYTHING)) {
            set(() -> {
                roused = true;
                toldNanos = System.nanoTime();
                expectedNanos = toldNanos;
            });
        } else if (wanted.test(queue)) {
            set(() -> {
                expecting = true;
                toldNanos = System.nanoTime();
                expectedNanos = toldNanos;
            });
        }
    }

    /** A worker that is awake goes on as before, but looks at everything once more before it sleeps. */
    @Override
    public void rouse() {
        set(() -> {
            roused = true;
            toldNanos = System.nanoTime();
        });
    }

    /** {@return when it was told anything last, whether or not somebody waited for it} */
    long toldNanos() {
        return toldNanos;
    }

    /** {@return for how long no transaction has been expected to commit soon} */
    long notExpectedFor() {
        return System.nanoTime() - expectedNanos;
    }

    /** Somebody wants to know whether there are jobs. */
    void look() {
        set(() -> news = true);
    }

    /** A handler is free or the buffer is low. */
    void room() {
        set(() -> room = true);
    }

    /** Ends all waiting. */
    void close() {
        set(() -> closed = true);
    }

    private void set(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What ended a wait for jobs. */
    enum News {
        /** Jobs were committed. */
        JOBS,
        /** A transaction with jobs is open in this process. */
        EXPECTED,
        /** Nothing; the time is over. */
        NONE
    }

    /** Waits for news of jobs. */
    News awaitJobs(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (!news && !expecting && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            News ended = news ? News.JOBS : expecting ? News.EXPECTED : News.NONE;
            news = false;
            expecting = false;
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for news, or whatever else may be of interest to a worker that sleeps. */
    void awaitAnything(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (!news && !expecting && !roused && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            news = false;
            expecting = false;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is room for more jobs, but no longer than given. */
    void awaitRoom(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (!room && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            room = false;
        } finally {
            lock.unlock();
        }
    }

    /** Only waits, unless it is closed. */
    void pause(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Forgets room and news from before a claim: the claim will see them. */
    void clear() {
        lock.lock();
        try {
            news = false;
            room = false;
            roused = false;
        } finally {
            lock.unlock();
        }
    }
}
