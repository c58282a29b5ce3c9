package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ErrorTextTest {
    private static final class Message extends Exception {
        private static final long serialVersionUID = 1L;

        Message(String message) {
            super(message, null, false, false);
        }
    }

    @Test
    void anErrorWithoutAStackTraceIsItsMessage() {
        assertThat(ErrorText.of(new Message("exit 3: no such file"))).isEqualTo("exit 3: no such file");
        assertThat(ErrorText.of(new Message(""))).contains("ErrorTextTest$Message");
        assertThat(ErrorText.of(new IllegalStateException("boom")))
                .startsWith("java.lang.IllegalStateException: boom")
                .contains("\tat ");
    }

    @Test
    void durationsAreWrittenForPeople() {
        assertThat(HumanDuration.of(Duration.ofMillis(250))).isEqualTo("250 ms");
        assertThat(HumanDuration.of(Duration.parse("PT3.007969672S"))).isEqualTo("3 s");
        assertThat(HumanDuration.of(Duration.ofMillis(2500))).isEqualTo("2.5 s");
        assertThat(HumanDuration.of(Duration.ofSeconds(90))).isEqualTo("1 min 30 s");
        assertThat(HumanDuration.of(Duration.ofHours(2))).isEqualTo("2 h");
        assertThat(HumanDuration.of(Duration.ofHours(49))).isEqualTo("2 d 1 h");
    }
}
