package dev.pawl.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.database.sqlite.SqliteDialect;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OpenWritersTest {
    private final OpenWriters writers = new OpenWriters(new SqliteDialect("3", "", "pawl_"));

    private static Instant at(int second) {
        return Instant.EPOCH.plusSeconds(second);
    }

    private void learn(int second, Set<String> open) {
        learn(1, second, open);
    }

    private void learn(long server, int second, Set<String> open) {
        long nanos = TimeUnit.SECONDS.toNanos(second);
        writers.learn(server, at(second), open, nanos, nanos);
    }

    @Test
    void aTimeIsClosedWhenAllItsWritersHaveFinished() {
        learn(1, Set.of("a", "b"));
        assertThat(writers.closedUpTo()).isEqualTo(Instant.EPOCH);
        learn(2, Set.of("b", "c"));
        assertThat(writers.closedUpTo()).isEqualTo(Instant.EPOCH);
        learn(3, Set.of("c"));
        assertThat(writers.closedUpTo()).as("c came after the first look").isEqualTo(at(1));
        learn(4, Set.of("d"));
        assertThat(writers.closedUpTo()).isEqualTo(at(3));
    }

    @Test
    void aReusedTransactionNameIsAnotherWriter() {
        learn(1, Set.of("a"));
        learn(2, Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(at(1));
        learn(3, Set.of("a"));
        assertThat(writers.closedUpTo()).isEqualTo(at(2));
        learn(4, Set.of("a"));
        assertThat(writers.closedUpTo()).isEqualTo(at(2));
    }

    @Test
    void aClockSetBackClosesNothing() {
        learn(100, Set.of());
        learn(50, Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(Instant.EPOCH);
        learn(51, Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(at(50));
    }

    /** The clock is set back by 300 ms right after a scan, so later claims have times before that scan. */
    @Test
    void aClockSetBackByLessThanAnIntervalClosesNothing() {
        learn(1, Set.of());
        learn(2, Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(at(1));
        long third = TimeUnit.SECONDS.toNanos(3);
        writers.learn(1, at(3).minusMillis(300), Set.of("began after the second look"), third, third);
        assertThat(writers.closedUpTo()).isEqualTo(Instant.EPOCH);
    }

    /** Samples come from another server after a failover, or while the pool has connections to two servers. */
    @Test
    void aSampleOfAnotherServerClosesNothing() {
        learn(1, 1, Set.of());
        learn(1, 2, Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(at(1));
        learn(2, 3, Set.of("a"));
        assertThat(writers.closedUpTo()).isEqualTo(Instant.EPOCH);
        learn(1, 4, Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(Instant.EPOCH);
        learn(2, 5, Set.of("a"));
        learn(2, 6, Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(at(5));
        assertThat(writers.server()).isEqualTo(2);
    }
}
