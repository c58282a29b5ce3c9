package dev.pawl.internal.engine;

import dev.pawl.internal.store.Asked;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Learns within about a second which runs somebody has cancelled; the renewal of their leases would tell, too, but much
 * later. And of which somebody wants to see the stack. Asks only while there are runs that take longer than a second, in one statement
 * for a thousand.
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
        look(System.nanoTime());
    }

    void look(long now) throws SQLException {
        Map<Lease, HeldJob> running = new HashMap<>();
        for (HeldJob held : heldJobs.all()) {
            // Also those that have been told to stop: whoever wonders why they do not wants to see what they do.
            if (held.isRunningFor(LONG, now)) {
                running.put(held.lease(), held);
                if (running.size() == MOST) {
                    ask(running);
                    running.clear();
                }
            }
        }
        if (!running.isEmpty()) {
            ask(running);
        }
    }

    private void ask(Map<Lease, HeldJob> running) throws SQLException {
        Asked asked = store.asked(running.keySet());
        for (Lease cancelled : asked.toStop()) {
            HeldJob held = running.get(cancelled);
            if (held != null && held.stopped() == null) {
                held.stop(HeldJob.Stop.CANCELLED);
            }
        }
        tell(asked.forStacks());
    }

    private void tell(Set<Lease> wanted) throws SQLException {
        for (Lease lease : wanted) {
            HeldJob held = heldJobs.of(lease);
            String stack = held == null ? null : held.stack();
            if (stack != null) {
                store.tellStack(lease, stack);
            }
        }
    }
}
