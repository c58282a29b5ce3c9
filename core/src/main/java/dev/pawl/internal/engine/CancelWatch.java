package dev.pawl.internal.engine;

import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Learns within about a second which runs somebody has cancelled; the renewal of their leases would tell, too, but much
 * later. Asks only about runs that take longer than a second, in one statement for all.
 */
final class CancelWatch {
    private static final long LONG = TimeUnit.SECONDS.toNanos(1);
    /** One list of ids. */
    private static final int MOST = 1_000;

    private final HeldJobs heldJobs;
    private final JobStore store;

    CancelWatch(HeldJobs heldJobs, JobStore store) {
        this.heldJobs = heldJobs;
        this.store = store;
    }

    void look() throws SQLException {
        long now = System.nanoTime();
        Map<Lease, HeldJob> running = new HashMap<>();
        for (HeldJob held : heldJobs.all()) {
            if (running.size() < MOST && held.stopped() == null && held.isRunningFor(LONG, now)) {
                running.put(held.lease(), held);
            }
        }
        if (!running.isEmpty()) {
            for (Lease cancelled : store.cancelRequested(running.keySet())) {
                HeldJob held = running.get(cancelled);
                if (held != null) {
                    held.stop(HeldJob.Stop.CANCELLED);
                }
            }
        }
    }
}
