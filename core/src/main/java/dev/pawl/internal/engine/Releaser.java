package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives back jobs that have not started: others may have them at once, and no attempt is counted. Thread-safe. */
final class Releaser {
    private static final Logger LOG = LoggerFactory.getLogger(Releaser.class);

    private final HeldJobs heldJobs;
    private final Counters counters;
    private final Completer completer;

    Releaser(HeldJobs heldJobs, Counters counters, Completer completer) {
        this.completer = completer;
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

    /**
     * They are available again after some time, because nobody may run them before. No attempt is counted. Those that cannot be put off now are
     * given back in a moment.
     */
    void later(Map<HeldJob, Duration> jobs) {
        Map<ClaimStrategy, Map<Lease, HeldJob>> byStrategy = new HashMap<>();
        jobs.keySet()
                .forEach(held -> byStrategy
                        .computeIfAbsent(held.strategy(), strategy -> new HashMap<>())
                        .put(held.lease(), held));
        byStrategy.forEach((strategy, some) -> {
            Set<Lease> left = putOff(strategy, jobs, some.values());
            some.forEach((lease, held) -> {
                if (left.contains(lease)) {
                    giveBack(held);
                } else {
                    heldJobs.remove(held);
                }
            });
        });
    }

    /** {@return those for which that did not succeed} */
    private Set<Lease> putOff(ClaimStrategy strategy, Map<HeldJob, Duration> waits, Collection<HeldJob> jobs) {
        List<Settlement> runs = new ArrayList<>();
        jobs.forEach(held ->
                runs.add(new Settlement(held.lease(), new Verdict.Snooze(Objects.requireNonNull(waits.get(held))))));
        try {
            Set<Lease> busy = strategy.settle(runs).busy();
            counters.released.add(runs.size() - busy.size());
            return busy;
        } catch (SQLException | RuntimeException e) {
            LOG.warn("could not put off {} job(s), which are given back: {}", runs.size(), ErrorText.firstLine(e));
            return runs.stream().map(Settlement::lease).collect(Collectors.toSet());
        }
    }

    private void giveBack(HeldJob held) {
        try {
            completer.giveBack(held);
        } catch (InterruptedException e) { // it was taken all the same
            Thread.currentThread().interrupt();
        }
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
