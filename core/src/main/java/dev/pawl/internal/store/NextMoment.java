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
    /** {@return all sources that are read} */
    default Set<WorkSource> sources() {
        return Set.of();
    }

    /**
     * Reads in one statement when each source has work next.
     *
     * @param queues of a worker
     * @param kinds that the worker handles
     * @param keyed those of the queues that may have jobs with concurrency keys
     * @param declared schedules that the worker's program knows
     * @return the times until the work
     * @throws SQLException from the driver
     */
    Moments until(
            Collection<String> queues, Collection<String> kinds, Collection<String> keyed, Collection<String> declared)
            throws SQLException;

    /**
     * Times until the next work.
     *
     * @param until time by source, by the database's clock; zero or negative if work is due now; without sources that
     *     have no work
     */
    record Moments(Map<WorkSource, Duration> until) {
        /** No source has work. */
        public static final Moments NONE = new Moments(Map.of());

        /** Copies the map. */
        public Moments {
            until = Map.copyOf(until);
        }

        /** {@return the time until the first work; empty if no source has work} */
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
