package dev.pawl.internal.store;

import dev.pawl.EnqueueResult;
import dev.pawl.JobRequest;
import dev.pawl.Strategy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every verb of the main path that the engine asks of a database, one implementation for each. Thread-safe. Methods that
 * take a {@link Connection} join its transaction; the others take one from the pool, and give it back, for each call.
 * All time is the database's.
 *
 * <p>A <em>fenced</em> verb changes a job only while it is running under exactly the given {@link Lease}; a stale token
 * changes nothing, and the answer says so.
 */
public interface JobStore {
    /** How often a transaction is tried when others are in the way, before its caller waits longer. */
    int USUAL_TRIES = 8;

    /** Writes jobs; the answers stand in the order of the requests. */
    List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException;

    /**
     * The claim of a strategy: leases up to {@code limit} available jobs of one queue, counts the attempt and draws the
     * next token. Smallest priority first, then the longest available. Nothing from a paused queue. Committed on return.
     *
     * @throws dev.pawl.SchemaException if this database cannot do it
     */
    Claim claim(Strategy strategy);

    /** {@return the strategy that {@link Strategy#AUTO} means here, and why} */
    StrategyChoice choice();

    /**
     * Fenced. Records how runs ended. Answers the leases that were accepted.
     *
     * @param tries how often at most if others are in the way, at least one
     */
    Set<Lease> finish(List<FinishedRun> runs, int tries) throws SQLException;

    /** {@link #finish} with the usual number of tries. */
    default Set<Lease> finish(List<FinishedRun> runs) throws SQLException {
        return finish(runs, USUAL_TRIES);
    }

    /**
     * Fenced. Marks jobs as completed with one row lock for each; {@link #sweep} does the rest. Answers the leases that
     * were accepted.
     */
    Set<Lease> mark(Collection<Lease> completed, int tries) throws SQLException;

    /** Moves marked jobs to the history, at most {@code limit}; passes by those that others are moving. */
    int sweep(int limit) throws SQLException;

    /** {@return the strategies that people have set for queues, as they wrote them} */
    Map<String, String> strategies() throws SQLException;

    /** Fenced. Locks the job's row until the transaction ends; false if the lease is lost. */
    boolean lock(Connection connection, Lease lease) throws SQLException;

    /** Fenced. Completes a job within the caller's transaction; false if the lease is lost. */
    boolean complete(Connection connection, Lease lease) throws SQLException;

    /**
     * Fenced. Extends leases, and writes progress. A row that is locked by somebody is neither renewed nor lost.
     */
    Renewal renew(Collection<Held> held, Duration lease) throws SQLException;

    /** Fenced. Gives back jobs that did not start: available again at once, the attempt not counted. */
    int release(Collection<Lease> leases) throws SQLException;

    /** Running jobs whose lease has expired, oldest first, at most {@code limit}. A plain read. */
    List<AbandonedJob> abandoned(int limit) throws SQLException;

    /** Like {@link #finish}, but only for leases that have expired; used to rescue abandoned jobs. */
    Set<Lease> rescue(List<FinishedRun> runs) throws SQLException;

    /** Fenced. Notes who does the work of the run; false if the lease is lost. */
    boolean assign(Lease lease, String worker) throws SQLException;

    /** Appends log lines that handlers wrote. */
    void log(List<LogLine> lines) throws SQLException;
}
