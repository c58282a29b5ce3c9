package dev.pawl.internal.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Blocks database access while the worker is suspended; suspension starts only when no thread is using the database. Thread-safe. */
final class IdleGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private int inside;
    private int awakeRequests;
    private boolean closed;
    private boolean disabled;

    /** {@return whether the caller may access the database now; if so, it must call {@link #leave} afterwards} */
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

    /** Waits until the caller may access the database; for threads that have nothing else to do. */
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

    /** Prevents suspension until {@link #allowSuspend}, because a caller waits for the worker's results. */
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

    /** {@return whether the gate is closed: no thread is inside, and none enters until {@link #open}} */
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

    /** The worker stops: the gate stays open. */
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
