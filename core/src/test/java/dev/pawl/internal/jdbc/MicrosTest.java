package dev.pawl.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class MicrosTest {
    /** Times up to the year 9000 are allowed; their nanoseconds overflow a long. */
    @Test
    void distantTimesCanBeWritten() {
        Instant far = Instant.parse("9000-01-01T00:00:00.123456Z");
        assertThat(Instant.EPOCH.plus(Micros.of(far), ChronoUnit.MICROS)).isEqualTo(far);
    }

    @Test
    void timesBefore1970CanBeWritten() {
        Instant past = Instant.parse("1969-12-31T23:59:59.999999Z");
        assertThat(Micros.of(past)).isEqualTo(-1);
        assertThat(Micros.of(Duration.ofNanos(-1))).isEqualTo(-1);
    }
}
