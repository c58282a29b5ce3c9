package dev.pawl.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunLengthsTest {
    private static RunLengths.Bucket millis(long from, long upTo, long runs) {
        return new RunLengths.Bucket(Duration.ofMillis(from), Duration.ofMillis(upTo), runs);
    }

    private static RunLengths of(@Nullable String kind, RunLengths.Bucket... buckets) {
        return new RunLengths(kind, List.of(buckets));
    }

    @Test
    void aShareOfTheRunsTookAtMostSoLong() {
        RunLengths lengths = of("mail", millis(10, 20, 90), millis(1_000, 2_000, 10));
        assertThat(lengths.runs()).isEqualTo(100);
        assertThat(lengths.quantile(0)).isEqualTo(Duration.ofMillis(10));
        assertThat(lengths.quantile(0.45)).isEqualTo(Duration.ofMillis(15));
        assertThat(lengths.quantile(0.95)).isBetween(Duration.ofMillis(1_490), Duration.ofMillis(1_510));
        assertThat(lengths.quantile(1)).isEqualTo(Duration.ofSeconds(2));
        assertThat(of("mail").quantile(0.5)).isZero();
    }

    @Test
    void thoseOfAKindAreOneAndSeveralKindsComeLast() {
        List<RunLengths> all = List.of(
                of(null, millis(1, 2, 5)),
                of("sms", millis(1, 2, 1)),
                of("mail", millis(2, 4, 2)),
                of("mail", millis(1, 2, 3), millis(2, 4, 4)),
                of(null, millis(1, 2, 1)));
        assertThat(RunLengths.byKind(all))
                .containsExactly(
                        of("mail", millis(1, 2, 3), millis(2, 4, 6)),
                        of("sms", millis(1, 2, 1)),
                        of(null, millis(1, 2, 6)));
        assertThat(RunLengths.together(all)).isEqualTo(of(null, millis(1, 2, 10), millis(2, 4, 6)));
    }
}
