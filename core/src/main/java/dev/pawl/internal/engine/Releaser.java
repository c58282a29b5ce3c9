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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Releases jobs that have not started: they are available again at once, and no attempt is counted. Thread-safe. */
final class Releaser {
    private static final Logger LOG = LoggerFactory.getLogger(Releaser.class);

    private final HeldJobs heldJobs;
    private final Counters counters;
    private final Completer completer;
    private final DatabaseHealth health;

    Releaser(HeldJobs heldJobs, Counters counters, Completer completer, DatabaseHealth health) {
        this.health = health;
        this.completer = completer;
        this.heldJobs = heldJobs;
        this.counters = counters;
    }

    /**
     * Releases unstarted jobs. Jobs that cannot be released now, because the database is unavailable or their rows are locked, are released
     * by the completer.
     */
    void unstarted(List<HeldJob> jobs) {
        byStrategy(jobs).forEach((strategy, some) -> release(strategy, some, held -> releaseLater(held, true)));
    }

    /** Releases unstarted jobs of a stopping worker, without retries: a job whose release fails is rescued after its lease. */
    void unstartedAtTheEnd(List<HeldJob> jobs) {
        byStrategy(jobs).forEach((strategy, some) -> release(strategy, some, heldJobs::remove));
    }

    private static Map<ClaimStrategy, List<HeldJob>> byStrategy(List<HeldJob> jobs) {
        Map<ClaimStrategy, List<HeldJob>> byStrategy = new HashMap<>();
        jobs.forEach(held -> byStrategy
                .computeIfAbsent(held.strategy(), strategy -> new ArrayList<>())
                .add(held));
        return byStrategy;
    }

    /**
     * Makes jobs available again after a delay, because no worker may run them earlier. No attempt is counted. Jobs that cannot be delayed
     * now are released by the completer.
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
                    releaseLater(held, true);
                } else {
                    heldJobs.remove(held);
                }
            });
        });
    }

    /** {@return the leases of jobs that could not be delayed} */
    private Set<Lease> putOff(ClaimStrategy strategy, Map<HeldJob, Duration> waits, Collection<HeldJob> jobs) {
        List<Settlement> runs = new ArrayList<>();
        jobs.forEach(held ->
                runs.add(new Settlement(held.lease(), new Verdict.Snooze(Objects.requireNonNull(waits.get(held))))));
        try {
            Set<Lease> locked = strategy.settle(runs).locked();
            counters.released.add(runs.size() - locked.size());
            return locked;
        } catch (SQLException | RuntimeException e) {
            if (!health.failed("delay jobs", e)) {
                LOG.warn("could not delay {} job(s), which are released: {}", runs.size(), ErrorText.firstLine(e));
            }
            return runs.stream().map(Settlement::lease).collect(Collectors.toSet());
        }
    }

    private void releaseLater(HeldJob held, boolean inDoubt) {
        try {
            completer.release(held, inDoubt);
        } catch (InterruptedException e) { // it was submitted nevertheless
            Thread.currentThread().interrupt();
        }
    }

    /**
     * @param onFailure handles jobs whose release failed or is in doubt
     */
    private void release(ClaimStrategy strategy, List<HeldJob> jobs, Consumer<HeldJob> onFailure) {
        Set<Lease> released = release(strategy, jobs);
        jobs.forEach(held -> {
            if (released != null && released.contains(held.lease())) {
                heldJobs.remove(held);
            } else if (released != null) {
                releaseLater(held, false);
            } else {
                onFailure.accept(held);
            }
        });
    }

    /** {@return the released leases; null if the statement failed} */
    private @Nullable Set<Lease> release(ClaimStrategy strategy, List<HeldJob> jobs) {
        try {
            Set<Lease> released =
                    strategy.release(jobs.stream().map(HeldJob::lease).toList());
            counters.released.add(released.size());
            return released;
        } catch (SQLException | RuntimeException e) {
            if (!health.failed("release jobs that have not started", e)) {
                LOG.warn("could not release {} job(s) that have not started: {}", jobs.size(), ErrorText.firstLine(e));
            }
            return null;
        } catch (Error e) { // no handler will run them, so their leases must not be renewed
            jobs.forEach(heldJobs::remove);
            throw e;
        }
    }
}
