package dev.pawl.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DisplayStateTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Job job(JobState state, Instant availableAt, int attempt, Map<String, String> headers) {
        return Job.builder(1, "k", "q")
                .state(state)
                .availableAt(availableAt)
                .attempt(attempt)
                .headers(headers)
                .build();
    }

    @Test
    void waitingJobsAreDividedByWhatTheyWaitFor() {
        Map<String, String> none = Map.of();
        assertThat(List.of(
                        DisplayState.of(job(JobState.AVAILABLE, NOW, 0, none), NOW),
                        DisplayState.of(job(JobState.AVAILABLE, NOW.plusSeconds(1), 0, none), NOW),
                        DisplayState.of(job(JobState.AVAILABLE, NOW.plusSeconds(1), 1, none), NOW),
                        DisplayState.of(job(JobState.BLOCKED, NOW, 0, none), NOW),
                        DisplayState.of(job(JobState.PENDING, NOW, 0, none), NOW),
                        DisplayState.of(job(JobState.PAUSED, NOW, 0, none), NOW)))
                .containsExactly(
                        DisplayState.AVAILABLE,
                        DisplayState.SCHEDULED,
                        DisplayState.RETRYABLE,
                        DisplayState.BLOCKED,
                        DisplayState.PENDING,
                        DisplayState.PAUSED);
        for (JobState state : JobState.values()) {
            assertThat(DisplayState.of(job(state, NOW, 1, none), NOW).name()).isEqualTo(state.name());
        }
    }

    @Test
    void aNodeRunsOnlyIfOneOfItsJobsDoes() {
        Job available = job(JobState.AVAILABLE, NOW, 0, Map.of());
        Job running = job(JobState.RUNNING, NOW, 1, Map.of());
        Job done = job(JobState.COMPLETED, NOW, 1, Map.of());
        assertThat(DisplayState.ofNode(WorkflowNode.State.RUNNING, List.of(done, available, running), NOW))
                .isEqualTo("running");
        assertThat(DisplayState.ofNode(WorkflowNode.State.RUNNING, List.of(done, available), NOW))
                .isEqualTo("available");
        assertThat(DisplayState.ofNode(WorkflowNode.State.RUNNING, List.of(done), NOW))
                .isEqualTo("in progress");
        assertThat(DisplayState.ofNode(WorkflowNode.State.RUNNING, List.of(), NOW))
                .isEqualTo("in progress");
        assertThat(DisplayState.ofNode(WorkflowNode.State.WAITING, List.of(), NOW))
                .isEqualTo("pending");
        assertThat(DisplayState.ofNode(WorkflowNode.State.FAILED, List.of(running), NOW))
                .isEqualTo("failed");
    }
}
