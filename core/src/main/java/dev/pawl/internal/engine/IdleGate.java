package dev.pawl.internal.engine;

import dev.pawl.internal.store.Mutex;
import java.util.concurrent.locks.Condition;

/** Blocks database access while the worker is suspended; suspension starts only when no thread is using the database. Thread-safe. */
final class IdleGate {
    private final Mutex lock = new Mutex();
    private final Condition opened = lock.newCondition();
    private int inside;
    private int awakeRequests;
    private boolean closed;
    private boolean disabled;

    /** {@return whether the caller may access the database now; if so, it must call {@link #leave} afterwards} */
    boolean enter() {
        lock.lock();
        try (lock) {
            if (closed) {
                return false;
            }
            inside++;
            return true;
        }
    }

    /** Waits until the caller may access the database; for threads that have nothing else to do. */
    void enterWhenOpen() {
        lock.lock();
        try (lock) {
            while (closed) {
                opened.awaitUninterruptibly();
            }
            inside++;
        }
    }

    void leave() {
        lock.lock();
        try (lock) {
            inside--;
        }
    }

    /** Prevents suspension until {@link #allowSuspend}, because a caller waits for the worker's results. */
    void keepAwake() {
        lock.lock();
        try (lock) {
            awakeRequests++;
        }
    }

    void allowSuspend() {
        lock.lock();
        try (lock) {
            awakeRequests--;
        }
    }

    /** {@return whether the gate is closed: no thread is inside, and none enters until {@link #open}} */
    boolean close() {
        lock.lock();
        try (lock) {
            closed = inside == 0 && awakeRequests == 0 && !disabled;
            return closed;
        }
    }

    void open() {
        lock.lock();
        try (lock) {
            closed = false;
            opened.signalAll();
        }
    }

    /** The worker stops: the gate stays open. */
    void disable() {
        lock.lock();
        try (lock) {
            disabled = true;
        }
        open();
    }
}
