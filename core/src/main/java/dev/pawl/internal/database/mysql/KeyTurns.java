package dev.pawl.internal.database.mysql;

import dev.pawl.api.JobRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the threads of this process insert a unique key one after the other. On the server they would deadlock: if
 * several of them find the entry of a job that was deleted a moment ago, or wait for a transaction that then rolls
 * back, all get a shared lock on the gap, and none of them may insert into it. Other processes are not kept out; there
 * are few of them compared with threads.
 */
final class KeyTurns {
    /**
     * No longer, because the thread that has the turn may be waiting for an open transaction, perhaps even for one of a
     * thread that waits here.
     */
    private static final long PATIENCE_SECONDS = 1;

    private final ReentrantLock[] locks = new ReentrantLock[256];

    KeyTurns() {
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** Whether this thread may insert, and whether others had the turn meanwhile. */
    static final class Turn implements AutoCloseable {
        private final ReentrantLock lock;
        private final boolean waited;

        private Turn(ReentrantLock lock) {
            this.lock = lock;
            this.waited = !lock.tryLock();
            if (waited) {
                await();
            }
        }

        private void await() {
            try {
                boolean unused = lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // goes on without; the caller's statements tell what becomes of it
            }
        }

        /** {@return whether others had the turn meanwhile} */
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

    /** {@return the turn of the calling thread, taken after at most a second; to be closed by it} */
    Turn take(JobRequest job) {
        int hash = 31 * job.kind().hashCode()
                + String.valueOf(job.options().uniqueKey()).hashCode();
        return new Turn(locks[Math.floorMod(hash, locks.length)]);
    }
}
