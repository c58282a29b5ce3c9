package dev.pawl.internal.batch;

import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.settle.HookBusy;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Retries for a limited time while another transaction has a batch's row locked. Usually the lock lasts only until a commit. But a caller
 * that seals a batch in its own transaction may hold the row, and the counts of its parent batches, for an unlimited time. Retries instead
 * of waiting for the lock in the server, because such a wait could not be abandoned, and the server would not detect a deadlock that
 * includes a wait in the caller's program. Thread-safe.
 */
final class LockRetry {
    /**
     * How long calls try only once after a call has used up all its tries. Otherwise each of thousands of jobs to be recorded could wait
     * for the lock again.
     */
    private static final long SINGLE_TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int MAX_REMEMBERED = 1_000;

    private final Map<Long, Long> failedNanos = new ConcurrentHashMap<>();

    /**
     * Locks, without waiting.
     *
     * @param <T> what was locked
     */
    @FunctionalInterface
    interface Attempt<T> {
        /** {@return the locked value; null if another transaction has locked it} */
        @Nullable
        T lock() throws SQLException;
    }

    /**
     * {@return the exception for a batch while another transaction is sealing it or one of its inner batches, or adds jobs to it although it
     * is stopped; that may take long}
     */
    static HookBusy busy(long batch) {
        return new HookBusy("another transaction is sealing batch " + batch
                + ", or one that is part of it, or adds jobs to it: its jobs are recorded after that");
    }

    /**
     * @param batch whose row is locked
     * @return the locked value
     * @throws HookBusy if another transaction has held the lock for a tenth of a second
     */
    <T> T lock(long batch, Attempt<T> attempt) throws SQLException {
        Long failed = failedNanos.get(batch);
        int most = failed != null && System.nanoTime() - failed < SINGLE_TRY_NANOS ? 1 : Retry.LOCKED_BATCH.tries();
        for (int tries = 1; ; tries++) {
            T locked = attempt.lock();
            if (locked != null) {
                if (failed != null) {
                    failedNanos.remove(batch);
                }
                return locked;
            }
            if (tries >= most || !Retry.LOCKED_BATCH.pause(tries)) {
                if (most > 1) {
                    remember(batch);
                }
                throw busy(batch);
            }
        }
    }

    private void remember(long batch) {
        if (failedNanos.size() >= MAX_REMEMBERED) {
            failedNanos.clear();
        }
        failedNanos.put(batch, System.nanoTime());
    }
}
