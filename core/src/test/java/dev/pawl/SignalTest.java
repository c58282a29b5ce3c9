package dev.pawl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.Signal;
import org.junit.jupiter.api.Test;

class SignalTest {
    /** Regression: each attempt that received such a signal failed. */
    @Test
    void aSignalNeedsAValue() {
        assertThatThrownBy(() -> Signal.of("approved", Void.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("approved", "Boolean");
    }
}
