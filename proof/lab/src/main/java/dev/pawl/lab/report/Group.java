package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Trial;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The trials of a cell under the same conditions.
 *
 * @param cell that they measured
 * @param conditions of all of them
 * @param run number of the first file with these conditions, if there are measurements of the same database under other conditions;
 *     otherwise 0
 * @param trials all of them, including failed ones
 */
record Group(Cell cell, Conditions conditions, int run, List<Trial> trials) {
    /** {@return whether the other was measured in the same run, or in one under the same conditions} */
    boolean isOfSameRun(Group other) {
        return conditions.areThoseOf(other.conditions);
    }

    List<Trial.Drained> drained() {
        return trials.stream().map(Trial::drained).filter(Objects::nonNull).toList();
    }

    /** {@return the summary of a figure over the trials that have it} */
    Optional<Summary> summary(Function<Trial, @Nullable Double> figure) {
        List<Double> values =
                trials.stream().map(figure).filter(Objects::nonNull).toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(Summary.of(values));
    }

    /** {@return the summary of a figure of drained backlogs} */
    Optional<Summary> ofDrained(Function<Trial.Drained, @Nullable Double> figure) {
        return summary(trial -> trial.drained() == null ? null : figure.apply(trial.drained()));
    }

    Optional<Summary> rate() {
        return ofDrained(Trial.Drained::jobsPerSecond);
    }

    /** {@return the median of a figure of drained backlogs; null if there is none} */
    @Nullable
    Double median(Function<Trial.Drained, @Nullable Double> figure) {
        return ofDrained(figure).map(Summary::median).orElse(null);
    }
}
