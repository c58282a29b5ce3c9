package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Tells how long nothing will be due, if nobody changes anything. Thread-safe. */
@FunctionalInterface
public interface NextMoment {
    /**
     * One statement: when each source of work has something to do next.
     *
     * @param queues of a worker
     * @param kinds that it handles
     * @param keyed those of its queues in which there may be jobs with keys
     * @param declared schedules that its program knows
     * @return how long until then
     * @throws SQLException from the driver
     */
    Moments until(
            Collection<String> queues, Collection<String> kinds, Collection<String> keyed, Collection<String> declared)
            throws SQLException;

    /**
     * When there is something to do.
     *
     * @param until how long until then, by the database's clock, not positive if something is due now; without the sources that have nothing
     */
    record Moments(Map<WorkSource, Duration> until) {
        /** There is nothing to wait for. */
        public static final Moments NONE = new Moments(Map.of());

        /** Copies the map. */
        public Moments {
            until = Map.copyOf(until);
        }

        /** {@return how long until the first of them; empty if there is nothing to wait for} */
        public Optional<Duration> first() {
            return until.values().stream().min(Duration::compareTo);
        }

        /** {@return the sources that have something now} */
        public Set<WorkSource> due() {
            return until.entrySet().stream()
                    .filter(each -> each.getValue().compareTo(Duration.ZERO) <= 0)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }
}
