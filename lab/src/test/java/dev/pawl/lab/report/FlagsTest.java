package dev.pawl.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlagsTest {
    @Test
    void theAlternatingRunsOfTheStudyHaveTwoModes() {
        assertThat(Flags.isBimodal(List.of(416.0, 140.0, 408.0, 132.0, 408.0, 146.0, 400.0)))
                .isTrue();
    }

    @Test
    void scatterIsNotTwoModesAndOneOutlierIsNoMode() {
        assertThat(Flags.isBimodal(List.of(100.0, 104.0, 97.0, 110.0, 91.0))).isFalse();
        assertThat(Flags.isBimodal(List.of(100.0, 101.0, 102.0, 30.0))).isFalse();
        assertThat(Flags.isBimodal(List.of(100.0, 30.0))).isFalse();
    }

    @Test
    void aSummaryLiesBetweenItsValues() {
        Summary summary = Summary.of(List.of(4.0, 1.0, 3.0, 2.0));
        assertThat(summary).isEqualTo(new Summary(1, 1.75, 2.5, 3.25, 4, 4));
        assertThat(summary.spread()).isEqualTo(0.6);
        assertThat(Summary.of(List.of(7.0)).median()).isEqualTo(7);
    }

    @Test
    void numbersAreAsExactAsTheyAreWorth() {
        assertThat(List.of(12_345.0, 1234.0, 450.4, 45.67, 6.789, 3.0, 0.0))
                .extracting(Words::number)
                .containsExactly("12,300", "1,234", "450", "45.7", "6.79", "3", "0");
    }
}
