package dev.pawl.internal.engine;

import dev.pawl.internal.store.Mutex;
import dev.pawl.internal.wake.WakeHub;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Predicate;

/**
 * The signal on which the fetcher waits. Distinguishes notifications of jobs from those of free handlers, because a free handler is no
 * reason to poll a queue that was just found empty. Thread-safe.
 */
final class FetchSignal implements WakeHub.Sleeper {
    private final Mutex lock = new Mutex();
    private final Condition changed = lock.newCondition();
    private final Predicate<String> wanted;
    private boolean news;
    private boolean expecting;
    private boolean capacityFreed;
    private boolean checkRequested;
    private volatile long notifiedNanos = System.nanoTime();
    /** The time of the last notification that is about jobs in the database. */
    private volatile long newsNanos = System.nanoTime();

    private volatile long expectedNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);
    private boolean closed;

    /**
     * @param wanted accepts the queues whose notifications count
     */
    FetchSignal(Predicate<String> wanted) {
        this.wanted = wanted;
    }

    @Override
    public void wake(String queue) {
        if (wanted.test(queue)) {
            set(() -> {
                news = true;
                notifiedNanos = System.nanoTime();
                newsNanos = notifiedNanos;
            });
        }
    }

    @Override
    public void expect(String queue) {
        if (queue.equals(WakeHub.ANYTHING)) {
            set(() -> {
                checkRequested = true;
                notifiedNanos = System.nanoTime();
                newsNanos = notifiedNanos;
                expectedNanos = notifiedNanos;
            });
        } else if (wanted.test(queue)) {
            set(() -> {
                expecting = true;
                notifiedNanos = System.nanoTime();
                newsNanos = notifiedNanos;
                expectedNanos = notifiedNanos;
            });
        }
    }

    /** Notes the arrival of work that needs no round of claims. */
    void noted() {
        notifiedNanos = System.nanoTime();
    }

    /** Makes a worker that is awake check everything once more before it is suspended. */
    @Override
    public void rouse() {
        set(() -> {
            checkRequested = true;
            notifiedNanos = System.nanoTime();
        });
    }

    /** {@return whether a notification of jobs has arrived after this moment} */
    boolean hasNewsSince(long nanos) {
        return newsNanos - nanos > 0;
    }

    /** {@return the time of the last notification, whether or not a thread waited for it} */
    long notifiedNanos() {
        return notifiedNanos;
    }

    /** {@return the time since a transaction was last expected to commit soon} */
    long notExpectedFor() {
        return System.nanoTime() - expectedNanos;
    }

    /** Requests a round of claims. */
    void poll() {
        set(() -> news = true);
    }

    /** Notifies the fetcher that a handler is free or the buffer is low. */
    void capacityFreed() {
        set(() -> capacityFreed = true);
    }

    /** Ends all waits. */
    void close() {
        set(() -> closed = true);
    }

    private void set(Runnable change) {
        lock.lock();
        try (lock) {
            change.run();
            changed.signalAll();
        }
    }

    /** Why a wait for jobs ended. */
    enum News {
        /** Jobs were committed. */
        JOBS,
        /** A transaction with jobs is open in this process. */
        EXPECTED,
        /** The time limit was reached. */
        NONE
    }

    /** Waits for notifications of jobs. */
    News awaitJobs(long nanos) throws InterruptedException {
        lock.lock();
        try (lock) {
            long left = nanos;
            while (!news && !expecting && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            News ended = news ? News.JOBS : expecting ? News.EXPECTED : News.NONE;
            news = false;
            expecting = false;
            return ended;
        }
    }

    /** Waits for any notification that resumes a suspended worker. */
    void awaitAnything(long nanos) throws InterruptedException {
        lock.lock();
        try (lock) {
            long left = nanos;
            while (!news && !expecting && !checkRequested && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            news = false;
            expecting = false;
        }
    }

    /** Waits for free capacity. */
    void awaitCapacity(long nanos) throws InterruptedException {
        lock.lock();
        try (lock) {
            long left = nanos;
            while (!capacityFreed && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            capacityFreed = false;
        }
    }

    /** Waits until the time limit, or until it is closed. */
    void pause(long nanos) throws InterruptedException {
        lock.lock();
        try (lock) {
            long left = nanos;
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        }
    }

    /** Forgets notifications from before a claim, because the claim covers them. */
    void clear() {
        lock.lock();
        try (lock) {
            news = false;
            capacityFreed = false;
            checkRequested = false;
        }
    }
}
