package dev.pawl.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeSlotsTest {
    private static final long MILLI = 1_000;

    @Test
    void atMostOneNodeMayBeginAndEachWaitsForItsSlotOnly() {
        int nodes = 3;
        for (long now = 0; now < 1_000; now++) {
            long moment = now * MILLI;
            long free = IntStream.range(0, nodes)
                    .filter(place -> NodeSlots.wait(moment, place, nodes) == 0)
                    .count();
            assertThat(free).isLessThanOrEqualTo(1);
            for (int place = 0; place < nodes; place++) {
                long wait = NodeSlots.wait(moment, place, nodes);
                assertThat(wait).isBetween(0L, 600 * MILLI);
                assertThat(NodeSlots.wait(moment + wait, place, nodes)).isZero();
            }
        }
    }

    @Test
    void theLastNodeThatBeganHasTimeToCommitBeforeTheNextOneBegins() {
        long end = IntStream.range(0, 300)
                .filter(now -> NodeSlots.wait(now * MILLI, 0, 3) == 0)
                .max()
                .orElseThrow();
        long next = IntStream.range((int) end, 300)
                .filter(now -> NodeSlots.wait(now * MILLI, 1, 3) == 0)
                .min()
                .orElseThrow();
        assertThat(next - end).isGreaterThanOrEqualTo(60);
    }
}
