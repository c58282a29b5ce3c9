package dev.pawl.conformance;

import dev.pawl.Strategy;
import java.util.List;

/** The one list of strategies that are tested: by the contracts, with kills, for deadlocks and for plans. */
public final class TestedStrategies {
    private TestedStrategies() {}

    /**
     * {@return the default, and those that every database can do and that people have to choose: each way to claim, to pick and to complete
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

    /** {@return those that MySQL is tried with, too: its statements are MariaDB's, which is tried with all} */
    public static List<Strategy> chosenOnMySql() {
        return List.of(
                Strategy.LANES,
                Strategy.optimistic(50, Strategy.Pick.UNIFORM),
                new Strategy.Pessimistic(0, true),
                Strategy.TRANSACTIONAL);
    }

    /** {@return those that workers are killed with on MySQL and MariaDB, beside the default} */
    public static List<Strategy> killedOnInnoDb() {
        return List.of(Strategy.ROWS, Strategy.TRANSACTIONAL);
    }

    /** {@return those that workers are killed with, beside the default: each way to hold a claim once} */
    public static List<Strategy> killed() {
        return List.of(
                Strategy.ROWS,
                Strategy.optimistic(50, Strategy.Pick.UNIFORM),
                Strategy.PESSIMISTIC,
                new Strategy.Pessimistic(0, true),
                Strategy.TRANSACTIONAL);
    }

    /** {@return the chosen ones, and first a row for each job, claimed as the database does best} */
    public static List<Strategy> all() {
        return java.util.stream.Stream.concat(java.util.stream.Stream.of(Strategy.ROWS), chosen().stream())
                .toList();
    }
}
