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
 * How far a replica is behind, by the newest heartbeat of a worker on either side. So it needs no right to see the state of the
 * replication, and no two clocks are compared. Workers write a heartbeat every few seconds, so a replica may be that much further behind.
 */
final class ReplicaLag {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaLag.class);

    private ReplicaLag() {}

    /** {@return how far it is behind at least; empty if no worker writes heartbeats, or the primary does not answer} */
    static Optional<Duration> read(JobQueue primary, JobQueue replica) {
        Optional<Instant> there;
        try {
            there = newest(primary.admin().workers().list());
        } catch (PawlException e) {
            LOG.debug("the primary does not say how far the replica is behind", e);
            return Optional.empty();
        }
        // After the primary, whose heartbeats of the time between the two reads would otherwise count as lag.
        return lag(there, newest(replica.admin().workers().list()));
    }

    static Optional<Duration> lag(Optional<Instant> onPrimary, Optional<Instant> onReplica) {
        if (onPrimary.isEmpty() || onReplica.isEmpty()) {
            return Optional.empty();
        }
        Duration lag = Duration.between(onReplica.get(), onPrimary.get());
        return Optional.of(lag.isNegative() ? Duration.ZERO : lag);
    }

    /** A suspended worker has announced its next heartbeat instead. */
    static Optional<Instant> newest(List<WorkerInfo> workers) {
        return workers.stream()
                .filter(worker -> !worker.suspended())
                .map(WorkerInfo::heartbeatAt)
                .max(Instant::compareTo);
    }
}
