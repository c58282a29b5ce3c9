package dev.pawl.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RangeWidthTest {
    private final RangeWidth width = new RangeWidth();

    @Test
    void quickStatementsWidenItUpToTheMaximum() {
        width.took(Duration.ofMillis(1));
        assertThat(width.ids()).isEqualTo(2 * RangeWidth.FIRST);
        for (int i = 0; i < 100; i++) {
            width.took(Duration.ofMillis(1));
        }
        assertThat(width.ids()).isEqualTo(RangeWidth.MAX);
    }

    @Test
    void aSlowStatementShrinksItToWhatShouldBeQuick() {
        width.took(RangeWidth.QUICK.multipliedBy(4));
        assertThat(width.ids()).isEqualTo(RangeWidth.FIRST / 4);
        width.took(RangeWidth.QUICK);
        assertThat(width.ids()).isEqualTo(RangeWidth.FIRST / 4);
        width.took(Duration.ofHours(1));
        assertThat(width.ids()).isEqualTo(RangeWidth.MIN);
    }
}
