package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static final Instant CREATED = Instant.parse("2026-11-23T08:00:00Z");

    private static Timeline.Event last(JobState state, Instant availableAt) {
        Job job = Job.builder(1, "save", "default")
                .createdAt(CREATED)
                .state(state)
                .availableAt(availableAt)
                .build();
        List<Timeline.Event> events = Timeline.of(job, List.of(), List.of(), List.of());
        return events.get(events.size() - 1);
    }

    @Test
    void eventsNeverUsePlaceholderMoments() {
        assertThat(last(JobState.PAUSED, CREATED))
                .isEqualTo(new Timeline.Event(CREATED, "next", "is paused with its batch", ""));
        assertThat(last(JobState.BLOCKED, CREATED))
                .isEqualTo(new Timeline.Event(CREATED, "next", "waits for others of its key", ""));
        assertThat(last(JobState.PENDING, CREATED))
                .isEqualTo(new Timeline.Event(CREATED, "next", "waits for others of its workflow", ""));
        assertThat(last(JobState.AVAILABLE, CREATED.plusSeconds(9)))
                .isEqualTo(new Timeline.Event(CREATED.plusSeconds(9), "next", "may be claimed", ""));
    }
}
