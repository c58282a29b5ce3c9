package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.spi.QueueSample;
import dev.pawl.spi.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DiscardsTest {
    private static final Instant BEGIN = Instant.parse("2026-11-23T08:00:00Z");

    private static Sample sample(long endSeconds, long spanSeconds, String queue, long discarded) {
        return new Sample(
                BEGIN.plusSeconds(endSeconds),
                Duration.ofSeconds(spanSeconds),
                List.of(new QueueSample(queue, 1, 0, 0, 0, null, 5, discarded)),
                List.of());
    }

    @Test
    void hourlySamplesExtendTheDailyOnes() {
        List<Sample> day =
                List.of(sample(300, 300, "mail", 3), sample(600, 300, "mail", 4), sample(600, 300, "sms", 0));
        List<Sample> hour = List.of(
                sample(590, 10, "mail", 100),
                sample(600, 10, "mail", 100),
                sample(610, 20, "mail", 100), // partly counted before
                sample(620, 10, "mail", 1),
                sample(630, 10, "web", 2));
        assertThat(Discards.of(day, hour)).isEqualTo(Map.of("mail", 8L, "web", 2L));
        assertThat(Discards.of(List.of(), List.of(sample(10, 10, "mail", 1)))).isEqualTo(Map.of("mail", 1L));
    }
}
