package dev.pawl.internal.engine;

import java.time.Duration;

/**
 * Limits that depend on the length of a lease.
 *
 * @param length of the lease
 */
record LeaseTerms(Duration length) {
    /** Shortest timeout of a call: a busy server may need this long. */
    static final Duration SHORTEST_CALL = Duration.ofSeconds(1);

    private static final Duration MAX_CHECK_INTERVAL = Duration.ofMillis(250);

    /** {@return until when a lease requested at the given moment certainly lasts} */
    long endOf(long sentNanos) {
        return sentNanos + length.toNanos();
    }

    /** {@return whether a renewal is due: a quarter of the lease has passed, so three tries may fail before it expires} */
    boolean isRenewalDue(long sinceNanos) {
        return sinceNanos >= length.toNanos() / 4;
    }

    /** {@return whether a row has been missing longer than a commit of its own transaction can explain} */
    boolean isOverdue(long sinceNanos) {
        return sinceNanos >= length.toNanos();
    }

    /** {@return whether the database has been unreachable for so long that a transaction that was open before is dead} */
    boolean isTransactionDead(long sinceNanos) {
        return sinceNanos >= 2 * length.toNanos();
    }

    /** {@return until when a job whose row was locked at the given moment may go on: long enough for several renewals} */
    long momentFrom(long sentNanos) {
        return sentNanos + length.toNanos() / 2;
    }

    /** {@return the timeout of a database call that delays the start of jobs: a quarter of the lease, but at least a second} */
    Duration longestCall() {
        Duration quarter = length.dividedBy(4);
        return quarter.compareTo(SHORTEST_CALL) < 0 ? SHORTEST_CALL : quarter;
    }

    /** {@return how often the leases of a worker are checked} */
    Duration checkInterval() {
        Duration eighth = length.dividedBy(8);
        return eighth.compareTo(MAX_CHECK_INTERVAL) < 0 ? eighth : MAX_CHECK_INTERVAL;
    }
}
