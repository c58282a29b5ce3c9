package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.LaidAside;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.RunMode;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lays jobs of paused batches aside when they are claimed, and lets go what it has laid aside after the end of a pause, which it may have heard of
 * late. Thread-safe.
 */
final class PausedBatches {
    private static final Logger LOG = LoggerFactory.getLogger(PausedBatches.class);

    private final JobStore store;
    private final HeldJobs heldJobs;
    private final Completer completer;
    private final DatabaseHealth health;
    private final Set<Long> over = new HashSet<>();
    private volatile Set<Long> paused = Set.of();

    PausedBatches(JobStore store, HeldJobs heldJobs, Completer completer, DatabaseHealth health) {
        this.health = health;
        this.store = store;
        this.heldJobs = heldJobs;
        this.completer = completer;
    }

    /** As it was read just now. */
    void are(Set<Long> now) {
        if (!now.equals(paused)) {
            synchronized (over) {
                over.addAll(paused);
                over.removeAll(now);
            }
            paused = now;
        }
    }

    /** {@return whether nothing may be put aside whose batch goes on} */
    boolean isSettled() {
        synchronized (over) {
            return over.isEmpty();
        }
    }

    /** {@return whether some are of a batch that was paused when it was read last} */
    boolean holdsAny(List<HeldJob> claimed) {
        Set<Long> held = paused;
        return !held.isEmpty()
                && claimed.stream()
                        .anyMatch(job -> held.contains(job.job().batch().orElse(0)));
    }

    /** {@return those that may begin} The others are put back, for when their batch goes on. */
    List<HeldJob> without(ClaimStrategy strategy, List<HeldJob> claimed) {
        Set<Long> held = paused;
        if (held.isEmpty()) {
            return claimed;
        }
        List<HeldJob> free = new ArrayList<>(claimed.size());
        List<HeldJob> aside = new ArrayList<>();
        for (HeldJob job : claimed) {
            (held.contains(job.job().batch().orElse(0)) ? aside : free).add(job);
        }
        if (!aside.isEmpty()) {
            layAside(strategy, aside);
        }
        return free;
    }

    private void layAside(ClaimStrategy strategy, List<HeldJob> jobs) {
        Set<Lease> left = Set.of();
        try {
            left = strategy.settle(jobs.stream().map(PausedBatches::aside).toList())
                    .busy();
        } catch (SQLException | RuntimeException e) { // the others begin all the same
            if (!health.failed("lay aside jobs of a paused batch", e)) {
                LOG.warn(
                        "jobs of a paused batch could not be laid aside, and are given back: {}",
                        ErrorText.firstLine(e));
            }
            left = jobs.stream().map(HeldJob::lease).collect(Collectors.toSet());
        }
        if (!left.isEmpty() && strategy.mode() != RunMode.IN_TRANSACTION) { // whose rows it has itself
            for (HeldJob job : jobs) {
                if (left.contains(job.lease())) {
                    giveBack(job);
                }
            }
        }
    }

    private static Settlement aside(HeldJob job) {
        return new Settlement(
                job.lease(),
                new Verdict.Snooze(LaidAside.LENGTH),
                job.job().batch().orElse(0));
    }

    /** And not laid aside later: by then the pause may be over, and forgotten. Whoever claims it then lays it aside. */
    private void giveBack(HeldJob job) {
        heldJobs.add(job);
        try {
            completer.giveBack(job, true);
        } catch (InterruptedException e) { // it was taken all the same
            Thread.currentThread().interrupt();
        }
    }

    /** What was laid aside while this worker had not heard that the pause was over. */
    void tidy() throws SQLException {
        List<Long> batches;
        synchronized (over) {
            batches = List.copyOf(over);
        }
        for (long batch : batches) {
            store.letGo(batch);
            synchronized (over) {
                over.remove(batch);
            }
        }
    }
}
