package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueOrderTest {
    @Test
    void newMatchingQueuesAreDiscovered() throws Exception {
        MatchingQueues order = new MatchingQueues(List.of("mail-*", "*.eu", "fixed"));
        assertThat(order.names()).containsExactly("fixed");
        assertThat(order.wants("mail-17")).isTrue();
        assertThat(order.wants("shop.eu")).isTrue();
        assertThat(order.wants("mail")).isFalse();
        assertThat(order.wants("shopXeu")).as("a dot is a dot").isFalse();
        assertThat(order.found(List.of("mail-17", "other"))).isFalse();
        assertThat(order.found(List.of("mail-18", "other"))).isTrue();
        assertThat(order.names()).containsExactly("fixed", "mail-17", "mail-18", "shop.eu");
        assertThat(order.set()).contains("mail-18");
        assertThat(order.shares(3, () -> List.of("mail-17", "fixed")))
                .hasSize(2)
                .allSatisfy(share -> assertThat(share.limit()).isEqualTo(3));
    }

    @Test
    void everyMatchingQueueIsSometimesFirst() throws Exception {
        MatchingQueues order = new MatchingQueues(List.of("*"));
        Set<String> first = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            first.add(order.shares(1, () -> List.of("a", "b", "c")).get(0).queue());
        }
        assertThat(first).containsExactlyInAnyOrder("a", "b", "c");
    }

    /** Tenants come and go. */
    @Test
    void aQueueThatIsNotSeenForLongIsForgotten() throws Exception {
        MatchingQueues order = new MatchingQueues(List.of("*", "fixed"));
        long now = System.nanoTime();
        order.found(IntStream.range(0, 999).mapToObj(i -> "q" + i).toList(), now);
        long later = now + TimeUnit.MINUTES.toNanos(6);
        assertThat(order.found(List.of("q1", "late"), later)).isTrue();
        assertThat(order.names()).containsExactly("fixed", "late", "q1");
    }

    @Test
    void ofVeryManyQueuesThoseSeenLastAreKnownAndNoneIsRefused() throws Exception {
        MatchingQueues order = new MatchingQueues(List.of("*", "fixed"));
        long now = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
        order.found(List.of("first"), now);
        order.found(IntStream.range(0, 9_998).mapToObj(i -> "q" + i).toList(), now + 1);
        assertThat(order.names()).hasSize(10_000).contains("first");
        assertThat(order.wants("one-more")).isTrue();
        assertThat(order.names()).hasSize(10_000).contains("fixed", "one-more").doesNotContain("first");
    }

    @Test
    void strictOffersEachQueueTheWholeLimit() throws Exception {
        assertThat(new QueueOrder.Strict(List.of("a", "b")).shares(7, List::of))
                .containsExactly(new QueueOrder.Share("a", 7), new QueueOrder.Share("b", 7));
    }

    @Test
    void sharesFollowTheWeightsAndAddUpToTheRequest() throws Exception {
        QueueOrder order = new QueueOrder.Weighted(Map.of("a", 1, "b", 2, "c", 5));
        assertThat(order.shares(80, List::of))
                .containsExactlyInAnyOrder(
                        new QueueOrder.Share("a", 10), new QueueOrder.Share("b", 20), new QueueOrder.Share("c", 50));
        for (int wanted = 1; wanted < 80; wanted++) {
            assertThat(order.shares(wanted, List::of).stream().mapToInt(QueueOrder.Share::limit))
                    .as("%d wanted", wanted)
                    .allMatch(limit -> limit >= 0);
            assertThat(order.shares(wanted, List::of).stream()
                            .mapToInt(QueueOrder.Share::limit)
                            .sum())
                    .isEqualTo(wanted);
        }
    }

    /** The first queue may take the share of all others. */
    @Test
    void theFirstQueueIsDrawnByWeight() throws Exception {
        QueueOrder order = new QueueOrder.Weighted(Map.of("a", 1, "b", 2, "c", 5));
        Map<String, Integer> first = new HashMap<>();
        for (int round = 0; round < 8000; round++) {
            first.merge(order.shares(1, List::of).get(0).queue(), 1, Integer::sum);
        }
        assertThat(first.get("a")).isBetween(750, 1250);
        assertThat(first.get("b")).isBetween(1700, 2300);
        assertThat(first.get("c")).isBetween(4700, 5300);
    }

    @Test
    void weightsHoldOverManyRoundsWhetherLargeOrSmall() throws Exception {
        QueueOrder order = new QueueOrder.Weighted(Map.of("a", 3, "b", 1));
        for (int wanted : new int[] {1, 2, 100}) {
            Map<String, Integer> sums = new HashMap<>();
            for (int round = 0; round < 4000; round++) {
                for (QueueOrder.Share share : order.shares(wanted, List::of)) {
                    sums.merge(share.queue(), share.limit(), Integer::sum);
                }
            }
            double shareOfA =
                    sums.getOrDefault("a", 0) / (double) (sums.getOrDefault("a", 0) + sums.getOrDefault("b", 0));
            assertThat(shareOfA).as("of %d wanted", wanted).isBetween(0.72, 0.78);
        }
    }
}
