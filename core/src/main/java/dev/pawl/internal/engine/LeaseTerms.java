package dev.pawl.internal.engine;

import java.time.Duration;

/**
 * Everything that follows from how long a lease is.
 *
 * @param length of the lease
 */
record LeaseTerms(Duration length) {
    /** A busy server may need this long. */
    static final Duration SHORTEST_CALL = Duration.ofSeconds(1);

    private static final Duration LONGEST_LOOK = Duration.ofMillis(250);

    /** {@return until when a lease requested at the given moment certainly lasts} */
    long endOf(long sentNanos) {
        return sentNanos + length.toNanos();
    }

    /**
     * {@return whether it is time to renew: a quarter of the lease is over, so three tries may fail before the lease
     * does}
     */
    boolean isRenewalDue(long sinceNanos) {
        return sinceNanos >= length.toNanos() / 4;
    }

    /** {@return whether a row has been missing for so long that no commit of its own transaction can explain it} */
    boolean isOverdue(long sinceNanos) {
        return sinceNanos >= length.toNanos();
    }

    /** {@return whether the database has been away for so long that a transaction that was open then is dead} */
    boolean isTransactionDead(long sinceNanos) {
        return sinceNanos >= 2 * length.toNanos();
    }

    /** {@return until when a job may go on whose row was locked at the given moment: long enough for several looks} */
    long momentFrom(long sentNanos) {
        return sentNanos + length.toNanos() / 2;
    }

    /** {@return how long a call may take that starts wait for: a quarter of the lease, but at least a second} */
    Duration longestCall() {
        Duration quarter = length.dividedBy(4);
        return quarter.compareTo(SHORTEST_CALL) < 0 ? SHORTEST_CALL : quarter;
    }

    /** {@return how often the leases of a worker are checked} */
    Duration look() {
        Duration eighth = length.dividedBy(8);
        return eighth.compareTo(LONGEST_LOOK) < 0 ? eighth : LONGEST_LOOK;
    }
}
