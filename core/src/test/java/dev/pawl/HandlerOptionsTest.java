package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.HandlerOptions;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerOptionsTest {
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, 0, -1, Long.MIN_VALUE, 366L * 24 * 3600 * 10})
    void timeoutsThatAreNotPositiveOrLongerThanTenYearsAreRefused(long seconds) {
        assertThatThrownBy(() -> HandlerOptions.DEFAULTS.timeout(Duration.ofSeconds(seconds)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most ten years");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3600, 3650L * 24 * 3600})
    void otherTimeoutsAreAccepted(long seconds) {
        assertThat(HandlerOptions.DEFAULTS.timeout(Duration.ofSeconds(seconds)).timeout())
                .isEqualTo(Duration.ofSeconds(seconds));
    }
}
