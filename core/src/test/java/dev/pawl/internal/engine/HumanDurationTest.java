package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HumanDurationTest {
    private static String spoken(String duration) {
        return HumanDuration.of(Duration.parse(duration));
    }

    @Test
    void durationsAreSaidAsPeopleWriteThem() {
        assertThat(spoken("PT0.999S")).isEqualTo("999 ms");
        assertThat(spoken("PT1S")).isEqualTo("1 s");
        assertThat(spoken("PT2.5S")).isEqualTo("2.5 s");
        assertThat(spoken("PT59.999S")).isEqualTo("59.9 s");
        assertThat(spoken("PT1M")).isEqualTo("1 min");
        assertThat(spoken("PT1M30S")).isEqualTo("1 min 30 s");
        assertThat(spoken("PT1H")).isEqualTo("1 h");
        assertThat(spoken("PT47H5M")).isEqualTo("47 h 5 min");
        assertThat(spoken("P2D")).isEqualTo("2 d");
        assertThat(spoken("P3DT4H")).isEqualTo("3 d 4 h");
    }
}
