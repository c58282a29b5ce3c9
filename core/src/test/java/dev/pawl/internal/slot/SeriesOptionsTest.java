package dev.pawl.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeriesOptionsTest {
    private final SeriesOptions options = SeriesOptions.defaults("numbers");

    @Test
    void aSeriesCountsFromOne() {
        assertThat(options.next().apply(null)).isEqualTo("1");
        assertThat(options.next().apply("9")).isEqualTo("10");
    }
}
