package dev.pawl.internal.store;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Strategy;
import dev.pawl.limit.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The database operations of the main path besides a {@link ClaimStrategy}; all databases share one implementation. Thread-safe. Methods
 * that take a {@link Connection} join its transaction; the others take one from the pool for each call. All time is the database's.
 */
public interface JobStore {
    /**
     * Refuses jobs of a program if a feature does not admit them, before anything is written. Not called for jobs that the library itself
     * enqueues.
     *
     * @param connection on which they will be enqueued
     * @param jobs of one call
     * @param joins whether the transaction belongs to the caller, and so may read an old snapshot
     * @throws SQLException from the driver
     * @throws dev.pawl.api.PawlException or another exception, if the jobs are refused
     */
    default void admit(Connection connection, List<JobRequest> jobs, boolean joins) throws SQLException {}

    /**
     * {@return whether one statement writes this job and nothing else, so that it may commit on its own} Determined without a statement.
     *
     * @param job the job
     */
    default boolean isOneStatement(JobRequest job) {
        return false;
    }

    /** Inserts jobs; the results are in the order of the requests. */
    List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException;

    /**
     * @param strategy as configured; {@link Strategy#AUTO} selects the best one for this database
     * @return a new strategy object
     * @throws dev.pawl.api.SchemaException if this database does not support it
     */
    ClaimStrategy strategy(Strategy strategy);

    /** {@return the strategy selected for {@link Strategy#ROWS}, and why} */
    StrategyChoice choice();

    /** {@return the settings, read in one statement} */
    Settings settings() throws SQLException;

    /**
     * Settings of queues, limits and batches, and the time of the next tick.
     *
     * @param strategies set for queues, as stored
     * @param untilTick time until the next schedule is due, negative if it is overdue; empty if there is none
     * @param limited subjects of limits and pauses
     * @param keyed whether there are jobs with concurrency keys
     * @param paused batches whose jobs must not start
     * @param stopped batches whose waiting jobs are being cancelled
     * @param nowMicros the database's time, in microseconds since 1970
     */
    record Settings(
            Map<String, String> strategies,
            Optional<Duration> untilTick,
            Set<Subject> limited,
            boolean keyed,
            Set<Long> paused,
            Set<Long> stopped,
            long nowMicros) {
        /** Collects settings while they are read. */
        public static final class Builder {
            private final Map<String, String> strategies = new HashMap<>();
            private final Set<Subject> limited = new HashSet<>();
            private final Set<Long> paused = new HashSet<>();
            private final Set<Long> stopped = new HashSet<>();
            private boolean keyed;
            private long nextTick;
            private long now;

            /** Sets the strategy of a queue, as stored. */
            public void strategy(String queue, String strategy) {
                strategies.put(queue, strategy);
            }

            /** Sets the database's time, in microseconds since 1970. */
            public void now(long micros) {
                now = micros;
            }

            /** Sets when the next schedule is due, in microseconds since 1970; 0 for never. */
            public void nextTick(long micros) {
                nextTick = micros;
            }

            /** Adds a limit or pause. */
            public void limited(Subject subject) {
                limited.add(subject);
            }

            /** Records that there are jobs with concurrency keys. */
            public void keyed() {
                keyed = true;
            }

            /** Adds a batch whose jobs must not start. */
            public void paused(long batch) {
                paused.add(batch);
            }

            /** Adds a batch whose waiting jobs are being cancelled. */
            public void stopped(long batch) {
                stopped.add(batch);
            }

            /** {@return the settings} */
            public Settings build() {
                Optional<Duration> untilTick =
                        nextTick == 0 ? Optional.empty() : Optional.of(Duration.of(nextTick - now, ChronoUnit.MICROS));
                return new Settings(strategies, untilTick, limited, keyed, paused, stopped, now);
            }
        }
    }

    /**
     * Runs statements in a new transaction and commits it, without retries.
     *
     * @param work the statements
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException after a rollback, or if the reply to the commit was lost
     */
    <T> T inTransaction(InTransaction<T> work) throws SQLException;

    /**
     * Runs short statements of this library in a new transaction and commits it, without retries. A dead connection is
     * given up.
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
     * Checks that the calling thread can open a new transaction.
     *
     * @throws RuntimeException if the calling thread is in a transaction already
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
        T run(Connection connection) throws SQLException;
    }

    /**
     * Called in a transaction before the statements of a handler.
     *
     * @param connection of the transaction
     * @return shows afterwards whether the transaction has ended in the meantime
     * @throws SQLException from the driver
     */
    default TransactionMark mark(Connection connection) throws SQLException {
        return unused -> true;
    }

    /**
     * Locks a job's row until the transaction ends. Fenced.
     *
     * @return false if the lease is lost
     */
    boolean lock(Connection connection, Lease lease) throws SQLException;

    /**
     * Completes a job as the last step of the caller's transaction. Fenced.
     *
     * @return false if the lease is lost
     */
    boolean complete(Connection connection, Settlement completed) throws SQLException;

    /**
     * Writes the result of a completed job and the counts of its batch. The caller's transaction has written the {@link RunFence} of the
     * run.
     */
    void completed(Connection connection, Settlement completed) throws SQLException;

    /**
     * Locks the rows of several jobs in one statement. Fenced.
     *
     * @return the leases that are not lost
     */
    default Set<Lease> lock(Connection connection, Collection<Lease> leases) throws SQLException {
        Set<Lease> ours = new HashSet<>();
        for (Lease lease : leases) {
            if (lock(connection, lease)) {
                ours.add(lease);
            }
        }
        return ours;
    }

    /**
     * Completes several jobs in one statement. Fenced.
     *
     * @return the leases that are completed
     */
    default Set<Lease> complete(Connection connection, List<Settlement> completed) throws SQLException {
        Set<Lease> done = new HashSet<>();
        for (Settlement one : completed) {
            if (complete(connection, one)) {
                done.add(one.lease());
            }
        }
        return done;
    }

    /** {@return whether the cancellation of a job was requested} The transaction has locked the job. */
    default boolean isCancelRequested(Connection connection, Lease lease) throws SQLException {
        return false;
    }

    /**
     * Settles a run within the caller's transaction, which has locked the job. Fenced.
     *
     * @return false if the lease is lost
     */
    boolean settle(Connection connection, Settlement run) throws SQLException;

    /** {@return whether any lease has expired by the database's clock} Changes nothing. */
    boolean isAnyLeaseOver() throws SQLException;

    /**
     * Finds running jobs whose lease has expired, in the order of expiry. First gives the unfinished jobs of expired ranges rows of their
     * own.
     *
     * @param limit maximum number of jobs
     * @param passBy how many of the oldest jobs to skip
     * @return the jobs
     * @throws SQLException from the driver
     */
    List<AbandonedJob> abandoned(int limit, int passBy) throws SQLException;

    /**
     * Settles runs whose lease has expired and was not renewed since they were found. Skips locked rows, because transactions of their
     * handlers may be open.
     *
     * @param runs abandoned runs with their verdicts
     * @return the settled leases
     * @throws SQLException from the driver; then no run was settled
     */
    Set<Lease> rescue(List<Rescue> runs) throws SQLException;

    /**
     * @param connection of a transaction that has locked the job
     * @param jobId a job
     * @return the job's payload; empty if the job is not waiting
     * @throws SQLException from the driver
     */
    Optional<String> waitingPayload(Connection connection, long jobId) throws SQLException;

    /**
     * @param running leases of this worker
     * @return the leases of runs whose cancellation or stack trace was requested
     * @throws SQLException from the driver
     */
    RunRequests runRequests(Collection<Lease> running) throws SQLException;

    /**
     * Reports a requested stack trace.
     *
     * @param lease of the run
     * @param stack of its thread
     * @throws SQLException from the driver
     */
    void reportStackTrace(Lease lease, String stack) throws SQLException;

    /** Moves jobs that were marked as completed to the history, until none is left or the thread is interrupted. */
    void sweep() throws SQLException;

    /**
     * Records the remote worker of a run. Fenced.
     *
     * @return false if the lease is lost
     */
    boolean assign(Lease lease, String worker) throws SQLException;

    /** Appends log lines of handlers. */
    void log(List<LogLine> lines) throws SQLException;

    /**
     * {@return how many runs of each job were interrupted because their worker stopped, according to the jobs' logs; a job without such
     * runs has no entry}
     *
     * @param jobIds at most 1,000
     * @throws SQLException from the driver
     */
    default Map<Long, Integer> interruptions(Collection<Long> jobIds) throws SQLException {
        return Map.of();
    }

    /** {@return the store of steps} */
    StepStore steps();

    /** {@return whether the same call may succeed later: contention, or the database is unreachable or short of a resource} */
    boolean isTransient(SQLException error);

    /** {@return whether the database is unreachable or read-only} */
    boolean isOutage(SQLException error);

    /** {@return the location of the database for messages, without secrets: a blank and a URL in brackets; empty if unknown} */
    default String where() {
        return "";
    }

    /** {@return whether another transaction interfered, so that a retry is likely to succeed} */
    boolean isContention(SQLException error);

    /** {@return whether the error is a serialization failure} */
    boolean isSerializationFailure(SQLException error);

    /** {@return whether the database rejects the values, so that the same call can never succeed} */
    boolean isRefusal(SQLException error);
}
