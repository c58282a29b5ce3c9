package dev.pawl.internal.database.mysql;

import dev.pawl.api.JobRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Serializes the threads of this process that insert the same unique key, because they would deadlock on the server. If several of them
 * find the entry of a job that was just deleted, or wait for a transaction that then rolls back, all get a shared lock on the gap, and none
 * of them can insert into it. Other processes are not excluded; there are few of them compared with threads.
 */
final class UniqueKeyLocks {
    /**
     * The wait is limited, because the thread that has the lock may be waiting for an open transaction, even for the transaction of a
     * thread that waits here.
     */
    private static final long WAIT_SECONDS = 1;

    private final ReentrantLock[] locks = new ReentrantLock[256];

    UniqueKeyLocks() {
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** The lock of one thread on a key. The thread inserts even if its wait for the lock has timed out. */
    static final class KeyLock implements AutoCloseable {
        private final ReentrantLock lock;
        private final boolean waited;

        private KeyLock(ReentrantLock lock) {
            this.lock = lock;
            this.waited = !lock.tryLock();
            if (waited) {
                await();
            }
        }

        private void await() {
            try {
                boolean unused = lock.tryLock(WAIT_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread()
                        .interrupt(); // continues without the lock; the caller's statements handle the interrupt
            }
        }

        /** {@return whether another thread had the lock when this thread asked for it} */
        boolean waited() {
            return waited;
        }

        @Override
        public void close() {
            if (lock.isHeldByCurrentThread()) {
                lock.unlock();
            }
        }
    }

    /** {@return the lock of the calling thread, after at most a second; the thread must close it} */
    KeyLock acquire(JobRequest job) {
        int hash = 31 * job.kind().hashCode()
                + String.valueOf(job.options().uniqueKey()).hashCode();
        return new KeyLock(locks[Math.floorMod(hash, locks.length)]);
    }
}
