package dev.pawl.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestSizeTest {
    private static long millis(int millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void quickAnswersMakeItLargerAndSlowOnesSmaller() {
        RequestSize size = new RequestSize(1_000);
        assertThat(size.keys()).isEqualTo(100);
        size.sent(99, millis(1));
        assertThat(size.keys()).as("there were no more").isEqualTo(100);
        size.sent(100, millis(30));
        assertThat(size.keys()).isEqualTo(100);
        for (int i = 0; i < 4; i++) {
            size.sent(size.keys(), millis(19));
        }
        assertThat(size.keys()).isEqualTo(500);
        size.sent(500, millis(41));
        assertThat(size.keys()).isEqualTo(250);
        size.sent(3, millis(3_000));
        assertThat(size.keys()).isEqualTo(10);
        size.sent(10, millis(2));
        assertThat(size.keys()).isEqualTo(20);
    }

    @Test
    void itIsNeverLargerThanWhatIsReadQuickly() {
        RequestSize size = new RequestSize(50);
        assertThat(size.keys()).isEqualTo(50);
        size.sent(50, millis(1));
        assertThat(size.keys()).isEqualTo(50);
    }
}
