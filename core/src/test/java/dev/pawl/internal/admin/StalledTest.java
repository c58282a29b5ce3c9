package dev.pawl.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.StalledJob;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StalledTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    private static Job running(long id, String kind, Duration since) {
        return Job.builder(id, kind, "default")
                .state(JobState.RUNNING)
                .startedAt(NOW.minus(since))
                .build();
    }

    private static List<Long> stalled(List<Job> running, Map<String, Duration> longestByKind) {
        return Stalled.among(running, longestByKind, NOW).stream()
                .map(StalledJob::jobId)
                .toList();
    }

    @Test
    void aRunIsStalledAfterFiveTimesTheLongestAndAMinuteMore() {
        assertThat(stalled(
                        List.of(
                                running(3, "slow", Duration.ofMinutes(49)),
                                running(4, "slow", Duration.ofMinutes(51)),
                                running(5, "slow", Duration.ofMinutes(90))),
                        Map.of("slow", Duration.ofMinutes(10))))
                .containsExactly(5L, 4L);
        assertThat(stalled(
                        List.of(
                                running(2, "quick", Duration.ofSeconds(59)),
                                running(3, "quick", Duration.ofSeconds(61))),
                        Map.of("quick", Duration.ofMillis(2))))
                .containsExactly(3L);
    }

    @Test
    void aKindWithoutCompletedRunsHasNoStalledJobs() {
        assertThat(stalled(List.of(running(1, "new", Duration.ofDays(1))), Map.of("other", Duration.ofMillis(1))))
                .isEmpty();
    }
}
