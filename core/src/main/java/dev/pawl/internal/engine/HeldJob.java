package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.internal.store.ClaimedJob;
import dev.pawl.internal.store.Lease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A job that this worker holds, from the claim until its outcome is recorded or its lease is lost. Thread-safe: guarded
 * by itself. The only clock here is {@link System#nanoTime}: it tells how long the lease surely lasts, counted from
 * before the claim or renewal was sent.
 */
final class HeldJob {
    /** Why a running handler is to end before it is done. */
    enum Stop {
        /** The lease ran out or was taken. */
        LEASE_LOST,
        /** A person cancelled the job. */
        CANCELLED,
        /** The handler's timeout has passed. */
        TIMED_OUT,
        /** The worker stops and its grace time is over. */
        WORKER_STOPS
    }

    private final ClaimedJob claimed;
    private final Duration lease;
    private long leaseEndNanos;
    private long renewedNanos;
    private @Nullable Thread thread;
    private @Nullable Stop stop;
    private long timeoutNanos = Long.MAX_VALUE;
    private boolean inTransaction;
    private boolean committed;
    private @Nullable Integer progress;

    HeldJob(ClaimedJob claimed, long claimSentNanos, Duration lease) {
        this.claimed = claimed;
        this.lease = lease;
        this.renewedNanos = claimSentNanos;
        this.leaseEndNanos = claimSentNanos + lease.toNanos();
    }

    Job job() {
        return claimed.job();
    }

    Lease lease() {
        return claimed.lease();
    }

    Duration leaseLength() {
        return lease;
    }

    /** The handler is about to be called by this thread; false if the lease may be over already. */
    synchronized boolean begin(Thread runner, @Nullable Duration timeout) {
        long now = System.nanoTime();
        if (stop != null || now - leaseEndNanos >= 0) {
            return false;
        }
        thread = runner;
        timeoutNanos = timeout == null ? Long.MAX_VALUE : now + timeout.toNanos();
        return true;
    }

    /** The handler has returned; from here on nobody interrupts the thread for this job. */
    synchronized void end() {
        thread = null;
    }

    /**
     * Interrupts the handler, unless it was told before. Before it began, it never will. While its transaction is open
     * the lease cannot be lost: the row is locked, and a renewal that finds it gone has seen that transaction's own
     * commit a moment before we do.
     */
    synchronized void stop(Stop why) {
        boolean ownCommitSeen = why == Stop.LEASE_LOST && inTransaction;
        if (stop == null && !committed && !ownCommitSeen) {
            stop = why;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    synchronized @Nullable Stop stopped() {
        return stop;
    }

    /** The database has extended the lease, as asked for at the given moment. */
    synchronized void renewed(long sentNanos) {
        renewedNanos = sentNanos;
        leaseEndNanos = sentNanos + lease.toNanos();
    }

    /** A renewal is due when a quarter of the lease has gone, or there is progress to write. */
    synchronized boolean wantsRenewal(long now) {
        return !inTransaction
                && stop != Stop.LEASE_LOST
                && (progress != null || now - renewedNanos >= lease.toNanos() / 4);
    }

    /** A job that is locked by its handler's transaction cannot be rescued, so its lease does not run out. */
    synchronized boolean isOver(long now) {
        return !inTransaction && !committed && now - leaseEndNanos >= 0;
    }

    synchronized boolean isTimedOut(long now) {
        return thread != null && timeoutNanos != Long.MAX_VALUE && now - timeoutNanos >= 0;
    }

    synchronized @Nullable Duration timeLeft() {
        return timeoutNanos == Long.MAX_VALUE ? null : Duration.ofNanos(Math.max(0, timeoutNanos - System.nanoTime()));
    }

    synchronized void transaction(boolean open) {
        inTransaction = open;
    }

    synchronized void commit() {
        committed = true;
    }

    synchronized boolean isCommitted() {
        return committed;
    }

    synchronized void progress(int percent) {
        progress = percent;
    }

    /** Takes the progress that is not written yet. */
    synchronized @Nullable Integer takeProgress() {
        Integer taken = progress;
        progress = null;
        return taken;
    }
}
