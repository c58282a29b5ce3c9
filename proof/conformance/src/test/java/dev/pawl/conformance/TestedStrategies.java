package dev.pawl.conformance;

import dev.pawl.api.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The list of tested strategies, for the contracts, kills, deadlocks and plans. */
public final class TestedStrategies {
    private TestedStrategies() {}

    /**
     * {@return the default, and those that every database supports and users have to select: each way to claim, to pick and to complete at
     * least once}
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

    /** {@return those whose workers are killed on MySQL and MariaDB, beside the default; in the quick tier, one of them} */
    public static List<Strategy> killedOnInnoDb() {
        return some(List.of(Strategy.ROWS, Strategy.TRANSACTIONAL), 1);
    }

    /** {@return those whose workers are killed, beside the default: each way to hold a claim; in the quick tier, one of them} */
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

    /** {@return those that are tested for deadlocks; in the quick tier, one of them} */
    public static List<Strategy> contended() {
        return some(all(), 1);
    }

    /** In the quick tier, some that the seed decides. */
    private static List<Strategy> some(List<Strategy> all, int most) {
        if (Draw.isAll("PAWL_KILLS")) {
            return all;
        }
        List<Strategy> drawn = new ArrayList<>(all);
        Collections.shuffle(drawn, Draw.of("strategies, " + all));
        return List.copyOf(drawn.subList(0, most));
    }

    /** {@return the selected ones, preceded by one row per job with the database's best way to claim} */
    public static List<Strategy> all() {
        return java.util.stream.Stream.concat(java.util.stream.Stream.of(Strategy.ROWS), chosen().stream())
                .toList();
    }
}
