package dev.pawl.internal.engine;

import dev.pawl.internal.store.KeyTurns.JobKey;
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
 * Takes the turns of many keys in two halves at the same time, because a turn mostly waits for the database. The second thread ends after ten
 * seconds without work. Used by one thread.
 */
final class SideBySide {
    private static final Logger LOG = LoggerFactory.getLogger(SideBySide.class);
    /** So few are taken together. */
    private static final int FEW = 16;

    private final ThreadPoolExecutor second = new ThreadPoolExecutor(
            0,
            1,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            SideBySide::thread,
            new ThreadPoolExecutor.CallerRunsPolicy());

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "pawl-keys-2");
        thread.setDaemon(true);
        return thread;
    }

    /** Takes the turns of some keys. */
    interface Turns {
        /** @param together how many do so at the same time */
        void take(List<JobKey> keys, int together) throws SQLException;
    }

    /** There are no more. */
    void end() {
        second.shutdown();
    }

    /** Ends when both have ended. */
    void take(List<JobKey> keys, Turns turns) throws SQLException {
        if (keys.size() < FEW) {
            turns.take(keys, 1);
            return;
        }
        int half = keys.size() / 2;
        FutureTask<Boolean> other = new FutureTask<>(() -> {
            turns.take(keys.subList(half, keys.size()), 2);
            return true;
        });
        try {
            second.execute(other);
        } catch (Error e) { // the system has no thread to give
            LOG.debug("turns are taken one after the other", e);
            other.run();
        }
        try {
            turns.take(keys.subList(0, half), 2);
        } finally {
            await(other);
        }
    }

    /** However often it is interrupted: nobody else takes these turns meanwhile. */
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
