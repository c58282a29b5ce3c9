package dev.pawl.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WindowSizeTest {
    private int live = 3;
    private int counted;
    private long now = 17;

    private int count() {
        counted++;
        return live;
    }

    private WindowSize size(int told) {
        return new WindowSize(told, this::count, () -> now);
    }

    @Test
    void aConfiguredWindowIsAtLeastTheBatch() throws SQLException {
        assertThat(size(50).of(10)).isEqualTo(50);
        assertThat(size(50).of(51)).isEqualTo(51);
        assertThat(size(20_000).of(10)).isEqualTo(10_000);
        assertThat(counted).isZero();
    }

    @Test
    void aFollowingWindowHasABatchForEachLiveWorker() throws SQLException {
        WindowSize size = size(Strategy.Optimistic.FOLLOW_WORKERS);
        assertThat(size.of(10)).isEqualTo(30);
        live = 5000;
        assertThat(size.of(10)).as("counted a moment ago").isEqualTo(30);
        now += TimeUnit.SECONDS.toNanos(5) - 1;
        assertThat(size.of(10)).isEqualTo(30);
        assertThat(counted).isEqualTo(1);
        now++;
        assertThat(size.of(10)).isEqualTo(10_000);
        assertThat(counted).isEqualTo(2);
        assertThat(size.of(20_000)).isEqualTo(20_000);
    }

    /** The worker itself may not be registered yet, or be considered dead. */
    @Test
    void withoutLiveWorkersTheWindowIsABatchAndWorkersAreCountedAgain() throws SQLException {
        live = 0;
        WindowSize size = size(Strategy.Optimistic.FOLLOW_WORKERS);
        assertThat(size.of(10)).isEqualTo(10);
        live = 2;
        assertThat(size.of(10)).isEqualTo(20);
    }
}
