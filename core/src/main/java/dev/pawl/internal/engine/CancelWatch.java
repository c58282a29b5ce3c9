package dev.pawl.internal.engine;

import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.RunRequests;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Polls once a second for cancelled runs, because the renewal of their leases would report them much later, and for requested stack traces.
 * Runs shorter than a second cost nothing; one statement covers a thousand longer ones.
 */
final class CancelWatch {
    private static final long LONG = TimeUnit.SECONDS.toNanos(1);
    /** Ids of one statement. */
    private static final int MAX = 1_000;

    private final HeldJobs heldJobs;
    private final JobStore store;

    CancelWatch(HeldJobs heldJobs, JobStore store) {
        this.heldJobs = heldJobs;
        this.store = store;
    }

    void check() throws SQLException {
        check(System.nanoTime());
    }

    void check(long now) throws SQLException {
        Map<Lease, HeldJob> running = new HashMap<>();
        for (HeldJob held : heldJobs.all()) {
            // Includes runs that were told to stop: a stack trace shows why they do not.
            if (held.isRunningFor(LONG, now)) {
                running.put(held.lease(), held);
                if (running.size() == MAX) {
                    poll(running);
                    running.clear();
                }
            }
        }
        if (!running.isEmpty()) {
            poll(running);
        }
    }

    private void poll(Map<Lease, HeldJob> running) throws SQLException {
        RunRequests requests = store.runRequests(running.keySet());
        for (Lease cancelled : requests.toStop()) {
            HeldJob held = running.get(cancelled);
            if (held != null && held.stopped() == null) {
                held.stop(HeldJob.Stop.CANCELLED);
            }
        }
        reportStacks(requests.forStacks());
    }

    private void reportStacks(Set<Lease> wanted) throws SQLException {
        for (Lease lease : wanted) {
            HeldJob held = heldJobs.of(lease);
            String stack = held == null ? null : held.stack();
            if (stack != null) {
                store.reportStackTrace(lease, stack);
            }
        }
    }
}
