package dev.pawl;

import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The steps of a job that is tried again: what one run has done, the next does not repeat. A handler is called from its beginning each
 * time; a step that is done returns the value that it had the first time. So whatever is not in a step must come out the same
 * each time, and steps keep their names from one version of the program to the next.
 *
 * <p>A name stands for one step of a job; used twice in one run it is refused, so steps in a loop have a number in their names. A job
 * has 1,000 steps, sleeps and signals at most; a value has up to 256 KiB, all of a job 4 MiB, as the queue's codec writes it. Each step that is done
 * costs a row and a short transaction; a job without steps costs neither. What is kept is kept as long as the job.
 *
 * <p>Thread-safe: a handler may take steps in several threads. Not within {@link JobRun#transaction}, not with
 * {@link Strategy#TRANSACTIONAL}, and not on workers without a database: the methods then throw {@link IllegalStateException} or
 * {@link UnsupportedOperationException}. All of them throw {@link LeaseLostException} if the job is no longer this run's, and
 * {@link DatabaseException} if the database fails.
 */
public interface RunSteps {
    /**
     * Does something once. If the process dies after the work and before its value is kept, the work is done again: for writes to the
     * queue's own database there is {@link #inTransaction}.
     *
     * @param name of the step: 1 to 200 characters
     * @param type of its value
     * @param work what to do; if it throws, nothing is kept
     * @param <T> the value
     * @return the value, of this run or of the earlier one that did it
     * @throws InvalidJobException if the name is not valid, or the value is null, cannot be encoded or is too large
     * @throws Exception whatever {@code work} throws
     */
    <T> T run(String name, TypeToken<T> type, Callable<T> work) throws Exception;

    /**
     * The same without a value.
     *
     * @param name of the step: 1 to 200 characters
     * @param work what to do; if it throws, nothing is kept
     * @throws InvalidJobException if the name is not valid
     * @throws Exception whatever {@code work} throws
     */
    void run(String name, Action work) throws Exception;

    /**
     * Does something in the queue's database exactly once: the writes and the note that they are done are one commit, during which the
     * job cannot be given to anybody else.
     *
     * @param name of the step: 1 to 200 characters
     * @param type of its value
     * @param work what to write, with the given connection; not to be committed, rolled back or closed there
     * @param <T> the value
     * @return the value, of this run or of the earlier one that did it
     * @throws InvalidJobException if the name is not valid, or the value is null, cannot be encoded or is too large
     * @throws Exception whatever {@code work} throws, after a rollback
     */
    <T> T inTransaction(String name, TypeToken<T> type, Writes<T> work) throws Exception;

    /**
     * Waits for a signal, which {@link JobQueue#signal} gives, before or after the job has come here. While it waits, the run is over:
     * it ends with {@link RunSuspended}, and holds no thread and no lease. A job with a key keeps its place among those of its key.
     *
     * @param signal to wait for
     * @param longest how long, from the first time that the job comes here; up to ten years
     * @param <T> its value
     * @return the value; empty if the time is over, and from then on in each run
     */
    <T> Optional<T> await(Signal<T> signal, Duration longest);

    /**
     * Does nothing for some time. Meanwhile the run is over: it ends with {@link RunSuspended}, and holds no thread and no lease.
     *
     * @param name of this rest: 1 to 200 characters
     * @param length from the first time that the job comes here; up to ten years
     */
    void sleep(String name, Duration length);

    /** Work of a step without a value. */
    @FunctionalInterface
    interface Action {
        /**
         * @throws Exception to fail the run; the step is not done then
         */
        void run() throws Exception;
    }

    /**
     * Writes of a step.
     *
     * @param <T> the value
     */
    @FunctionalInterface
    interface Writes<T> {
        /**
         * @param connection in the transaction that keeps the value
         * @return the value
         * @throws Exception to roll everything back
         */
        T run(Connection connection) throws Exception;
    }
}
