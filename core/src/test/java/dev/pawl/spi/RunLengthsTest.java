package dev.pawl.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunLengthsTest {
    private static final long MILLIS = 1_000_000;
    private static final long[] BOUNDS = {0, MILLIS, 2 * MILLIS, 4 * MILLIS, 1_000 * MILLIS, 2_000 * MILLIS};

    private static RunLengths of(@Nullable String kind, long... counts) {
        return RunLengths.of(kind, BOUNDS, counts);
    }

    @Test
    void quantilesAreInterpolated() {
        RunLengths lengths = of("mail", 0, 0, 90, 0, 10);
        assertThat(lengths.runs()).isEqualTo(100);
        assertThat(lengths.quantile(0)).isEqualTo(Duration.ofMillis(2));
        assertThat(lengths.quantile(0.45)).isEqualTo(Duration.ofMillis(3));
        assertThat(lengths.quantile(0.95)).isBetween(Duration.ofMillis(1_490), Duration.ofMillis(1_510));
        assertThat(lengths.quantile(1)).isEqualTo(Duration.ofSeconds(2));
        assertThat(lengths.total()).isEqualTo(Duration.ofMillis(90 * 3 + 10 * 1_500));
        assertThat(lengths.buckets())
                .containsExactly(
                        new RunLengths.Bucket(Duration.ofMillis(2), Duration.ofMillis(4), 90),
                        new RunLengths.Bucket(Duration.ofSeconds(1), Duration.ofSeconds(2), 10));
        assertThat(of("mail", 0, 0, 0, 0, 0).quantile(0.5)).isZero();
        assertThat(RunLengths.together(List.of()).quantile(0.5)).isZero();
    }

    @Test
    void histogramsWithDifferentBucketsAreNotAdded() {
        assertThatThrownBy(() -> RunLengths.of("mail", BOUNDS, new long[6]))
                .isInstanceOf(IllegalArgumentException.class);
        RunLengths other = RunLengths.of("mail", new long[] {0, 1, 2, 3, 4, 5}, new long[5]);
        assertThatThrownBy(() -> RunLengths.together(List.of(of("mail", 1, 0, 0, 0, 0), other)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void histogramsOfAKindAreAddedAndSeveralKindsComeLast() {
        List<RunLengths> all = List.of(
                of(null, 0, 5, 0, 0, 0),
                of("sms", 0, 1, 0, 0, 0),
                of("mail", 0, 0, 2, 0, 0),
                of("mail", 0, 3, 4, 0, 0),
                of(null, 0, 1, 0, 0, 0));
        assertThat(RunLengths.byKind(all))
                .containsExactly(of("mail", 0, 3, 6, 0, 0), of("sms", 0, 1, 0, 0, 0), of(null, 0, 6, 0, 0, 0));
        assertThat(RunLengths.together(all)).isEqualTo(of(null, 0, 10, 6, 0, 0));
    }
}
