package dev.pawl.api;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The context of one run of a job, passed to its handler. Thread-safe; must not be used after the handler has returned.
 */
public interface JobRun {
    /** {@return the job as it was claimed} */
    Job job();

    /** {@return the number of this attempt, from 1} */
    int attempt();

    /** {@return true if no further attempt follows when this one fails} */
    boolean isLastAttempt();

    /**
     * {@return the fencing token of this run} It grows with every claim of the job, so a system that remembers the
     * highest token can refuse writes of an outdated run.
     */
    long leaseToken();

    /** {@return the time left before the timeout of this run interrupts the handler; empty if there is none} */
    Optional<Duration> timeLeft();

    /**
     * {@return true once the run should end: the job was cancelled, the lease is lost, the timeout has passed, or the
     * worker is stopping and its grace time has passed} The handler's thread is interrupted at the same moment.
     */
    boolean isCancelled();

    /**
     * {@return true once the worker is stopping, and whenever the run {@linkplain #isCancelled should end}} The handler is interrupted when
     * the grace time of {@link dev.pawl.Worker#stop(Duration)} has passed. A long run should therefore check this between pieces of work,
     * save its progress (in {@linkplain #step steps} or in its own tables) and return {@code Outcome.snoozeFor(Duration.ZERO)}. Another
     * worker then continues the job, and no attempt is counted.
     */
    default boolean isStopping() {
        return isCancelled();
    }

    /**
     * Reports progress. It is written to the database with the next lease renewal or within about a second; only the
     * last value is kept.
     *
     * @param percent 0 to 100; values outside are clamped
     */
    void progress(int percent);

    /**
     * Adds a line to the log of the job. Lines are written within about a second, so the last lines may be written after the end of the
     * run. Only the first 1,000 lines of a run are kept. While 10,000 lines wait in the worker, for example during an outage of the
     * database, further lines are dropped.
     *
     * @param line one line; truncated after 2,000 characters
     */
    void log(String line);

    /**
     * Sets the result of the job. If the run completes the job, the same transaction stores the result, which is kept for as long as the
     * job. {@link dev.pawl.JobQueue#handle} reads it. The last call counts; a failed attempt stores none.
     *
     * @param value encoded by the codec; at most {@link dev.pawl.WorkerBuilder#maxResultBytes} bytes
     * @throws InvalidJobException if it is null, cannot be encoded or is too large
     * @throws IllegalStateException if a transaction of this run has completed the job already
     * @throws UnsupportedOperationException on a worker without a database
     */
    default void result(Object value) {
        throw new UnsupportedOperationException("workers without a database cannot store results");
    }

    /**
     * Runs {@code work} and completes the job in one transaction: both are committed, or neither. The job is locked first, so that it
     * cannot be rescued while the transaction is open. Afterwards the handler should return, because the job is finished: a later
     * exception, or an {@link Outcome} other than completed, has no effect except a warning in the worker's and the job's log. For the same
     * reason a second call fails, so put all writes of a run into one call. With {@link Strategy#TRANSACTIONAL}, a transaction surrounds
     * the handler. Each call then gets the connection of this transaction, which completes the job when the handler has returned.
     *
     * <p>Use the given connection for every write that belongs to the job, and no other connection inside: on SQLite another connection
     * cannot write until this transaction ends. Do not commit, roll back or close it, and send no statement that commits, as CREATE TABLE
     * and TRUNCATE do on MySQL: it may complete the job at once. If a statement fails, let the exception leave {@code work}, because the database may have rolled back.
     *
     * @param work the writes
     * @throws LeaseLostException if this worker no longer holds the job; nothing is written
     * @throws IllegalStateException if an earlier call has completed the job, or another transaction of this run is open; nothing is
     *     written
     * @throws Exception any exception of {@code work} or of the database, after a rollback. If the connection fails during the commit, the
     *     transaction may have been committed
     */
    void transaction(TransactionWork work) throws Exception;

    /**
     * Records which remote worker runs the job; {@link dev.pawl.admin.RunAdmin#assignments} lists it.
     *
     * @param worker at most 200 characters
     * @throws IllegalArgumentException if the name is longer, or a database cannot store it
     * @throws LeaseLostException if this worker no longer holds the job
     * @throws DatabaseException if the database fails
     */
    void assignedTo(String worker);

    /**
     * {@return the steps, signals and sleeps of the job, each of which is done once across all attempts; a job of a chunk has none}
     *
     * @throws UnsupportedOperationException on a worker without a database
     */
    default RunSteps steps() {
        throw new UnsupportedOperationException("this run of job " + job().id()
                + " cannot store steps: it needs a worker that is connected to the database");
    }

    /**
     * Runs a step, which is done once across all attempts: see {@link RunSteps#run(String, TypeToken, Callable)}.
     *
     * @param name of the step, unique within the job: 1 to 200 characters
     * @param type of its value
     * @param work the step; if it throws, no value is stored
     * @param <T> the value
     * @return the value, from this run or from the earlier one that did the step
     * @throws Exception any exception of {@code work}
     */
    default <T> T step(String name, Class<T> type, Callable<T> work) throws Exception {
        return steps().run(name, TypeToken.of(type), work);
    }

    /**
     * Runs a step without a value.
     *
     * @param name of the step, unique within the job: 1 to 200 characters
     * @param work the step; if it throws, the step is not done
     * @throws Exception any exception of {@code work}
     */
    default void step(String name, RunSteps.Action work) throws Exception {
        steps().run(name, work);
    }

    /** {@return the scheduled time for which a schedule has enqueued this job; empty if no schedule has enqueued it} */
    default Optional<Instant> tick() {
        return Optional.ofNullable(job().headers().get(Tick.HEADER)).map(Instant::parse);
    }

    /** {@return the slots reserved for this run, the outermost series first; see {@link dev.pawl.SlotSeries#around}} */
    default List<Slot> slots() {
        return List.of();
    }

    /** {@return the slot of the innermost series; empty unless {@link dev.pawl.SlotSeries#around} wraps the handler} */
    default Optional<Slot> slot() {
        List<Slot> all = slots();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /**
     * Returns the slot of a series.
     *
     * @param series its name
     * @return its slot, the innermost if there are several; empty if this run has none
     */
    default Optional<Slot> slot(String series) {
        return slots().stream().filter(slot -> slot.series().equals(series)).reduce((outer, inner) -> inner);
    }

    /** The work in a {@link #transaction}. */
    @FunctionalInterface
    interface TransactionWork {
        /**
         * Writes to the database.
         *
         * @param connection in the transaction that completes the job
         * @throws SQLException from the database
         * @throws Exception to roll everything back and fail the attempt
         */
        void run(Connection connection) throws Exception;
    }
}
