package dev.pawl.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FlagsTest {
    @Test
    void theAlternatingRunsOfTheStudyHaveTwoModes() {
        assertThat(Flags.isBimodal(List.of(416.0, 140.0, 408.0, 132.0, 408.0, 146.0, 400.0)))
                .isTrue();
    }

    @Test
    void scatterAndOutliersAreNotModes() {
        assertThat(Flags.isBimodal(List.of(100.0, 104.0, 97.0, 110.0, 91.0))).isFalse();
        assertThat(Flags.isBimodal(List.of(100.0, 101.0, 102.0, 30.0))).isFalse();
        assertThat(Flags.isBimodal(List.of(100.0, 30.0))).isFalse();
    }

    private static List<String> flags(@Nullable String failure, boolean ours, double... fsyncs) {
        Cell cell = new Cell(
                Cell.Measure.DRAIN, "mariadb", "auto", 10, 0, 100_000, 0, 60, 0, Cell.Disturbance.NONE, false, 0);
        List<Trial> trials = new ArrayList<>();
        for (double fsync : fsyncs) {
            trials.add(new Trial(
                    cell,
                    trials.size() + 1,
                    "",
                    failure,
                    null,
                    null,
                    null,
                    new Trial.Box(fsync, fsync / 10_000),
                    null,
                    null));
        }
        return Flags.of(new Group(
                cell,
                new Conditions("", "", "", "", new LabFile.TargetFacts("mariadb", "", ours, Map.of()), "", ""),
                0,
                trials));
    }

    @Test
    void slowDisksAreFlagged() {
        assertThat(flags(null, true, 100, 110, 250)).containsExactly("disk: fsync 100 to 250 µs");
        assertThat(flags(null, true, 100, 1000, 1000)).contains("disk: fsync 100 to 1000 µs");
        assertThat(flags(null, true, 100, 110, 130)).isEmpty();
        assertThat(flags(null, false, 100, 110, 250))
                .as("the disk of another machine")
                .isEmpty();
    }

    @Test
    void otherLoadFailuresAndFewRoundsAreFlagged() {
        assertThat(flags(null, true, 1_600, 1_600, 1_700)).containsExactly("other load 17 %");
        assertThat(flags("gone", true, 100, 100)).containsExactly("2 of 2 failed", "few rounds");
    }

    @Test
    void summariesLieBetweenTheirValues() {
        Summary summary = Summary.of(List.of(4.0, 1.0, 3.0, 2.0));
        assertThat(summary).isEqualTo(new Summary(1, 1.75, 2.5, 3.25, 4, 4));
        assertThat(summary.spread()).isEqualTo(0.6);
        assertThat(Summary.of(List.of(7.0)).median()).isEqualTo(7);
    }

    @Test
    void numbersShowTheirSignificantDigits() {
        assertThat(List.of(12_345.0, 1234.0, 450.4, 45.67, 6.789, 3.0, 0.0))
                .extracting(Formats::number)
                .containsExactly("12,300", "1,234", "450", "45.7", "6.79", "3", "0");
        assertThat(Formats.number(Double.POSITIVE_INFINITY)).isEqualTo("–");
    }
}
