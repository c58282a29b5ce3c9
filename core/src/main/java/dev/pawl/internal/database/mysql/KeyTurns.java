package dev.pawl.internal.database.mysql;

import dev.pawl.JobRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the threads of this process insert a unique key one after the other. In the index of the server they would deadlock:
 * several that find the entry of a job that was deleted a moment ago, or that wait for a transaction which then rolls back,
 * all get a shared lock of the gap, and none of them may insert into it. Other processes are not kept out; there are few of
 * them beside the threads of each.
 */
final class KeyTurns {
    /** So long only, because who has the turn may be waiting for an open transaction, even for one of who waits here. */
    private static final long PATIENCE_SECONDS = 1;

    private final ReentrantLock[] locks = new ReentrantLock[256];

    KeyTurns() {
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** The right to insert, or not; others have inserted the key meanwhile, or not. */
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
