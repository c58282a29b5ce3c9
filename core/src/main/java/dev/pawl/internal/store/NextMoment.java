package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reports when work is due next, if nothing changes. Thread-safe. */
@FunctionalInterface
public interface NextMoment {
    /** {@return all sources that it reads} */
    default Set<WorkSource> sources() {
        return Set.of();
    }

    /**
     * Reads in one statement when each source has work next.
     *
     * @param queues of a worker
     * @param kinds that it handles
     * @param keyed those of its queues that may have keyed jobs
     * @param declared schedules that its program knows
     * @return the times until then
     * @throws SQLException from the driver
     */
    Moments until(
            Collection<String> queues, Collection<String> kinds, Collection<String> keyed, Collection<String> declared)
            throws SQLException;

    /**
     * Times until the next work.
     *
     * @param until by source, by the database's clock, not positive if work is due now; without sources that have none
     */
    record Moments(Map<WorkSource, Duration> until) {
        /** No source has work. */
        public static final Moments NONE = new Moments(Map.of());

        /** Copies the map. */
        public Moments {
            until = Map.copyOf(until);
        }

        /** {@return the time until the first one; empty if no source has work} */
        public Optional<Duration> first() {
            return until.values().stream().min(Duration::compareTo);
        }

        /** {@return the sources whose work is due} */
        public Set<WorkSource> due() {
            return until.entrySet().stream()
                    .filter(each -> each.getValue().compareTo(Duration.ZERO) <= 0)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }
}
