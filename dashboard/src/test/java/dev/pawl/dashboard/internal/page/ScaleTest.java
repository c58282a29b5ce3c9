package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTest {
    @Test
    void countsHaveWholeSteps() {
        assertThat(Scale.Linear.of(List.of(0.0), 1).levels()).containsExactly(0.0, 1.0);
        assertThat(Scale.Linear.of(List.of(3.0), 1).levels()).containsExactly(0.0, 1.0, 2.0, 3.0);
        assertThat(Scale.Linear.of(List.of(93.0, Double.NaN), 1).levels())
                .containsExactly(0.0, 25.0, 50.0, 75.0, 100.0);
        assertThat(Scale.Linear.of(List.of(0.0), 0).levels()).containsExactly(0.0, 1.0);
        assertThat(Scale.Linear.of(List.of(0.3), 0).levels()).hasSizeBetween(3, 5);
        Scale scale = Scale.Linear.of(List.of(93.0), 1);
        assertThat(scale.place(0)).isEqualTo(Chart.BOTTOM);
        assertThat(scale.place(100)).isEqualTo(Chart.TOP);
    }

    /** Regression test: the labels of a chart of at most 0.017 jobs per second were 0, 0.01, 0.01, 0.02 and 0.02. */
    @Test
    void labelsOfSmallRatesDiffer() {
        for (double max : List.of(0.000_3, 0.017, 0.3, 2.0, 7.0)) {
            assertThat(Scale.Linear.of(List.of(max), 0).marks(Charts::number))
                    .extracting(Chart.Mark::label)
                    .doesNotHaveDuplicates();
        }
        assertThat(Scale.Linear.of(List.of(0.017), 0).marks(Charts::number))
                .extracting(Chart.Mark::label)
                .containsExactly("0", "0.005", "0.01", "0.015", "0.02");
    }

    @Test
    void durationsHaveALogarithmicScale() {
        Scale scale = Scale.Durations.of(List.of(0.0, 40.0, 90_000.0, Double.NaN));
        assertThat(scale.levels()).containsExactly(100.0, 1_000.0, 10_000.0, 60_000.0, 600_000.0);
        assertThat(scale.place(0)).isEqualTo(Chart.BOTTOM);
        assertThat(scale.place(600_000)).isEqualTo(Chart.TOP);
        assertThat(scale.place(1_000) - scale.place(10_000))
                .isCloseTo(scale.place(100) - scale.place(1_000), org.assertj.core.data.Offset.offset(0.01));
        assertThat(Scale.Durations.of(List.of()).levels()).hasSizeGreaterThan(1);
        assertThat(Scale.Durations.of(List.of(100.0, 900.0)).levels()).containsExactly(100.0, 200.0, 500.0, 1_000.0);
    }

    @Test
    void timeMarksAreAtRoundClockTimes() {
        Instant from = Instant.parse("2026-11-29T08:07:13Z");
        assertThat(new TimeAxis(from, from.plus(Duration.ofHours(1))).marks())
                .extracting(Chart.Mark::label)
                .containsExactly("08:15", "08:30", "08:45", "09:00");
        assertThat(new TimeAxis(from, from.plus(Duration.ofDays(7))).marks())
                .extracting(Chart.Mark::label)
                .containsExactly("1 Dec", "3 Dec", "5 Dec");
        assertThat(new TimeAxis(from, from).marks()).hasSizeLessThan(2);
        assertThat(new TimeAxis(from, from.plusSeconds(20)).words(from)).isEqualTo("08:07:13");
    }
}
