package dev.pawl.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.database.sqlite.SqliteDialect;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenWritersTest {
    private final OpenWriters writers = new OpenWriters(new SqliteDialect("3", "", "pawl_"));

    private static Instant at(int second) {
        return Instant.EPOCH.plusSeconds(second);
    }

    @Test
    void aMomentIsClosedWhenAllWhoWroteThenAreGone() {
        writers.learn(at(1), Set.of("a", "b"));
        assertThat(writers.closedUpTo()).isEqualTo(Instant.EPOCH);
        writers.learn(at(2), Set.of("b", "c"));
        assertThat(writers.closedUpTo()).isEqualTo(Instant.EPOCH);
        writers.learn(at(3), Set.of("c"));
        assertThat(writers.closedUpTo()).as("c came after the first look").isEqualTo(at(1));
        writers.learn(at(4), Set.of("d"));
        assertThat(writers.closedUpTo()).isEqualTo(at(3));
    }

    @Test
    void whoeverComesBackUnderTheSameNameIsAnother() {
        writers.learn(at(1), Set.of("a"));
        writers.learn(at(2), Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(at(1));
        writers.learn(at(3), Set.of("a"));
        assertThat(writers.closedUpTo()).isEqualTo(at(2));
        writers.learn(at(4), Set.of("a"));
        assertThat(writers.closedUpTo()).isEqualTo(at(2));
    }

    @Test
    void aClockThatIsSetBackClosesNothing() {
        writers.learn(at(100), Set.of());
        writers.learn(at(50), Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(Instant.EPOCH);
        writers.learn(at(51), Set.of());
        assertThat(writers.closedUpTo()).isEqualTo(at(50));
    }
}
