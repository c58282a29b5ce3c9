package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Turns the ticks of schedules into jobs. Thread-safe; all time is the database's. */
public interface TickSource {
    /**
     * Writes what a program declares, and nothing if it is there already. What people have changed stays as they want it
     * unless the program declares another recurrence than before.
     *
     * @param schedule one of the program's
     * @return whether that has changed anything; not if a live worker of a newer release declares it in another form
     * @throws SQLException from the driver
     */
    boolean declare(Declaration schedule) throws SQLException;

    /** {@return what the row of a worker says of the schedules that its program declares} */
    List<String> written(List<Declaration> declared);

    /**
     * Makes schedules again what this program declares, if a program of another release has declared them otherwise and is gone. Of the forms that
     * live workers declare, the newest is in force: the one whose first live worker started last.
     *
     * @param declared by this program
     * @param before what was seen the last time, if all was settled then; then only what workers declare is read, while that is the same
     * @return what was done
     * @throws SQLException from the driver
     */
    Reconciled reconcile(List<Declaration> declared, String before) throws SQLException;

    /**
     * Removes schedules that a program has declared, and that no live worker declares any more.
     *
     * @param queues of whose schedules
     * @return their names
     * @throws SQLException from the driver
     */
    List<String> removeUndeclared(Predicate<String> queues) throws SQLException;

    /**
     * Whether the database has what this program declares.
     *
     * @param seen what live workers declare
     * @param changed whether some of it was written
     * @param isSettled whether all of it is in force
     */
    record Reconciled(String seen, boolean changed, boolean isSettled) {}

    /**
     * Enqueues a job for each tick that is due and that no other worker has seen to: in one transaction, the job, the tick and
     * the next tick.
     *
     * @param declared the schedules that this program knows; those whose days only a program knows are left to such programs
     * @return what was done, and when to look again
     * @throws SQLException from the driver
     */
    Look look(List<Declaration> declared) throws SQLException;

    /**
     * What a look has done.
     *
     * @param queues that have new jobs
     * @param next how long until the next look; empty if there is nothing to wait for
     */
    record Look(Set<String> queues, Optional<Duration> next) {}
}
