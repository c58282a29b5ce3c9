package dev.pawl.lab.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OrderingTest {
    @Test
    void theStudysExample() {
        Ordering ordering = Ordering.ofAllRuns(List.of(1L, 2L, 4L, 7L, 3L, 6L, 5L));
        assertThat(ordering.diffs()).containsExactly(0L, 0L, 1L, 3L, 2L, 0L, 2L);
        assertThat(ordering.max()).isEqualTo(3);
        assertThat(Ordering.ofAllRuns(List.of(11L, 12L, 13L)).diffs()).containsOnly(0L);
    }

    @Test
    void aJobThatRunsAgainDoesNotMoveTheOthersIfFirstRunsCount() {
        List<Long> executed = List.of(1L, 2L, 1L, 3L, 4L);
        assertThat(Ordering.ofAllRuns(executed).diffs()).containsExactly(0L, 0L, 2L, 1L, 1L);
        assertThat(Ordering.ofFirstRuns(executed).diffs()).containsOnly(0L);
        assertThat(Ordering.executions(executed)).isEqualTo(Map.of(1, 3L, 2, 1L));
    }

    @Test
    void theBinsOfTheStudy() {
        assertThat(List.of(0L, 49L, 50L, 59L, 99L, 100L, 101L, 200L, 201L, 1000L, 1001L, 2000L, 2001L))
                .extracting(Ordering::bin)
                .containsExactly(0L, 49L, 50L, 50L, 90L, 90L, 101L, 101L, 201L, 201L, 1001L, 1001L, 2001L);
    }

    @Test
    void theExpectedNumberOfRounds() {
        Map<Integer, Double> expected = Map.of(2, 1.333, 10, 1.535, 100, 1.577);
        expected.forEach((window, rounds) -> {
            assertThat(WindowMath.expectedRounds(window)).isEqualTo(rounds, offset(0.001));
            assertThat(WindowMath.simulate(window, 100_000, new Random(5))).isCloseTo(rounds, withPercentage(1));
        });
        assertThat(WindowMath.printedFormula(2)).isEqualTo(0.9024, offset(0.001));
        assertThat(WindowMath.printedFormula(10)).isEqualTo(1.0404, offset(0.001));
    }
}
