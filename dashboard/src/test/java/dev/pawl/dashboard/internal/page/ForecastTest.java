package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.QueueStats;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ForecastTest {
    private static final Instant BEGIN = Instant.parse("2026-11-23T08:00:00Z");

    private static QueueStats stats(long available) {
        return new QueueStats("mail", false, null, available, 0, 0, 0, null, 0, 0, 0, Set.of());
    }

    /** {@return the forecast for samples ten seconds apart in which available and delayed jobs change by these steps} */
    private static String of(int samples, long available, long delayed) {
        List<Sample> all = new ArrayList<>();
        List<QueueSample> values = new ArrayList<>();
        for (int i = 0; i < samples; i++) {
            values.add(new QueueSample("mail", 10_000 + i * available, 50_000 + i * delayed, 0, 0, null, 0, 0));
            all.add(new Sample(BEGIN.plusSeconds(10L * i), Duration.ofSeconds(10), List.of(values.get(i)), List.of()));
        }
        long left = values.get(samples - 1).available();
        return QueueRow.forecast(stats(left), all, values);
    }

    /** {@return the forecast for these numbers of available jobs, ten seconds apart} */
    private static String of(long... available) {
        List<Sample> all = new ArrayList<>();
        List<QueueSample> values = new ArrayList<>();
        for (long each : available) {
            values.add(new QueueSample("mail", each, 0, 0, 0, null, 0, 0));
            all.add(new Sample(BEGIN.plusSeconds(10L * all.size()), Duration.ofSeconds(10), List.of(), List.of()));
        }
        long left = available[available.length - 1];
        return QueueRow.forecast(stats(left), all, values);
    }

    @Test
    void reversedTrendsUseTheCurrentDirection() {
        assertThat(of(0, 0, 9_000, 7_000, 5_000, 3_000)).isEqualTo("empty in about 15 s"); // a burst is worked off
        assertThat(of(9_000, 6_000, 3_000, 10, 1_010, 2_010, 3_010)).isEqualTo("growing, 100 a second");
        assertThat(of(5_000, 5_100, 4_900, 5_050, 5_000, 4_900)).isEqualTo("empty in about 40 min 50 s"); // no reversal
    }

    @Test
    void forecastsUseAvailableJobs() {
        assertThat(of(10, -100, 0)).isEqualTo("empty in about 15 min 10 s"); // 9,100 jobs, ten a second
        // More delayed jobs accumulate, but the available ones decrease.
        assertThat(of(10, -100, 5_000)).isEqualTo("empty in about 15 min 10 s");
        assertThat(of(10, 100, -5_000)).isEqualTo("growing, 10 a second");
        assertThat(of(10, 0, 7)).isEqualTo("neither grows nor shrinks");
        assertThat(of(2, -100, 0)).as("too short to tell").isEmpty();
        assertThat(of(500, -10, 0)).isEqualTo("empty in about 1 h 23 min"); // based on the last ten minutes
    }
}
