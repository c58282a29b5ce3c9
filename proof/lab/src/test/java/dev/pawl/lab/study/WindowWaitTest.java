package dev.pawl.lab.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WindowWaitTest {
    @Test
    void inOrderNoJobWaitsForASecondRound() {
        assertThat(WindowWait.meanRounds(List.of(0L, 1L, 2L, 3L, 4L), 5)).isEqualTo(1);
        assertThat(WindowWait.meanRounds(List.of(), 5)).isEqualTo(1);
    }

    @Test
    void skippedJobsWait() {
        // With a window of 2, jobs 1, 2 and 3 are picked before job 0. These are three picks, so job 0 is picked in the
        // second round.
        assertThat(WindowWait.meanRounds(List.of(1L, 2L, 3L, 0L), 2)).isEqualTo((1 + 1 + 1 + 2) / 4.0);
    }

    @Test
    void picksOneAfterTheOtherWaitAboutAsLongAsPicksAllAtOnce() {
        Random random = new Random(7);
        List<Long> window = new ArrayList<>();
        List<Long> order = new ArrayList<>();
        for (long next = 0; next < 20_000; next++) {
            window.add(next);
            if (window.size() == 10) {
                order.add(window.remove(random.nextInt(10)));
            }
        }
        assertThat(WindowWait.meanRounds(order, 10)).isCloseTo(1.535, within(0.03));
    }
}
