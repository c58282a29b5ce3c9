package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueRatesTest {
    private static final Instant BEGIN = Instant.parse("2026-11-23T08:00:00Z");

    private static Sample sample(int minute, long completed, long discarded) {
        return new Sample(
                BEGIN.plusSeconds(60L * minute),
                Duration.ofMinutes(1),
                List.of(
                        new QueueSample("mail", 0, 0, 0, 0, null, completed, discarded),
                        new QueueSample("other", 0, 0, 0, 0, null, 9_999, 9_999)),
                List.of());
    }

    private static QueueRates of(List<Sample> samples) {
        return QueueRates.of("mail", new RecentSeries.Series(samples, Map.of()));
    }

    @Test
    void ratesAreThoseOfTheLastFiveMinutes() {
        List<Sample> samples = new ArrayList<>();
        for (int minute = 0; minute < 10; minute++) {
            samples.add(minute < 5 ? sample(minute, 6_000, 6_000) : sample(minute, 90, 10));
        }
        assertThat(of(samples)).isEqualTo(new QueueRates("1.5", "0.2", "10.0 %"));
    }

    @Test
    void nothingIsSaidWithoutSamples() {
        assertThat(of(List.of())).isEqualTo(new QueueRates("", "", ""));
        assertThat(of(List.of(sample(0, 0, 0)))).isEqualTo(new QueueRates("0", "0", ""));
    }
}
