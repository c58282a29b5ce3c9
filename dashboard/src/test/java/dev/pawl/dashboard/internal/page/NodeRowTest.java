package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.BatchInfo;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node of a workflow, in its drawing and in its tree. */
class NodeRowTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    private static BatchInfo paused(int jobs) {
        return new BatchInfo(1, 2L, "pack", jobs, 0, 0, 0, NOW, NOW, null, null, NOW, 0);
    }

    private static String says(int jobs, String state) {
        return new Graph.Box(paused(jobs), state, "pack", 0, 0, "").says();
    }

    private static boolean isPausedToo(String state) {
        return new NodeRow(paused(1), state, 0, "", List.of(), false).isPausedToo();
    }

    @Test
    void aPausedNodeIsCalledPausedOnce() {
        assertThat(says(1, "paused")).isEqualTo("paused");
        assertThat(says(3, "paused")).isEqualTo("paused · 0 of 3");
        assertThat(says(1, "running")).isEqualTo("running, paused");
        assertThat(isPausedToo("paused")).isFalse();
        assertThat(isPausedToo("running")).isTrue();
    }
}
