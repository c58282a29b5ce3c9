package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.JobQueue;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.PawlException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how far a replica is behind, by the difference between the newest worker heartbeats on both sides. This needs no privilege to
 * see the state of the replication, and compares times of one clock. Workers write a heartbeat every few seconds, so a replica may be that
 * much further behind.
 */
final class ReplicaLag {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaLag.class);

    private ReplicaLag() {}

    /** {@return how far the replica is behind at least; empty if no worker writes heartbeats, or the primary does not answer} */
    static Optional<Duration> read(JobQueue primary, JobQueue replica) {
        Optional<Instant> there;
        try {
            there = newest(primary.admin().workers().list());
        } catch (PawlException e) {
            LOG.debug("the primary does not say how far the replica is behind", e);
            return Optional.empty();
        }
        // The replica is read last: otherwise heartbeats that are written between the two reads would count as lag.
        return lag(there, newest(replica.admin().workers().list()));
    }

    static Optional<Duration> lag(Optional<Instant> onPrimary, Optional<Instant> onReplica) {
        if (onPrimary.isEmpty() || onReplica.isEmpty()) {
            return Optional.empty();
        }
        Duration lag = Duration.between(onReplica.get(), onPrimary.get());
        return Optional.of(lag.isNegative() ? Duration.ZERO : lag);
    }

    /** Ignores suspended workers, because their column holds the time of the next heartbeat. */
    static Optional<Instant> newest(List<WorkerInfo> workers) {
        return workers.stream()
                .filter(worker -> !worker.suspended())
                .map(WorkerInfo::heartbeatAt)
                .max(Instant::compareTo);
    }
}
