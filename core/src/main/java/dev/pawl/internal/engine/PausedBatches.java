package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.JobStore;
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
 * Sets jobs of paused batches aside after their claim, and releases those that it set aside after the end of a pause of which it learned
 * late. Thread-safe.
 */
final class PausedBatches {
    private static final Logger LOG = LoggerFactory.getLogger(PausedBatches.class);

    private final JobStore store;
    private final HeldJobs heldJobs;
    private final Completer completer;
    private final DatabaseHealth health;
    private final Set<Long> resumed = new HashSet<>();
    private volatile Set<Long> paused = Set.of();

    PausedBatches(JobStore store, HeldJobs heldJobs, Completer completer, DatabaseHealth health) {
        this.health = health;
        this.store = store;
        this.heldJobs = heldJobs;
        this.completer = completer;
    }

    /** Takes over the paused batches as just read. */
    void are(Set<Long> now) {
        if (!now.equals(paused)) {
            synchronized (resumed) {
                resumed.addAll(paused);
                resumed.removeAll(now);
            }
            paused = now;
        }
    }

    /** {@return whether no job of a resumed batch may be set aside} */
    boolean isSettled() {
        synchronized (resumed) {
            return resumed.isEmpty();
        }
    }

    /** {@return whether some jobs belong to a batch that was paused when last read} */
    boolean holdsAny(List<HeldJob> claimed) {
        Set<Long> held = paused;
        return !held.isEmpty()
                && claimed.stream()
                        .anyMatch(job -> held.contains(job.job().batch().orElse(0)));
    }

    /** {@return the jobs that may start} The others are set aside until their batch is resumed. */
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
            setAside(strategy, aside);
        }
        return free;
    }

    private void setAside(ClaimStrategy strategy, List<HeldJob> jobs) {
        Set<Lease> left = Set.of();
        try {
            left = strategy.settle(jobs.stream().map(PausedBatches::aside).toList())
                    .busy();
        } catch (SQLException | RuntimeException e) { // the others start nevertheless
            if (!health.failed("set aside jobs of a paused batch", e)) {
                LOG.warn("jobs of a paused batch could not be set aside, and are released: {}", ErrorText.firstLine(e));
            }
            left = jobs.stream().map(HeldJob::lease).collect(Collectors.toSet());
        }
        if (!left.isEmpty() && strategy.mode() != RunMode.IN_TRANSACTION) { // where the transaction holds the rows
            for (HeldJob job : jobs) {
                if (left.contains(job.lease())) {
                    giveBack(job);
                }
            }
        }
    }

    private static Settlement aside(HeldJob job) {
        return new Settlement(
                job.lease(), new Verdict.Pause(), job.job().batch().orElse(0));
    }

    /** Releases the job rather than setting it aside later, when the pause may be over and forgotten. The next claim sets it aside. */
    private void giveBack(HeldJob job) {
        heldJobs.add(job);
        try {
            completer.giveBack(job, true);
        } catch (InterruptedException e) { // it was submitted nevertheless
            Thread.currentThread().interrupt();
        }
    }

    /** Releases jobs that were set aside after the end of a pause. */
    void tidy() throws SQLException {
        List<Long> batches;
        synchronized (resumed) {
            batches = List.copyOf(resumed);
        }
        for (long batch : batches) {
            store.releasePaused(batch);
            synchronized (resumed) {
                resumed.remove(batch);
            }
        }
    }
}
