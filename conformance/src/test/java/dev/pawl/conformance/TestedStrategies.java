package dev.pawl.conformance;

import dev.pawl.Strategy;
import java.util.List;
import java.util.stream.Stream;

/** The one list of strategies that are tested: by the contracts, with kills, for deadlocks and for plans. */
public final class TestedStrategies {
    private TestedStrategies() {}

    /**
     * {@return those that every database can do and that people have to choose: each way to claim, to pick and to complete
     * at least once}
     */
    public static List<Strategy> chosen() {
        return List.of(
                Strategy.optimistic(1, Strategy.Pick.FIRST),
                Strategy.optimistic(50, Strategy.Pick.UNIFORM),
                Strategy.optimistic(Strategy.Optimistic.FOLLOW_WORKERS, Strategy.Pick.EXPONENTIAL),
                Strategy.PESSIMISTIC,
                new Strategy.Pessimistic(0, true),
                Strategy.TRANSACTIONAL);
    }

    /** {@return the same, and first what the database itself chooses} */
    public static List<Strategy> all() {
        return Stream.concat(Stream.of(Strategy.AUTO), chosen().stream()).toList();
    }

    /** {@return those whose workers are killed: the chosen ones, and handlers that share a transaction} */
    public static List<Strategy> killed() {
        return Stream.concat(chosen().stream(), Stream.of(new Strategy.Transactional(10)))
                .toList();
    }
}
