package dev.pawl.internal.store;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that a try block releases: {@code lock.lock(); try (lock) { … }}. A monitor would not do, because a virtual thread that waits for
 * a monitor keeps its carrier.
 */
public final class Mutex extends ReentrantLock implements AutoCloseable {
    private static final long serialVersionUID = 1L;

    /** Releases the lock. */
    @Override
    public void close() {
        unlock();
    }
}
