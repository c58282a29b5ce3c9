package dev.pawl.api;

import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The steps of a job, each of which is done once across all attempts. Every attempt calls the handler from its beginning; a step that is
 * done already returns its stored value. Code outside of steps must therefore be deterministic, and steps must keep their names in later
 * versions of the program.
 *
 * <p>Steps, signals and sleeps each have names that are unique within a job. A name that is used twice in one run throws {@link
 * IllegalStateException}, so steps in a loop need a number in their names. A job has at most 1,000 steps, sleeps and signals. A value that
 * the queue's codec has encoded may have at most 256 KiB, and all values of a job together at most 4 MiB. Each step costs a row and a short
 * transaction. Values are kept as long as the job.
 *
 * <p>Thread-safe: a handler may run steps in several threads. Steps are not available within {@link JobRun#transaction}, with {@link
 * Strategy#TRANSACTIONAL}, in chunks and on workers without a database: the methods then throw {@link IllegalStateException} or {@link
 * UnsupportedOperationException}. All methods throw {@link LeaseLostException} if this run no longer holds the job, and {@link
 * DatabaseException} if the database fails ({@link #inTransaction}: the driver's {@link java.sql.SQLException}).
 */
public interface RunSteps {
    /**
     * Runs a step once. If the process dies after the work and before its value is stored, the work is repeated;
     * {@link #inTransaction} avoids this for writes to the queue's own database.
     *
     * @param name of the step: 1 to 200 characters
     * @param type of its value
     * @param work the step; if it throws, no value is stored
     * @param <T> the value
     * @return the value, from this run or from the earlier one that did the step
     * @throws InvalidJobException if the name is not valid, or the value is null, cannot be encoded or is too large
     * @throws Exception any exception of {@code work}
     */
    <T> T run(String name, TypeToken<T> type, Callable<T> work) throws Exception;

    /**
     * Runs a step without a value once, like {@link #run(String, TypeToken, Callable)}.
     *
     * @param name of the step: 1 to 200 characters
     * @param work the step; if it throws, the step is not done
     * @throws InvalidJobException if the name is not valid
     * @throws Exception any exception of {@code work}
     */
    void run(String name, Action work) throws Exception;

    /**
     * Writes to the queue's database exactly once: the writes and the value of the step commit together, and no other worker can take over
     * the job during the transaction.
     *
     * @param name of the step: 1 to 200 characters
     * @param type of its value
     * @param work writes with the given connection, which it must not commit, roll back or close
     * @param <T> the value
     * @return the value, from this run or from the earlier one that did the step
     * @throws InvalidJobException if the name is not valid, or the value is null, cannot be encoded or is too large
     * @throws Exception any exception of {@code work}, after a rollback
     */
    <T> T inTransaction(String name, TypeToken<T> type, Writes<T> work) throws Exception;

    /**
     * Waits for a signal, which {@link dev.pawl.JobQueue#signal} sends before or during the wait. While the job waits it holds
     * no thread and no lease: the run ends with {@link RunSuspended}, and a new run starts when the signal arrives or
     * the timeout has passed. A job with a concurrency key keeps its position among the jobs of its key.
     *
     * @param signal to wait for
     * @param longest timeout, counted from the first run that waits; at most ten years
     * @param <T> its value
     * @return the value; empty, in this and all later runs, if the timeout has passed
     */
    <T> Optional<T> await(Signal<T> signal, Duration longest);

    /**
     * Suspends the job for some time. While it sleeps it holds no thread and no lease: the run ends with
     * {@link RunSuspended}, and a new run starts afterwards.
     *
     * @param name of the sleep: 1 to 200 characters
     * @param length counted from the first run that sleeps; at most ten years
     */
    void sleep(String name, Duration length);

    /** Work of a step without a value. */
    @FunctionalInterface
    interface Action {
        /**
         * Does the work.
         *
         * @throws Exception to fail the run; the step is not done
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
         * Does the work.
         *
         * @param connection in the transaction that stores the value
         * @return the value
         * @throws Exception to roll everything back
         */
        T run(Connection connection) throws Exception;
    }
}
