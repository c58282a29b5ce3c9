package dev.pawl.internal.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the parts of a worker from asking the database while it sleeps. It begins only when none of them is at it.
 * Thread-safe.
 */
final class IdleGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private int inside;
    private int awakeRequests;
    private boolean closed;
    private boolean disabled;

    /** {@return whether the caller may ask the database now; if so, it has to {@link #leave} afterwards} */
    boolean enter() {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            inside++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The same for a thread that has nothing else to do: it waits until it may. */
    void enterWhenOpen() {
        lock.lock();
        try {
            while (closed) {
                opened.awaitUninterruptibly();
            }
            inside++;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            inside--;
        } finally {
            lock.unlock();
        }
    }

    /** Somebody waits for what the worker does: it must not sleep. */
    void keepAwake() {
        lock.lock();
        try {
            awakeRequests++;
        } finally {
            lock.unlock();
        }
    }

    void allowSuspend() {
        lock.lock();
        try {
            awakeRequests--;
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether nobody is at work, so that nobody will be until {@link #end}} */
    boolean close() {
        lock.lock();
        try {
            closed = inside == 0 && awakeRequests == 0 && !disabled;
            return closed;
        } finally {
            lock.unlock();
        }
    }

    void open() {
        lock.lock();
        try {
            closed = false;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The worker stops, and does not sleep any more. */
    void disable() {
        lock.lock();
        try {
            disabled = true;
        } finally {
            lock.unlock();
        }
        open();
    }
}
