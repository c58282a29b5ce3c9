package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueOrderTest {
    @Test
    void strictAsksTheFirstQueueForEverything() {
        assertThat(new QueueOrder.Strict(List.of("a", "b")).shares(7))
                .containsExactly(new QueueOrder.Share("a", 7), new QueueOrder.Share("b", 7));
    }

    @Test
    void weightsHoldOverManyRoundsWhetherLargeOrSmall() {
        QueueOrder order = new QueueOrder.Weighted(Map.of("a", 3, "b", 1));
        for (int wanted : new int[] {1, 2, 100}) {
            Map<String, Integer> sums = new HashMap<>();
            for (int round = 0; round < 4000; round++) {
                for (QueueOrder.Share share : order.shares(wanted)) {
                    sums.merge(share.queue(), share.limit(), Integer::sum);
                }
            }
            double shareOfA =
                    sums.getOrDefault("a", 0) / (double) (sums.getOrDefault("a", 0) + sums.getOrDefault("b", 0));
            assertThat(shareOfA).as("of %d wanted", wanted).isBetween(0.72, 0.78);
        }
    }
}
