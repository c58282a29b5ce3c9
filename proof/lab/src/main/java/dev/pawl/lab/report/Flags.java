package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Reasons not to trust a result. They are always printed with it. */
public final class Flags {
    private static final int ENOUGH_ROUNDS = 3;
    private static final double LONG_ENOUGH_SECONDS = 1;
    private static final double WIDE = 0.25;
    private static final double GAP = 0.2;
    private static final int BOTH_SIDES = 2;
    private static final double SLOW_DISK = 2;
    /**
     * The slowest fsync may take this many times as long as the fastest. A comparison with the median would miss a disk that is slow most
     * of the time.
     */
    private static final double MUCH_SLOWER_DISK = 4;

    private static final double LOAD = 0.15;

    private Flags() {}

    static List<String> of(Group group) {
        List<String> flags = new ArrayList<>();
        long failed =
                group.trials().stream().filter(trial -> trial.failure() != null).count();
        if (failed > 0) {
            flags.add(failed + " of " + group.trials().size() + " failed");
        }
        if (group.trials().size() - failed < ENOUGH_ROUNDS) {
            flags.add("few rounds");
        }
        group.rate().ifPresent(rate -> {
            if (group.cell().jobs() / rate.median() < LONG_ENOUGH_SECONDS) {
                flags.add(
                        String.format(Locale.ROOT, "short: %.2f s", group.cell().jobs() / rate.median()));
            }
        });
        List<Double> values = values(group);
        if (isBimodal(values)) {
            flags.add("two modes");
        } else if (values.size() >= ENOUGH_ROUNDS && Summary.of(values).spread() > WIDE) {
            flags.add(String.format(
                    Locale.ROOT, "spread %.0f %%", 100 * Summary.of(values).spread()));
        }
        disk(group).ifPresent(flags::add);
        load(group).ifPresent(flags::add);
        return flags;
    }

    private static List<Double> values(Group group) {
        return group.trials().stream()
                .map(trial -> switch (group.cell().measure()) {
                    case DRAIN ->
                        trial.drained() == null ? null : trial.drained().jobsPerSecond();
                    case LATENCY ->
                        trial.arrivals() == null
                                ? null
                                : trial.arrivals().start().p50();
                    case RECOVERY -> trial.recoveryMillis();
                    case LOAD -> trial.loaded() == null ? null : trial.loaded().jobsPerSecond();
                })
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Detects two clusters of values with a gap between them, as on a throttled machine: their mean is not the result
     * of any run.
     *
     * @param values of repetitions, in any order
     * @return whether at least two lie on each side of a gap that is wider than a fifth of the median and twice as wide
     *     as either cluster
     */
    public static boolean isBimodal(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        if (sorted.size() < 2 * BOTH_SIDES) {
            return false;
        }
        double median = Summary.of(sorted).median();
        for (int low = BOTH_SIDES; low <= sorted.size() - BOTH_SIDES; low++) {
            double gap = sorted.get(low) - sorted.get(low - 1);
            double below = sorted.get(low - 1) - sorted.get(0);
            double above = sorted.get(sorted.size() - 1) - sorted.get(low);
            if (gap > GAP * median && gap > 2 * Math.max(below, above)) {
                return true;
            }
        }
        return false;
    }

    /** Reports a disk that was sometimes much slower: it may be throttled, or other programs were writing. */
    private static Optional<String> disk(Group group) {
        List<Double> micros = group.trials().stream()
                .map(Trial::box)
                .filter(Objects::nonNull)
                .map(Trial.Box::fsyncMicros)
                .toList();
        boolean isOurs = group.conditions().target() == null
                || group.conditions().target().ours();
        if (micros.isEmpty() || !isOurs || group.cell().measure() == Cell.Measure.RECOVERY) {
            return Optional.empty();
        }
        Summary summary = Summary.of(micros);
        return summary.max() > SLOW_DISK * summary.median() || summary.max() > MUCH_SLOWER_DISK * summary.min()
                ? Optional.of(String.format(Locale.ROOT, "disk: fsync %.0f to %.0f µs", summary.min(), summary.max()))
                : Optional.empty();
    }

    private static Optional<String> load(Group group) {
        return group.trials().stream()
                .map(Trial::box)
                .filter(Objects::nonNull)
                .map(Trial.Box::otherLoad)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .filter(load -> load > LOAD)
                .map(load -> String.format(Locale.ROOT, "other load %.0f %%", 100 * load));
    }
}
