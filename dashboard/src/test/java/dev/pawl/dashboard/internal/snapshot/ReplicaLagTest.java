package dev.pawl.dashboard.internal.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplicaLagTest {
    private static final Instant NOW = Instant.parse("2030-01-31T08:00:00Z");

    private static WorkerInfo worker(Instant heartbeat, boolean suspended) {
        return new WorkerInfo(
                1,
                "one",
                List.of(),
                List.of(),
                1,
                NOW,
                heartbeat,
                null,
                true,
                0,
                WorkerCommand.WORK,
                1,
                null,
                suspended);
    }

    @Test
    void theNewestHeartbeatCounts() {
        Optional<Instant> there =
                ReplicaLag.newest(List.of(worker(NOW.minusSeconds(50), false), worker(NOW.minusSeconds(2), false)));
        Optional<Instant> here = ReplicaLag.newest(List.of(worker(NOW.minusSeconds(32), false)));
        assertThat(ReplicaLag.lag(there, here)).contains(Duration.ofSeconds(30));
        assertThat(ReplicaLag.lag(here, there)).contains(Duration.ZERO);
    }

    /** Its heartbeat is a time in the future. */
    @Test
    void aSuspendedWorkerSaysNothing() {
        assertThat(ReplicaLag.newest(List.of(worker(NOW.plusSeconds(3600), true))))
                .isEmpty();
        assertThat(ReplicaLag.lag(Optional.of(NOW), Optional.empty())).isEmpty();
        assertThat(ReplicaLag.lag(Optional.empty(), Optional.of(NOW))).isEmpty();
    }
}
