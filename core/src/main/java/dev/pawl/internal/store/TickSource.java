package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Turns the ticks of schedules into jobs. Thread-safe; all time is the database's. */
public interface TickSource {
    /** A schedule is due. */
    WorkSource TICKS = new WorkSource("TICKS", WorkSource.By.DUTY);

    /**
     * Writes a declared schedule, unless it is stored already. Changes by users are kept, unless the program declares another recurrence
     * than before.
     *
     * @param schedule that this program declares
     * @return whether anything was written; false if a newer form of the schedule is in force
     * @throws SQLException from the driver
     */
    boolean declare(Declaration schedule) throws SQLException;

    /** {@return fingerprints of these declarations by the name of the schedule, for the worker's row} */
    Map<String, String> forms(List<Declaration> declared);

    /**
     * Restores the schedules of this program if a program of another release has declared them differently and has stopped. If live workers
     * declare a schedule in several forms, the newest form is in force. The age of a form counts from the start of the first live worker
     * that declares it.
     *
     * @param declared by this program
     * @param before {@link Reconciled#seen} of the last call if all declarations were in force then, otherwise empty. If the declarations
     *     have not changed since, the schedules are not read
     * @return the result
     * @throws SQLException from the driver
     */
    Reconciled reconcile(List<Declaration> declared, String before) throws SQLException;

    /**
     * Removes declared schedules that no live worker declares any more.
     *
     * @param queues whose schedules are removed
     * @return their names
     * @throws SQLException from the driver
     */
    List<String> removeUndeclared(Predicate<String> queues) throws SQLException;

    /**
     * The result of a comparison with the declarations of this program.
     *
     * @param seen a text that changes when the declarations of live workers change
     * @param changed whether anything was written
     * @param isSettled whether all declarations are in force
     */
    record Reconciled(String seen, boolean changed, boolean isSettled) {}

    /**
     * Enqueues a job for each due tick that no other worker has processed; one transaction covers the job, the tick and the next tick.
     *
     * @param declared the schedules that this program knows; a schedule with excluded days is left to programs that can compute these days
     * @return the result
     * @throws SQLException from the driver
     */
    Processed processDue(List<Declaration> declared) throws SQLException;

    /**
     * The result of processing due ticks.
     *
     * @param queues that have new jobs
     * @param next time until the next tick; empty if there is none
     */
    record Processed(Set<String> queues, Optional<Duration> next) {}
}
