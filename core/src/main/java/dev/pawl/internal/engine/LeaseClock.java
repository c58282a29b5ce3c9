package dev.pawl.internal.engine;

import org.jspecify.annotations.Nullable;

/**
 * How long the lease of a held job certainly lasts, by {@link System#nanoTime}, counted from before the claim or renewal was sent. It takes
 * no other lock. Thread-safe.
 */
final class LeaseClock {
    private final LeaseTerms terms;
    private long endNanos;
    private long requestedNanos;
    private @Nullable Long missingNanos;
    /** The first failed renewal since the last successful one. */
    private @Nullable Long failedNanos;

    private boolean inTransaction;

    /** @param sentNanos the {@link System#nanoTime} before the claim was sent */
    LeaseClock(LeaseTerms terms, long sentNanos) {
        this.terms = terms;
        this.requestedNanos = sentNanos;
        this.endNanos = terms.endOf(sentNanos);
    }

    /** A renewal sent at the given moment has succeeded. */
    synchronized void renewed(long sentNanos) {
        requestedNanos = sentNanos;
        missingNanos = null;
        failedNanos = null;
        endNanos = terms.endOf(sentNanos);
    }

    /**
     * The renewal sent at the given moment found the row locked. While it is locked, no worker can rescue the job, so the run goes on for
     * half a lease, and the next renewal is due at once.
     */
    synchronized void locked(long sentNanos) {
        failedNanos = null;
        long moment = terms.momentFrom(sentNanos);
        if (moment - endNanos > 0) {
            endNanos = moment;
        }
    }

    /** The renewal sent at the given moment failed. */
    synchronized void renewalFailed(long sentNanos) {
        if (failedNanos == null) {
            failedNanos = sentNanos;
        }
    }

    /**
     * Reports that the row is missing or no longer running. If the handler's transaction is open, the reason may be its own commit, which
     * the handler's thread has not noticed yet. That is assumed for at most one lease length.
     *
     * @return whether the lease is lost
     */
    synchronized boolean isMissing(long now) {
        failedNanos = null;
        if (!inTransaction) {
            return true;
        }
        if (missingNanos == null) {
            missingNanos = now;
        }
        return terms.isOverdue(now - missingNanos);
    }

    synchronized boolean isRenewalDue(long now) {
        return terms.isRenewalDue(now - requestedNanos);
    }

    /** {@return whether the lease may be over} */
    synchronized boolean isOver(long now) {
        return now - endNanos >= 0;
    }

    /**
     * {@return whether the lease has expired} A job that its handler's transaction has locked cannot be rescued, so its lease does not
     * expire until the database has been unreachable long enough for the transaction to be dead.
     */
    synchronized boolean hasExpired(long now) {
        return inTransaction ? failedNanos != null && terms.isTransactionDead(now - failedNanos) : isOver(now);
    }

    /** A transaction of the handler has locked the job's row, or has ended. */
    synchronized void transaction(boolean open) {
        inTransaction = open;
        missingNanos = null;
        failedNanos = null;
    }

    synchronized boolean isInTransaction() {
        return inTransaction;
    }
}
