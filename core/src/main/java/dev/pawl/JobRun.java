package dev.pawl;

import dev.pawl.admin.JobAdmin;
import dev.pawl.schedule.Tick;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** One run of a job, as its handler sees it. Thread-safe; not to be used after the handler has returned. */
public interface JobRun {
    /** {@return the job as it was claimed} */
    Job job();

    /** {@return the number of this attempt, from 1} */
    int attempt();

    /** {@return true if no further attempt follows when this one fails} */
    boolean isLastAttempt();

    /**
     * {@return the fencing token of this run: it grows with every claim of the job, so a system that remembers the
     * highest token it has seen can refuse a late writer}
     */
    long leaseToken();

    /** {@return the time left before the handler's timeout interrupts it; empty if it has none} */
    Optional<Duration> timeLeft();

    /**
     * {@return true once the run should end: the job was cancelled, the lease is lost, the timeout has passed, or the
     * worker is stopping and its grace time is over} The handler's thread is interrupted at the same moment.
     */
    boolean isCancelled();

    /**
     * {@return true once the worker is stopping, and whenever the run {@linkplain #isCancelled should end}} The handler is interrupted
     * when the grace time of {@link Worker#stop(Duration)} is over. So a long run should check this between two pieces of work, save its
     * progress (in {@linkplain #step steps} or in its own tables) and return {@code Outcome.snoozeFor(Duration.ZERO)}: another worker
     * continues, and no attempt is counted.
     */
    default boolean isStopping() {
        return isCancelled();
    }

    /**
     * Reports progress. Written to the database with the next lease renewal or within about a second; only the last
     * value counts.
     *
     * @param percent 0 to 100; values outside are clamped
     */
    void progress(int percent);

    /**
     * Keeps a line with the job, for people who look at it later. Lines are written within about a second and at the
     * end of the run; a run keeps its first 1,000 lines. While 10,000 lines wait in the worker, as they may when the
     * database is away, further ones are dropped.
     *
     * @param line one line; truncated after 2,000 characters
     */
    void log(String line);

    /**
     * Gives a result, which is kept if the run completes the job: written in the same transaction, and for as long as the job is
     * kept. {@link JobQueue#handle} reads it. The last one counts; an attempt that fails gives none.
     *
     * @param value what the codec can write; at most {@link WorkerBuilder#maxResultBytes} bytes
     * @throws InvalidJobException if it is null, cannot be encoded or is too long
     * @throws IllegalStateException if a transaction of this run has completed the job already
     * @throws UnsupportedOperationException if the run is one of a worker without a database, which gives no results
     */
    default void result(Object value) {
        throw new UnsupportedOperationException("workers without a database give no results");
    }

    /**
     * Runs {@code work} and completes the job in one transaction: both are committed, or neither. The job's row is
     * locked first, so nobody can rescue the job while the transaction is open. Afterwards the handler should return,
     * because the job is finished: a later exception, or an {@link Outcome} other than completed, changes nothing; it
     * is logged as a warning and noted in the job's own log. For the same reason a second call fails without writing
     * anything: put all writes of a run into one.
     *
     * <p>Use the given connection for every write that belongs to the job, and nothing else inside: on SQLite another
     * connection cannot write until this transaction ends. Do not commit, roll back or close it.
     *
     * @param work what to write
     * @throws LeaseLostException if this worker no longer holds the job; nothing is written
     * @throws IllegalStateException if it was already called in this run; nothing is written
     * @throws Exception whatever {@code work} throws, after a rollback
     */
    void transaction(TransactionWork work) throws Exception;

    /**
     * Notes who does the work, if that is not this process; {@link JobAdmin#assignments} shows it.
     *
     * @param worker at most 200 characters
     * @throws LeaseLostException if this worker no longer holds the job
     * @throws DatabaseException if the database fails
     */
    void assignedTo(String worker);

    /**
     * {@return the steps of the job: what is done once, however often the job is tried, and what it waits for}
     *
     * @throws UnsupportedOperationException on a worker without a database
     */
    default RunSteps steps() {
        throw new UnsupportedOperationException("this run of job " + job().id()
                + " cannot keep steps: it needs a worker that is connected to the database");
    }

    /**
     * Does something once, however often the job is tried: see {@link RunSteps#run(String, TypeToken, Callable)}.
     *
     * @param name of the step, unlike that of any other step of the job: 1 to 200 characters
     * @param type of its value
     * @param work what to do; if it throws, nothing is kept
     * @param <T> the value
     * @return the value, of this run or of the earlier one that did it
     * @throws Exception whatever {@code work} throws
     */
    default <T> T step(String name, Class<T> type, Callable<T> work) throws Exception {
        return steps().run(name, TypeToken.of(type), work);
    }

    /**
     * The same without a value.
     *
     * @param name of the step, unlike that of any other step of the job: 1 to 200 characters
     * @param work what to do; if it throws, the step is not done
     * @throws Exception whatever {@code work} throws
     */
    default void step(String name, RunSteps.Action work) throws Exception {
        steps().run(name, work);
    }

    /** {@return the tick of its schedule that this job is for; empty if no schedule has enqueued it} */
    default Optional<Instant> tick() {
        return Optional.ofNullable(job().headers().get(Tick.HEADER)).map(Instant::parse);
    }

    /** {@return the slots reserved for this run, see {@link SlotSeries#around}: the outermost series first} */
    default List<Slot> slots() {
        return List.of();
    }

    /** {@return the slot of the innermost series; empty unless {@link SlotSeries#around} wraps the handler} */
    default Optional<Slot> slot() {
        List<Slot> all = slots();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /**
     * @param series its name
     * @return its slot, the innermost if there are several; empty if this run has none
     */
    default Optional<Slot> slot(String series) {
        return slots().stream().filter(slot -> slot.series().equals(series)).reduce((outer, inner) -> inner);
    }

    /** Work inside {@link #transaction}. */
    @FunctionalInterface
    interface TransactionWork {
        /**
         * @param connection in a transaction that completes the job
         * @throws SQLException from the database
         * @throws Exception to roll everything back and fail the attempt
         */
        void run(Connection connection) throws Exception;
    }
}
