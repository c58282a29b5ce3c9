package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts claimed jobs into the buffer, except those that filters keep from starting. Thread-safe. */
final class ClaimReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimReceiver.class);

    private final WorkerConfig config;
    private final Strategies strategies;
    private final Capacity capacity;
    private final Buffer buffer;
    private final Prefetch prefetch;
    private final HeldJobs heldJobs;
    private final Releaser releaser;
    private final Counters counters;
    private final ClaimFilters filters;

    ClaimReceiver(Claiming claiming, Counters counters, ClaimFilters filters) {
        config = claiming.config();
        strategies = claiming.strategies();
        capacity = claiming.capacity();
        buffer = claiming.buffer();
        prefetch = claiming.prefetch();
        heldJobs = claiming.heldJobs();
        releaser = claiming.releaser();
        this.counters = counters;
        this.filters = filters;
    }

    /**
     * @param strategy the strategy that settles the jobs
     * @param grants the claimed jobs
     * @param soon how many of the jobs, from the first, were not claimed ahead
     * @param sentNanos the {@link System#nanoTime} before the claim was sent
     * @param terms the terms of their leases
     */
    void take(ClaimStrategy strategy, List<Grant> grants, int soon, long sentNanos, LeaseTerms terms) {
        List<HeldJob> all = new ArrayList<>(grants.size());
        grants.forEach(grant -> all.add(new HeldJob(grant, strategy, all.size() >= soon, sentNanos, terms)));
        if (filters.needFreshSettings(grants)) {
            readSettings();
        }
        Map<Long, Verdict> refused = filters.refused(grants);
        List<HeldJob> held = filters.withoutPaused(strategy, all, refused);
        config.handlers().leaveStartLogs(held);
        long bytes = 0;
        for (HeldJob job : held) {
            bytes += job.size();
        }
        prefetch.claimed(held.size(), bytes);
        if (capacity.isCounted()) {
            prefetch.weighed(held.size(), capacity.needs(held));
        }
        counters.claimed.add(held.size());
        hold(filters.withoutRefused(held, refused));
    }

    private void readSettings() {
        try {
            strategies.readAgain();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("{}: cannot read the settings, goes by those read last", config.name(), e);
        }
    }

    /** On failure the jobs must not stay held, or their leases would be renewed although no handler will run them. */
    private void hold(List<HeldJob> held) {
        try {
            held.forEach(heldJobs::add);
            if (!buffer.add(held)) {
                releaser.unstartedAtTheEnd(held); // the worker has stopped during the claim
            } else if (capacity.isCounted()) {
                releaseExcess();
            }
        } catch (Throwable e) {
            held.forEach(heldJobs::remove);
            throw e;
        }
    }

    /**
     * The claimed jobs may be heavier than earlier ones: keeps only those for which the worker has capacity now or will have it in a
     * moment.
     */
    private void releaseExcess() {
        int most = buffer.level().idle() + capacity.count() + prefetch.capacityAhead(System.nanoTime());
        List<HeldJob> beyond = buffer.beyond(most);
        if (!beyond.isEmpty()) {
            releaser.unstarted(beyond);
        }
    }
}
