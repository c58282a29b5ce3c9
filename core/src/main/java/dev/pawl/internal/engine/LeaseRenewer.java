package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Renews the leases of held jobs and detects lost ones. Run by one thread at a time. */
final class LeaseRenewer {
    private static final int BATCH = 1000;

    private final HeldJobs heldJobs;
    private final LeaseWatch watch;
    private final boolean hasConnection;
    private final DatabaseHealth health;

    /**
     * @param hasConnection whether handlers' transactions leave a connection for renewals; if not, a failure says nothing about the
     *     database
     * @param health receives successful writes
     */
    LeaseRenewer(HeldJobs heldJobs, LeaseWatch watch, boolean hasConnection, DatabaseHealth health) {
        this.health = health;
        this.heldJobs = heldJobs;
        this.watch = watch;
        this.hasConnection = hasConnection;
    }

    private record Group(ClaimStrategy strategy, Duration length) {}

    /** Renews the leases that are due. */
    void renew() throws SQLException {
        long now = System.nanoTime();
        Map<Group, List<HeldJob>> due = new HashMap<>();
        for (HeldJob held : heldJobs.all()) {
            if (held.wantsRenewal(now)) {
                due.computeIfAbsent(new Group(held.strategy(), held.leaseLength()), group -> new ArrayList<>())
                        .add(held);
            }
        }
        Exception broken = null;
        for (Map.Entry<Group, List<HeldJob>> group : due.entrySet()) {
            List<HeldJob> all = group.getValue();
            for (int from = 0; from < all.size(); from += BATCH) {
                try {
                    renew(group.getKey(), all.subList(from, Math.min(all.size(), from + BATCH)));
                } catch (SQLException | RuntimeException e) { // one failure must not cost the other jobs their leases
                    broken = e;
                }
            }
        }
        if (broken instanceof SQLException e) {
            throw e;
        } else if (broken instanceof RuntimeException e) {
            throw e;
        }
    }

    private void renew(Group group, List<HeldJob> due) throws SQLException {
        Map<Lease, LeaseRenewal> renewals = new HashMap<>();
        due.forEach(held -> renewals.put(held.lease(), new LeaseRenewal(held.lease(), held.takeProgress())));
        long sent = System.nanoTime();
        Set<Lease> written = Set.of();
        try {
            Renewal renewal = group.strategy.renew(renewals.values(), group.length);
            written = renewal.renewed();
            if (!written.isEmpty()) {
                health.wrote(sent);
            }
            due.forEach(held -> renewed(held, renewal, sent));
        } catch (SQLException | RuntimeException e) {
            if (hasConnection) {
                due.forEach(held -> held.clock().renewalFailed(sent));
            }
            throw e;
        } finally {
            for (HeldJob held : due) {
                LeaseRenewal renewal = renewals.get(held.lease());
                if (renewal != null && !written.contains(held.lease())) {
                    held.restoreProgress(renewal.progress());
                }
            }
        }
    }

    private void renewed(HeldJob held, Renewal renewal, long sent) {
        Lease lease = held.lease();
        if (renewal.renewed().contains(lease)) {
            held.clock().renewed(sent);
            if (renewal.cancelRequested().contains(lease)) {
                held.stop(HeldJob.Stop.CANCELLED);
            }
        } else if (renewal.taken().contains(lease)) {
            watch.lost(held);
        } else if (renewal.gone().contains(lease)) {
            watch.missing(held, sent);
        } else {
            held.clock().locked(sent);
        }
    }
}
