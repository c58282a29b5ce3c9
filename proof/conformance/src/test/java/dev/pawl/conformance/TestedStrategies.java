package dev.pawl.conformance;

import dev.pawl.api.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The strategies with which the contracts and the tests of kills, deadlocks and plans run. */
public final class TestedStrategies {
    private TestedStrategies() {}

    /**
     * {@return the default, and strategies that every database supports, but that a user has to select: together they
     * use each way to claim, to pick and to complete}
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

    /** {@return the strategies whose workers are killed on MySQL and MariaDB, besides the default; one in the quick tier} */
    public static List<Strategy> killedOnInnoDb() {
        return some(List.of(Strategy.ROWS, Strategy.TRANSACTIONAL), 1);
    }

    /**
     * {@return the strategies whose workers are killed, besides the default: a strategy for each way to hold claims, or one of these in the
     * quick tier}
     */
    public static List<Strategy> killed() {
        return some(
                List.of(
                        Strategy.ROWS,
                        Strategy.optimistic(50, Strategy.Pick.UNIFORM),
                        Strategy.PESSIMISTIC,
                        new Strategy.Pessimistic(0, true),
                        Strategy.TRANSACTIONAL),
                1);
    }

    /** {@return the strategies that are tested for deadlocks; one in the quick tier} */
    public static List<Strategy> contended() {
        return some(all(), 1);
    }

    /** All strategies, or in the quick tier this number of them, which the seed of {@link Draw} chooses. */
    private static List<Strategy> some(List<Strategy> all, int count) {
        if (Draw.isAll("PAWL_KILLS")) {
            return all;
        }
        List<Strategy> drawn = new ArrayList<>(all);
        Collections.shuffle(drawn, Draw.of("strategies, " + all));
        return List.copyOf(drawn.subList(0, count));
    }

    /** {@return {@link Strategy#ROWS}, which claims in the best way of the database, followed by the chosen ones} */
    public static List<Strategy> all() {
        return java.util.stream.Stream.concat(java.util.stream.Stream.of(Strategy.ROWS), chosen().stream())
                .toList();
    }
}
