package dev.pawl.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.store.JobKey;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyScheduleTest {
    private final KeySchedule keys = new KeySchedule();

    private static JobKey key(String name) {
        return new JobKey("q", name);
    }

    private List<String> take(long now, int max) {
        return keys.take(now, max).stream().map(JobKey::key).toList();
    }

    @Test
    void neighboursAreTakenTogether() {
        Stream.of("d", "a", "c", "b").forEach(name -> keys.remember(key(name), 0));
        assertThat(take(0, 3)).containsExactly("a", "b", "c");
    }

    /** The first keys are added again at once; the others are still taken before them. */
    @Test
    void noKeyStarves() {
        Stream.of("a", "b", "c", "d", "e").forEach(name -> keys.remember(key(name), 0));
        assertThat(take(0, 2)).containsExactly("a", "b");
        Stream.of("a", "b").forEach(name -> keys.remember(key(name), 0));
        assertThat(take(0, 2)).containsExactly("c", "d");
        assertThat(take(0, 9)).containsExactly("e", "a", "b");
    }

    /** New keys keep sorting behind the last one, as if names were timestamps. */
    @Test
    void noKeyStarvesAmongGrowingNames() {
        Stream.of("b", "c", "d", "e").forEach(name -> keys.remember(key(name), 0));
        assertThat(take(0, 2)).containsExactly("b", "c");
        Stream.of("a", "f", "g").forEach(name -> keys.remember(key(name), 0));
        assertThat(take(0, 2)).containsExactly("d", "e");
        Stream.of("h", "i", "j").forEach(name -> keys.remember(key(name), 0));
        assertThat(take(0, 2)).containsExactly("a", "f");
        assertThat(take(0, 9)).containsExactly("g", "h", "i", "j");
    }

    @Test
    void keysWaitUntilTheyAreDue() {
        keys.remember(key("a"), 10);
        keys.remember(key("b"), 5);
        assertThat(keys.untilNext(2)).isEqualTo(3);
        assertThat(take(4, 9)).isEmpty();
        assertThat(take(5, 9)).containsExactly("b");
        assertThat(keys.untilNext(20)).isZero();
        assertThat(take(20, 9)).containsExactly("a");
        assertThat(keys.untilNext(20)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theEarlierTimeCounts() {
        keys.remember(key("a"), Long.MAX_VALUE);
        keys.remember(key("a"), Long.MIN_VALUE); // one nanosecond later: System.nanoTime() may overflow
        assertThat(keys.untilNext(Long.MAX_VALUE - 7)).isEqualTo(7);
    }

    @Test
    void theNumberOfKeysIsBounded() {
        for (int i = 0; i < 20_000; i++) {
            keys.remember(key("k" + i), 0);
        }
        assertThat(keys.take(0, 50_000)).hasSize(10_000);
    }
}
