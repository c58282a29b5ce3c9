package dev.pawl.internal.key;

import dev.pawl.internal.store.JobKey;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases many keys in two parallel halves, because a release mostly waits for the database. The second thread ends after ten seconds
 * without work. Confined to one thread.
 */
final class ParallelRelease {
    private static final Logger LOG = LoggerFactory.getLogger(ParallelRelease.class);
    /** Fewer keys are released in one transaction. */
    private static final int MIN_PARALLEL_KEYS = 16;

    private final ThreadPoolExecutor second = new ThreadPoolExecutor(
            0,
            1,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            ParallelRelease::thread,
            new ThreadPoolExecutor.CallerRunsPolicy());

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "pawl-keys-2");
        thread.setDaemon(true);
        return thread;
    }

    /** Releases some keys. */
    interface Release {
        /**
         * @param together how many releases run in parallel
         */
        void release(List<JobKey> keys, int together) throws SQLException;
    }

    /** Ends the second thread when it is idle. */
    void end() {
        second.shutdown();
    }

    /** Returns when both halves are released. */
    void release(List<JobKey> keys, Release one) throws SQLException {
        if (keys.size() < MIN_PARALLEL_KEYS) {
            one.release(keys, 1);
            return;
        }
        int half = keys.size() / 2;
        FutureTask<Boolean> other = new FutureTask<>(() -> {
            one.release(keys.subList(half, keys.size()), 2);
            return true;
        });
        try {
            second.execute(other);
        } catch (Error e) { // the system has no more threads
            LOG.debug("keys are released one after the other", e);
            other.run();
        }
        try {
            one.release(keys.subList(0, half), 2);
        } finally {
            await(other);
        }
    }

    /** Waits despite interrupts, because the other half's keys are locked for all workers until its release has ended. */
    private static void await(FutureTask<Boolean> other) throws SQLException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    boolean unused = other.get();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException sql) {
                throw sql;
            } else if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            } else if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
