package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimStrategy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives back jobs that have not started: others may have them at once, and no attempt is counted. Thread-safe. */
final class Releaser {
    private static final Logger LOG = LoggerFactory.getLogger(Releaser.class);

    private final HeldJobs heldJobs;
    private final Counters counters;

    Releaser(HeldJobs heldJobs, Counters counters) {
        this.heldJobs = heldJobs;
        this.counters = counters;
    }

    /** Lets go of them in any case; if the database cannot be told, they are rescued after their leases. */
    void unstarted(List<HeldJob> jobs) {
        Map<ClaimStrategy, List<HeldJob>> byStrategy = new HashMap<>();
        jobs.forEach(held -> byStrategy
                .computeIfAbsent(held.strategy(), strategy -> new ArrayList<>())
                .add(held));
        byStrategy.forEach(this::release);
    }

    private void release(ClaimStrategy strategy, List<HeldJob> jobs) {
        try {
            counters.released.add(
                    strategy.release(jobs.stream().map(HeldJob::lease).toList()));
        } catch (SQLException | RuntimeException e) {
            LOG.warn(
                    "could not release {} job(s), which will be rescued after their leases expire: {}",
                    jobs.size(),
                    ErrorText.firstLine(e));
        } finally {
            jobs.forEach(heldJobs::remove);
        }
    }
}
