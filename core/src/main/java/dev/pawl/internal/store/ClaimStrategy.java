package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * A way for workers to claim jobs without getting in each other's way. A job is settled, renewed and released by the
 * strategy that claimed it, even if the queue's strategy changes in the meantime. Thread-safe.
 *
 * <p>A {@link Lease} names a run. Whether each has a row of its own or a thousand share one is the strategy's business.
 * {@link #settle}, {@link #renew} and {@link #release} are <em>fenced</em>: they change a job only while it is running
 * under exactly the given lease.
 */
public interface ClaimStrategy {
    /**
     * Leases up to {@code limit} available jobs of one queue, counts the attempt and draws the next token. Smallest
     * priority first, then the longest available. Nothing from a paused queue. Committed on return.
     *
     * @param request what to claim
     * @return in the order in which they are to be run
     * @throws SQLException from the driver; jobs may have been claimed all the same, and are rescued when their leases expire
     */
    List<Grant> claim(ClaimRequest request) throws SQLException;

    /**
     * Records how runs ended, all of them in one transaction. Never waits for a row that somebody else has locked.
     *
     * @param runs claimed by this strategy
     * @return which of them are recorded
     * @throws SQLException from the driver; then none is recorded, or the reply to the commit was lost
     */
    Settled settle(List<Settlement> runs) throws SQLException;

    /**
     * Extends leases, and writes progress. A row that another transaction has locked is neither renewed nor lost.
     *
     * @param leases claimed by this strategy
     * @param length from now, by the database's clock
     * @return what was found
     * @throws SQLException from the driver
     */
    Renewal renew(Collection<LeaseRenewal> leases, Duration length) throws SQLException;

    /**
     * Gives back jobs that did not start: available again at once, the attempt not counted.
     *
     * @param unstarted claimed by this strategy
     * @return those that were given back; others are somebody else's by now, are locked, or were asked to stop
     * @throws SQLException from the driver; some may have been given back all the same
     */
    Set<Lease> release(Collection<Lease> unstarted) throws SQLException;

    /**
     * Makes sure that a run has a row of its own, for what needs one: a transaction that locks it, a run elsewhere,
     * progress. Committed on return. Fenced.
     *
     * @param lease claimed by this strategy
     * @return false if the lease is lost; true need not mean that it is valid
     * @throws SQLException from the driver
     */
    default boolean detach(Lease lease) throws SQLException {
        return true;
    }

    /**
     * Looks again for runs whose rows are not there, or not under their leases: a server may have lost the commit of {@link #detach}.
     *
     * @param missing claimed by this strategy
     * @return those that are valid, and have no rows: {@link #detach} gives them new ones
     * @throws SQLException from the driver
     */
    default Set<Lease> withoutRows(Collection<Lease> missing) throws SQLException {
        return Set.of();
    }

    /** {@return how its jobs are run} */
    RunMode mode();

    /**
     * @param configured as the worker's options have it
     * @return how long this strategy's leases are
     */
    default Duration lease(Duration configured) {
        return configured;
    }

    /**
     * Finishes work that settling postponed. Called about once a second, by one thread.
     *
     * @throws SQLException from the driver
     */
    default void tidy() throws SQLException {}

    /** {@return how many claims have been lost to faster workers so far} */
    default long lost() {
        return 0;
    }
}
