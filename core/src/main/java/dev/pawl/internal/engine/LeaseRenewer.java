package dev.pawl.internal.engine;

import dev.pawl.internal.store.Held;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Renewal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the leases of held jobs alive, and tells handlers when that is no longer so. Called about every second by one
 * thread.
 */
final class LeaseRenewer {
    private static final int BATCH = 1000;

    private final JobStore store;
    private final HeldJobs heldJobs;
    private final Buffer buffer;
    private final Completer completer;

    LeaseRenewer(JobStore store, HeldJobs heldJobs, Buffer buffer, Completer completer) {
        this.store = store;
        this.heldJobs = heldJobs;
        this.buffer = buffer;
        this.completer = completer;
    }

    /** Renews what is due. Timeouts and leases that ran out are noticed even if the database is away. */
    void renew() throws SQLException {
        try {
            renewDue();
        } finally {
            stopWhatIsOver();
        }
    }

    private void renewDue() throws SQLException {
        long now = System.nanoTime();
        Map<Duration, List<Held>> dueByLength = new HashMap<>();
        for (HeldJob held : heldJobs.all()) {
            if (held.wantsRenewal(now)) {
                dueByLength
                        .computeIfAbsent(held.leaseLength(), length -> new ArrayList<>())
                        .add(new Held(held.lease(), held.takeProgress()));
            }
        }
        for (Map.Entry<Duration, List<Held>> due : dueByLength.entrySet()) {
            List<Held> all = due.getValue();
            for (int from = 0; from < all.size(); from += BATCH) {
                renew(all.subList(from, Math.min(all.size(), from + BATCH)), due.getKey());
            }
        }
    }

    private void renew(List<Held> due, Duration lease) throws SQLException {
        long sent = System.nanoTime();
        Renewal renewal = store.renew(due, lease);
        for (Lease renewed : renewal.renewed()) {
            HeldJob held = heldJobs.get(renewed);
            if (held != null) {
                held.renewed(sent);
            }
        }
        stop(renewal.cancelRequested(), HeldJob.Stop.CANCELLED);
        stop(renewal.lost(), HeldJob.Stop.LEASE_LOST);
    }

    private void stop(Iterable<Lease> leases, HeldJob.Stop why) {
        for (Lease one : leases) {
            HeldJob held = heldJobs.get(one);
            if (held != null) {
                stop(held, why);
            }
        }
    }

    private void stop(HeldJob held, HeldJob.Stop why) {
        held.stop(why);
        if (why == HeldJob.Stop.LEASE_LOST && buffer.drop(held)) {
            completer.forget(held);
        }
    }

    private void stopWhatIsOver() {
        long now = System.nanoTime();
        for (HeldJob held : heldJobs.all()) {
            if (held.isTimedOut(now)) {
                held.stop(HeldJob.Stop.TIMED_OUT);
            } else if (held.isOver(now)) {
                stop(held, HeldJob.Stop.LEASE_LOST);
            }
        }
    }
}
