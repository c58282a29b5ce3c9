package dev.pawl.internal.store;

import dev.pawl.EnqueueResult;
import dev.pawl.JobRequest;
import dev.pawl.Strategy;
import dev.pawl.limit.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
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
     * @param paused batches of which no job is to begin
     * @param stopped batches of which what waits is being cancelled
     * @param nowMicros the database's present moment, since 1970
     */
    record Settings(
            Map<String, String> strategies,
            Optional<Duration> untilTick,
            Set<Subject> limited,
            boolean keyed,
            Set<Long> paused,
            Set<Long> stopped,
            long nowMicros) {}

    /**
     * Lets jobs go that were laid aside because of a pause that is over.
     *
     * @param batch to which they belong
     * @throws SQLException from the driver
     */
    default void letGo(long batch) throws SQLException {}

    /**
     * {@return those of some batches that were stopped, so that nothing of them is to begin} It takes a statement only if one of them is known
     * as such.
     *
     * @param batches of which jobs have been claimed
     * @throws SQLException from the driver
     */
    default Set<Long> stopped(Collection<Long> batches) throws SQLException {
        return Set.of();
    }

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
     * The same for statements of this library's own, which are short: a connection that has died silently is given up.
     *
     * @param work the statements
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException after a rollback, or if the reply to the commit was lost
     */
    default <T> T inShortTransaction(InTransaction<T> work) throws SQLException {
        return inTransaction(work);
    }

    /**
     * Before work that is to be committed by one of these.
     *
     * @throws RuntimeException if it cannot be, because the calling thread is in a transaction already
     */
    default void requireNoTransaction() {}

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

    /** Fenced. Completes a job within the caller's transaction, last of all; false if the lease is lost. */
    boolean complete(Connection connection, Settlement completed) throws SQLException;

    /** {@return those of several jobs that are ours} Fenced. The same for each, at once. */
    default Set<Lease> lock(Connection connection, Collection<Lease> leases) throws SQLException {
        Set<Lease> ours = new HashSet<>();
        for (Lease lease : leases) {
            if (lock(connection, lease)) {
                ours.add(lease);
            }
        }
        return ours;
    }

    /** {@return those of several jobs that are completed} Fenced. The same for each, at once. */
    default Set<Lease> complete(Connection connection, List<Settlement> completed) throws SQLException {
        Set<Lease> done = new HashSet<>();
        for (Settlement one : completed) {
            if (complete(connection, one)) {
                done.add(one.lease());
            }
        }
        return done;
    }

    /** {@return whether somebody has asked a job to stop that the transaction has locked} */
    default boolean isCancelRequested(Connection connection, Lease lease) throws SQLException {
        return false;
    }

    /**
     * Fenced. Ends a run within the caller's transaction, which has locked the job; false if the lease is lost.
     */
    boolean settle(Connection connection, Settlement run) throws SQLException;

    /** {@return whether there is a lease that is over by the clock of the database} Changes nothing. */
    boolean isAnyLeaseOver() throws SQLException;

    /**
     * Running jobs whose lease has expired, oldest first. Those of ranges get rows of their own.
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
     * @return those whose jobs somebody has asked to stop, and of which runs somebody wants to see the stack
     * @throws SQLException from the driver
     */
    Asked asked(Collection<Lease> running) throws SQLException;

    /**
     * Answers who wants to see what a run does.
     *
     * @param lease of the run
     * @param stack what its thread does
     * @throws SQLException from the driver
     */
    void tellStack(Lease lease, String stack) throws SQLException;

    /** Moves jobs that were marked as completed to the history, until none is left or the thread is interrupted. */
    void sweep() throws SQLException;

    /**
     * Does what outcomes that were recorded here have left to do. Called every second.
     *
     * @throws SQLException from the driver
     */
    default void tidy() throws SQLException {}

    /** The next {@link #tidy} does what batches have left to be done, regardless of the process that has left it. */
    default void lookForBatches() {}

    /** Fenced. Records who does the work of the run; false if the lease is lost. */
    boolean assign(Lease lease, String worker) throws SQLException;

    /** Appends log lines that handlers wrote. */
    void log(List<LogLine> lines) throws SQLException;

    /**
     * {@return how many runs of some jobs were interrupted because their worker stopped, as their logs say; nothing for a job
     * without such a run}
     *
     * @param jobIds at most 1,000
     * @throws SQLException from the driver
     */
    default Map<Long, Integer> interruptions(Collection<Long> jobIds) throws SQLException {
        return Map.of();
    }

    /** {@return what jobs remember from one run to the next} */
    StepStore steps();

    /** {@return true if the same call may succeed later: contention, or the database is unreachable or short of a resource} */
    boolean isTransient(SQLException error);

    /** {@return true if the database is away, or takes no writes} */
    boolean isOutage(SQLException error);

    /** {@return where the database is, for people, without secrets: a blank and a URL in brackets; empty if that is not known} */
    default String where() {
        return "";
    }

    /** {@return true if another transaction was in the way, so that the same transaction is likely to succeed next time} */
    boolean isContention(SQLException error);

    /** {@return true if the database could not find an order in which this transaction and others go together} */
    boolean isSerializationFailure(SQLException error);

    /** {@return true if the database refuses what it was given, so that the same call will never succeed} */
    boolean isRefusal(SQLException error);
}
