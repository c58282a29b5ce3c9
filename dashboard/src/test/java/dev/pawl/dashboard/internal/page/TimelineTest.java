package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static final Instant CREATED = Instant.parse("2026-11-23T08:00:00Z");

    private static Timeline.Event last(Instant availableAt, Map<String, String> headers) {
        Job job = Job.builder(1, "save", "default")
                .createdAt(CREATED)
                .availableAt(availableAt)
                .headers(headers)
                .build();
        List<Timeline.Event> events = Timeline.of(job, List.of(), List.of(), List.of());
        return events.get(events.size() - 1);
    }

    @Test
    void eventsNeverUsePlaceholderMoments() {
        assertThat(last(Job.HELD_BACK, Map.of("pawl-batch", "7")))
                .isEqualTo(new Timeline.Event(CREATED, "next", "is paused with its batch", ""));
        assertThat(last(Job.PARKED, Map.of("pawl-key", "c1")))
                .isEqualTo(new Timeline.Event(CREATED, "next", "waits for others of its key", ""));
        assertThat(last(Job.BLOCKED, Map.of()))
                .isEqualTo(new Timeline.Event(CREATED, "next", "waits for others of its workflow", ""));
        assertThat(last(CREATED.plusSeconds(9), Map.of()))
                .isEqualTo(new Timeline.Event(CREATED.plusSeconds(9), "next", "may be claimed", ""));
    }
}
