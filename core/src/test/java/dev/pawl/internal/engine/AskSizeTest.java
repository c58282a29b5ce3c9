package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AskSizeTest {
    private static long millis(int millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void quickAnswersMakeItLargerAndSlowOnesSmaller() {
        AskSize size = new AskSize(1_000);
        assertThat(size.keys()).isEqualTo(100);
        size.asked(99, millis(1));
        assertThat(size.keys()).as("there were no more").isEqualTo(100);
        size.asked(100, millis(30));
        assertThat(size.keys()).isEqualTo(100);
        for (int i = 0; i < 4; i++) {
            size.asked(size.keys(), millis(19));
        }
        assertThat(size.keys()).isEqualTo(500);
        size.asked(500, millis(41));
        assertThat(size.keys()).isEqualTo(250);
        size.asked(3, millis(3_000));
        assertThat(size.keys()).isEqualTo(10);
        size.asked(10, millis(2));
        assertThat(size.keys()).isEqualTo(20);
    }

    @Test
    void itIsNeverLargerThanWhatIsReadQuickly() {
        AskSize size = new AskSize(50);
        assertThat(size.keys()).isEqualTo(50);
        size.asked(50, millis(1));
        assertThat(size.keys()).isEqualTo(50);
    }
}
