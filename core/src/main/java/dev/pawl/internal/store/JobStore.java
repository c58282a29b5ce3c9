package dev.pawl.internal.store;

import dev.pawl.EnqueueResult;
import dev.pawl.JobRequest;
import dev.pawl.Strategy;
import dev.pawl.limit.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the main path needs from a database besides a {@link ClaimStrategy}; all databases share one implementation. Thread-safe.
 * Methods that take a {@link Connection} join its transaction; the others take one from the pool, and give it back, for
 * each call. All time is the database's.
 */
public interface JobStore {
    /** Writes jobs; the results stand in the order of the requests. */
    List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException;

    /**
     * @param strategy as configured; {@link Strategy#AUTO} is what suits this database
     * @return how jobs are claimed and ended by it; a new one for each call
     * @throws dev.pawl.SchemaException if this database does not support it
     */
    ClaimStrategy strategy(Strategy strategy);

    /** {@return the strategy that {@link Strategy#ROWS} means here, and why} */
    StrategyChoice choice();

    /** {@return what people have set, read in one statement} */
    Settings settings() throws SQLException;

    /**
     * What people have set, and when there is something to do that no queue tells.
     *
     * @param strategies set for queues, as they were written
     * @param untilTick how long until a schedule is to be looked at, negative if it is time; empty if there is none
     * @param limited of what there are limits, or jobs that are held back
     * @param keyed whether there are jobs with keys
     */
    record Settings(
            Map<String, String> strategies, Optional<Duration> untilTick, Set<Subject> limited, boolean keyed) {}

    /**
     * Runs statements in one transaction of their own and commits it: one try.
     *
     * @param work the statements
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException after a rollback, or if the reply to the commit was lost
     */
    <T> T inTransaction(InTransaction<T> work) throws SQLException;

    /**
     * Statements on one connection.
     *
     * @param <T> the result
     */
    @FunctionalInterface
    interface InTransaction<T> {
        /**
         * @param connection to work on; not to be closed
         * @return the result
         * @throws SQLException from the driver
         */
        T on(Connection connection) throws SQLException;
    }

    /** Fenced. Locks the job's row until the transaction ends; false if the lease is lost. */
    boolean lock(Connection connection, Lease lease) throws SQLException;

    /** Fenced. Completes a job within the caller's transaction; false if the lease is lost. */
    boolean complete(Connection connection, Lease lease) throws SQLException;

    /**
     * Running jobs whose lease has expired, oldest first. Locks nothing.
     *
     * @param limit how many at most
     * @param passBy how many of the oldest to leave out
     * @return the jobs
     * @throws SQLException from the driver
     */
    List<AbandonedJob> abandoned(int limit, int passBy) throws SQLException;

    /**
     * Ends runs whose lease has expired and was not renewed since they were found. Skips rows that somebody has locked: a
     * transaction of the handler is open.
     *
     * @param runs abandoned ones, and what is to become of them
     * @return the leases that were ended
     * @throws SQLException from the driver; then none was
     */
    Set<Lease> rescue(List<Rescue> runs) throws SQLException;

    /**
     * @param connection of a transaction, in which the job is locked
     * @param jobId a job
     * @return its payload; empty if it does not wait
     * @throws SQLException from the driver
     */
    Optional<String> waitingPayload(Connection connection, long jobId) throws SQLException;

    /**
     * @param running leases of this worker
     * @return those whose jobs somebody has asked to stop
     * @throws SQLException from the driver
     */
    Set<Lease> cancelRequested(Collection<Lease> running) throws SQLException;

    /** Moves jobs that were marked as completed to the history, until none is left or the thread is interrupted. */
    void sweep() throws SQLException;

    /** Fenced. Records who does the work of the run; false if the lease is lost. */
    boolean assign(Lease lease, String worker) throws SQLException;

    /** Appends log lines that handlers wrote. */
    void log(List<LogLine> lines) throws SQLException;

    /** {@return true if the same call may succeed later: contention, or the database is unreachable or short of a resource} */
    boolean isTransient(SQLException error);

    /** {@return true if the database refuses what it was given, so that the same call will never succeed} */
    boolean isRefusal(SQLException error);
}
