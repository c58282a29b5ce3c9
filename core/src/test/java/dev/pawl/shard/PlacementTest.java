package dev.pawl.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "customer-" + i).toList();
    }

    /** Jobs stay on the shard where an earlier version has put them. */
    @Test
    void theShardOfAKeyNeverChanges() {
        Placement three = new Placement(3);
        assertThat(keys(12).stream().map(three::of)).containsExactly(2, 1, 2, 2, 2, 0, 0, 1, 0, 2, 2, 1);
        assertThat(three.of("\u00fc\ud83d\ude00")).isEqualTo(1);
    }

    @Test
    void keysAreSpreadEvenly() {
        Placement five = new Placement(5);
        Integer[] each = {0, 0, 0, 0, 0};
        keys(10_000).forEach(key -> each[five.of(key)]++);
        assertThat(each).allSatisfy(count -> assertThat(count).isBetween(1_850, 2_150));
    }

    @Test
    void aNewShardTakesKeysOnlyForItself() {
        Placement four = new Placement(4);
        Placement five = new Placement(5);
        List<String> moved = keys(10_000).stream()
                .filter(key -> four.of(key) != five.of(key))
                .toList();
        assertThat(moved).allSatisfy(key -> assertThat(five.of(key)).isEqualTo(4));
        assertThat(moved).hasSizeBetween(1_850, 2_150);
    }

    @Test
    void jobsWithoutAKeyAvoidAShardThatHasFailed() {
        Placement three = new Placement(3);
        assertThat(IntStream.range(0, 6).map(i -> three.any())).containsExactly(0, 1, 2, 0, 1, 2);
        List.of(0, 1, 2).forEach(three::begun);
        three.failed(1);
        assertThat(IntStream.range(0, 100).map(i -> three.any()))
                .doesNotContain(1)
                .contains(0, 2);
        three.failed(0);
        three.failed(2);
        assertThat(IntStream.range(0, 100).map(i -> three.any())).contains(0, 1, 2);
    }

    /** Otherwise all jobs would wait for the timeout of the shard. */
    @Test
    void afterTheWaitOneJobTriesTheShardAgain() {
        Placement two = new Placement(2);
        long failed = System.nanoTime();
        two.begun(1);
        two.failed(1, failed);
        long later = failed + TimeUnit.SECONDS.toNanos(6);
        List<Integer> tried =
                IntStream.range(0, 10).mapToObj(i -> two.any(later)).toList();
        assertThat(tried).containsOnlyOnce(1);
        two.begun(1);
        two.answered(1);
        assertThat(IntStream.range(0, 10).map(i -> two.any(later))).contains(0, 1);
    }

    @Test
    void jobsWithoutAKeyAvoidAShardThatDoesNotAnswer() {
        Placement two = new Placement(2);
        long begun = System.nanoTime();
        two.begun(1, begun);
        assertThat(IntStream.range(0, 10).map(i -> two.any(begun))).contains(0, 1);
        long later = begun + TimeUnit.SECONDS.toNanos(2);
        assertThat(IntStream.range(0, 10).map(i -> two.any(later))).containsOnly(0);
        two.answered(1);
        assertThat(IntStream.range(0, 10).map(i -> two.any(later))).contains(0, 1);
    }
}
