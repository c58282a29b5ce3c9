package dev.pawl.internal.engine;

import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels jobs of stopped batches when they are claimed: where a service is down, jobs fail quickly, and are claimed faster than they could
 * be cancelled one by one. Thread-safe.
 */
final class StoppedJobs {
    private static final Logger LOG = LoggerFactory.getLogger(StoppedJobs.class);

    private final JobStore store;
    private final HeldJobs heldJobs;
    private final Completer completer;

    StoppedJobs(JobStore store, HeldJobs heldJobs, Completer completer) {
        this.store = store;
        this.heldJobs = heldJobs;
        this.completer = completer;
    }

    /** {@return the jobs that may start} The others are held until their cancellation is recorded. */
    List<HeldJob> without(List<HeldJob> claimed) {
        Set<Long> stopped = stopped(claimed);
        if (stopped.isEmpty()) {
            return claimed;
        }
        List<HeldJob> free = new ArrayList<>(claimed.size());
        for (HeldJob held : claimed) {
            if (stopped.contains(held.job().batch().orElse(0))) {
                cancel(held);
            } else {
                free.add(held);
            }
        }
        return free;
    }

    private void cancel(HeldJob held) {
        heldJobs.add(held);
        try {
            completer.submit(held, new Verdict.Cancelled("its batch was stopped"));
        } catch (InterruptedException e) { // rescued after its lease
            heldJobs.remove(held);
            Thread.currentThread().interrupt();
        }
    }

    private Set<Long> stopped(List<HeldJob> claimed) {
        Set<Long> batches = new HashSet<>();
        for (HeldJob held : claimed) {
            held.job().batch().ifPresent(batches::add);
        }
        try {
            return batches.isEmpty() ? Set.of() : store.stopped(batches);
        } catch (SQLException | RuntimeException e) { // they start, as they would have a moment earlier
            LOG.debug("cannot read whether batches are stopped", e);
            return Set.of();
        }
    }
}
