package dev.pawl.conformance;

import dev.pawl.Strategy;
import java.util.List;

/** The one list of strategies that are tested: by the contracts, with kills, for deadlocks and for plans. */
public final class TestedStrategies {
    private TestedStrategies() {}

    /**
     * {@return those that every database can do and that people have to choose: each way to claim, to pick and to complete
     * at least once}
     */
    public static List<Strategy> chosen() {
        return List.of(
                Strategy.LANES,
                Strategy.optimistic(1, Strategy.Pick.FIRST),
                Strategy.optimistic(50, Strategy.Pick.UNIFORM),
                Strategy.optimistic(Strategy.Optimistic.FOLLOW_WORKERS, Strategy.Pick.EXPONENTIAL),
                Strategy.PESSIMISTIC,
                new Strategy.Pessimistic(0, true),
                Strategy.TRANSACTIONAL);
    }

    /** {@return the same, and first what the database itself chooses} */
    public static List<Strategy> all() {
        return java.util.stream.Stream.concat(java.util.stream.Stream.of(Strategy.AUTO), chosen().stream())
                .toList();
    }
}
