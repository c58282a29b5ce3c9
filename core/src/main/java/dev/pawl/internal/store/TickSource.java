package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Turns the ticks of schedules into jobs. Thread-safe; all time is the database's. */
public interface TickSource {
    /**
     * Writes what a program declares, and nothing if it is there already. What people have changed stays as they want it
     * unless the program declares another recurrence than before.
     *
     * @param schedule one of the program's
     * @throws SQLException from the driver
     */
    void declare(Declaration schedule) throws SQLException;

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
