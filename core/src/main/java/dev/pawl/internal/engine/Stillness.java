package dev.pawl.internal.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the parts of a worker from asking the database while it sleeps. It begins only when none of them is at it.
 * Thread-safe.
 */
final class Stillness {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    private int atWork;
    private int disturbers;
    private boolean still;
    private boolean ended;

    /** {@return whether the caller may ask the database now; if so, it has to {@link #leave} afterwards} */
    boolean enter() {
        lock.lock();
        try {
            if (still) {
                return false;
            }
            atWork++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The same for a thread that has nothing else to do: it waits until it may. */
    void enterLater() {
        lock.lock();
        try {
            while (still) {
                over.awaitUninterruptibly();
            }
            atWork++;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            atWork--;
        } finally {
            lock.unlock();
        }
    }

    /** Somebody waits for what the worker does: it must not sleep. */
    void disturb() {
        lock.lock();
        try {
            disturbers++;
        } finally {
            lock.unlock();
        }
    }

    void disturbNoMore() {
        lock.lock();
        try {
            disturbers--;
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether nobody is at work, so that nobody will be until {@link #end}} */
    boolean begin() {
        lock.lock();
        try {
            still = atWork == 0 && disturbers == 0 && !ended;
            return still;
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            still = false;
            over.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The worker stops, and does not sleep any more. */
    void endForGood() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
        end();
    }
}
