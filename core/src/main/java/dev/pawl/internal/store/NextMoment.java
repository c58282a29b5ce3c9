package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/** Tells how long nothing will be due, if nobody changes anything. Thread-safe. */
@FunctionalInterface
public interface NextMoment {
    /**
     * One statement: when the next waiting job, tick of a schedule, end of somebody's lease or of a hold is due.
     *
     * @param queues of a worker
     * @param kinds that it handles
     * @param keyed those of its queues in which there may be jobs with keys
     * @param declared schedules that its program knows
     * @return how long until then, by the database's clock, not positive if something is due now; empty if there is nothing to
     *     wait for
     * @throws SQLException from the driver
     */
    Optional<Duration> until(
            Collection<String> queues, Collection<String> kinds, Collection<String> keyed, Collection<String> declared)
            throws SQLException;
}
