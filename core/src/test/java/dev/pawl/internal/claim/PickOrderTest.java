package dev.pawl.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pawl.api.Strategy;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PickOrderTest {
    private static final int DRAWS = 60_000;
    private static final List<Integer> WINDOW = IntStream.range(0, 6).boxed().toList();

    /** {@return how often each position of the window is tried first, as a share} */
    private static double[] firsts(Strategy.Pick rule) {
        PickOrder picks = new PickOrder(rule);
        Random random = new Random(7);
        double[] shares = new double[WINDOW.size()];
        for (int i = 0; i < DRAWS; i++) {
            List<Integer> order = picks.inOrder(WINDOW, random);
            assertThat(order).hasSameSizeAs(WINDOW).containsAll(WINDOW);
            shares[order.get(0)] += 1.0 / DRAWS;
        }
        return shares;
    }

    @Test
    void firstKeepsTheOrder() {
        assertThat(new PickOrder(Strategy.Pick.FIRST).inOrder(WINDOW)).isEqualTo(WINDOW);
    }

    @Test
    void uniformTriesEachPlaceWithTheSameChance() {
        for (double share : firsts(Strategy.Pick.UNIFORM)) {
            assertThat(share).isEqualTo(1.0 / WINDOW.size(), offset(0.01));
        }
    }

    @Test
    void exponentialHitsEachWithAThirdAndFallsBackToTheFirst() {
        double[] shares = firsts(Strategy.Pick.EXPONENTIAL);
        double missed = Math.pow(2.0 / 3, WINDOW.size());
        assertThat(shares[0]).isEqualTo(1.0 / 3 + missed, offset(0.01));
        for (int i = 1; i < shares.length; i++) {
            assertThat(shares[i]).isEqualTo(Math.pow(2.0 / 3, i) / 3, offset(0.01));
        }
    }
}
