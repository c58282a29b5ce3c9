package dev.pawl.internal.store;

import dev.pawl.api.JobRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A way for workers to claim jobs without contention. A job is settled, renewed and released by the strategy that claimed it, even if the
 * queue's strategy changes in the meantime. Thread-safe.
 *
 * <p>A {@link Lease} names a run. The strategy decides whether each run has its own row, or many runs share a row. {@link #settle}, {@link
 * #renew} and {@link #release} are <em>fenced</em>: they change a job only while it is running under exactly the given lease.
 */
public interface ClaimStrategy {
    /**
     * Claims up to {@code limit} available jobs of one queue: leases them, counts the attempt and draws the next token. Takes the smallest
     * priority first, then the job that has been available longest, and nothing from a paused queue. Committed on return.
     *
     * @param request what to claim
     * @return the grants, in the order in which the jobs should run
     * @throws SQLException from the driver; jobs may have been claimed nevertheless, and are rescued when their leases expire
     */
    List<Grant> claim(ClaimRequest request) throws SQLException;

    /**
     * Like {@link #claim(ClaimRequest)}, but may pass jobs on while it searches for more, so that idle handlers need not wait for the end
     * of the search.
     *
     * @param request what to claim
     * @param first gets grants as soon as they are claimed, in the order in which the jobs should run
     * @return the grants that were not passed to {@code first}
     * @throws SQLException from the driver; jobs may have been claimed nevertheless, and are rescued when their leases expire
     */
    default List<Grant> claim(ClaimRequest request, Consumer<List<Grant>> first) throws SQLException {
        return claim(request);
    }

    /**
     * {@return whether a claim may also lease jobs of other kinds, until it has given them rows} If the worker handles these kinds and dies
     * before, such a job has not begun only if it was claimed ahead.
     */
    default boolean leasesOtherKinds() {
        return false;
    }

    /** {@return whether {@link #enqueue} may write jobs} */
    default boolean claimsAtEnqueue() {
        return false;
    }

    /**
     * Writes a job that needs no row of its own and is due at once. Also claims the job in the same commit, unless another job comes first
     * or the queue is paused. A job that is not claimed is available.
     *
     * @param job the job
     * @param request a claim of one job, which the worker runs at once
     * @param before called on the connection before the job is written
     * @return the job; null if nothing was written
     * @throws SQLException from the driver; the job may have been written nevertheless, and is then rescued when its lease expires
     */
    default @Nullable EnqueuedJob enqueue(JobRequest job, ClaimRequest request, BeforeEnqueue before)
            throws SQLException {
        return null;
    }

    /** Runs before a job is written. */
    @FunctionalInterface
    interface BeforeEnqueue {
        /**
         * @param connection on which it will be written
         * @throws SQLException from the driver
         */
        void run(Connection connection) throws SQLException;
    }

    /**
     * Records the outcomes of runs in one transaction. Never waits for a locked row.
     *
     * @param runs claimed by this strategy
     * @return which outcomes are recorded
     * @throws SQLException from the driver; then no outcome is recorded, or the reply to the commit was lost
     */
    Settled settle(List<Settlement> runs) throws SQLException;

    /**
     * Extends leases, and writes progress. If another transaction has locked a row, its lease counts as neither renewed nor lost.
     *
     * @param leases claimed by this strategy
     * @param length from now, by the database's clock
     * @return the state of each lease
     * @throws SQLException from the driver
     */
    Renewal renew(Collection<LeaseRenewal> leases, Duration length) throws SQLException;

    /**
     * Releases jobs that did not start: they are available again at once, and the attempt is not counted.
     *
     * @param unstarted claimed by this strategy
     * @return the released leases; any other lease is lost or locked, or a cancellation of its job was requested
     * @throws SQLException from the driver; some jobs may have been released nevertheless
     */
    Set<Lease> release(Collection<Lease> unstarted) throws SQLException;

    /**
     * Makes sure that a run has a row of its own, which is needed for a transaction that locks it, a remote run, or progress. Committed on
     * return. Fenced.
     *
     * @param lease claimed by this strategy
     * @return false if the lease is lost; true does not imply that it is valid
     * @throws SQLException from the driver
     */
    default boolean detach(Lease lease) throws SQLException {
        return true;
    }

    /**
     * Prepares a transaction that completes a job without giving it a row. Until {@link RunFence#end}, this worker does not move the job to
     * a row of its own.
     *
     * @param lease claimed by this strategy
     * @return the fence; null if the job needs a row of its own, so that {@link #detach} must be called before the transaction
     */
    default @Nullable RunFence fence(Lease lease) {
        return null;
    }

    /**
     * Checks runs whose rows are missing or have other leases, because a server may have lost the commit of
     * {@link #detach}.
     *
     * @param missing claimed by this strategy
     * @return the valid leases without rows, to which {@link #detach} gives new rows
     * @throws SQLException from the driver
     */
    default Set<Lease> withoutRows(Collection<Lease> missing) throws SQLException {
        return Set.of();
    }

    /** {@return how jobs of this strategy are run} */
    RunMode mode();

    /**
     * @param configured in the worker's options
     * @return the length of this strategy's leases
     */
    default Duration lease(Duration configured) {
        return configured;
    }

    /**
     * Does deferred work of settlements. Called about once a second, by one thread.
     *
     * @throws SQLException from the driver
     */
    default void tidy() throws SQLException {}

    /** {@return how many claims failed because other workers were faster} */
    default long lost() {
        return 0;
    }
}
