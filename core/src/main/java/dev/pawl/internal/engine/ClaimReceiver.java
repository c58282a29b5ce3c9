package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.RunMode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been claimed waits for a handler from here on, unless its batch is paused or stopped. Thread-safe. */
final class Intake {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

    private final WorkerConfig config;
    private final Strategies strategies;
    private final Places places;
    private final Buffer buffer;
    private final Prefetch prefetch;
    private final HeldJobs heldJobs;
    private final Releaser releaser;
    private final Counters counters;
    private final PausedBatches paused;
    private final StoppedJobs stopped;

    Intake(
            WorkerConfig config,
            Strategies strategies,
            Places places,
            Buffer buffer,
            Prefetch prefetch,
            HeldJobs heldJobs,
            Releaser releaser,
            Counters counters,
            PausedBatches paused,
            StoppedJobs stopped) {
        this.config = config;
        this.strategies = strategies;
        this.places = places;
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.heldJobs = heldJobs;
        this.releaser = releaser;
        this.counters = counters;
        this.paused = paused;
        this.stopped = stopped;
    }

    /**
     * @param strategy that ends them
     * @param grants what was claimed
     * @param ahead whether they will wait for a handler
     * @param sentNanos before the claim was sent
     * @param terms of their leases
     */
    void take(ClaimStrategy strategy, List<Grant> grants, boolean ahead, long sentNanos, LeaseTerms terms) {
        List<HeldJob> all = new ArrayList<>(grants.size());
        grants.forEach(grant -> all.add(new HeldJob(grant, strategy, ahead, sentNanos, terms)));
        if (paused.holdsAny(all)) {
            readWhatIsPaused();
        }
        List<HeldJob> held = paused.without(strategy, all);
        boolean anyElsewhere = config.handlers().anyElsewhere();
        long bytes = 0;
        for (HeldJob job : held) {
            if (anyElsewhere && config.handlers().isElsewhere(job.job().kind())) {
                job.leaveBeginningToOthers();
            }
            bytes += job.size();
        }
        prefetch.claimed(held.size(), bytes);
        if (places.isCounted()) {
            prefetch.weighed(held.size(), places.needs(held));
        }
        counters.claimed.add(held.size());
        boolean inTransaction =
                strategy.mode() == RunMode.IN_TRANSACTION; // what is recorded there is recorded by the run
        hold(inTransaction ? held : stopped.without(held));
    }

    /** Who goes by what was read seconds ago would lay aside what somebody has just let go. */
    private void readWhatIsPaused() {
        try {
            strategies.readAgain();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("{}: cannot read what is paused, goes by what it was", config.name(), e);
        }
    }

    /** Jobs that are held but that nobody is going to run would be renewed forever. */
    private void hold(List<HeldJob> held) {
        try {
            held.forEach(heldJobs::add);
            if (!buffer.add(held)) {
                releaser.unstartedAtTheEnd(held); // the worker has stopped while the claim was under way
            } else if (places.isCounted()) {
                giveBackWhatIsFarTooMuch();
            }
        } catch (Throwable e) {
            held.forEach(heldJobs::remove);
            throw e;
        }
    }

    /** They may take more places than those before: no more wait than the worker has places, and what will be through in a moment. */
    private void giveBackWhatIsFarTooMuch() {
        int most = buffer.level().idle() + places.count() + prefetch.placesAhead(System.nanoTime());
        List<HeldJob> beyond = buffer.beyond(most);
        if (!beyond.isEmpty()) {
            releaser.unstarted(beyond);
        }
    }
}
