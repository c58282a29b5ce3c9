package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimFilter;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what filters say about claimed jobs: some are paused at once, others get a verdict without a run. Thread-safe. */
final class ClaimFilters {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimFilters.class);

    private final List<ClaimFilter> filters;
    private final HeldJobs heldJobs;
    private final Completer completer;
    private final DatabaseHealth health;

    ClaimFilters(List<ClaimFilter> filters, HeldJobs heldJobs, Completer completer, DatabaseHealth health) {
        this.filters = filters;
        this.heldJobs = heldJobs;
        this.completer = completer;
        this.health = health;
    }

    /** Takes over the settings as just read. */
    void read(JobStore.Settings settings) {
        filters.forEach(filter -> filter.read(settings));
    }

    /** {@return whether the worker may be suspended} */
    boolean areSettled() {
        return filters.stream().allMatch(ClaimFilter::isSettled);
    }

    /** {@return whether to read the settings again before these jobs are decided about} */
    boolean needFreshSettings(List<Grant> claimed) {
        return filters.stream().anyMatch(filter -> filter.needsFreshSettings(claimed));
    }

    /** {@return the verdicts on jobs that must not start, by their ids; if several filters refuse a job, the first one decides} */
    Map<Long, Verdict> refused(List<Grant> claimed) {
        if (claimed.isEmpty()) {
            return Map.of();
        }
        Map<Long, Verdict> all = Map.of();
        for (ClaimFilter filter : filters) {
            Map<Long, Verdict> refused = refused(filter, claimed);
            if (all.isEmpty()) {
                all = refused;
            } else if (!refused.isEmpty()) {
                Map<Long, Verdict> both = new HashMap<>(refused);
                both.putAll(all);
                all = both;
            }
        }
        return all;
    }

    private static Map<Long, Verdict> refused(ClaimFilter filter, List<Grant> claimed) {
        try {
            return filter.refuse(claimed);
        } catch (SQLException | RuntimeException e) { // the jobs start, as they would have a moment earlier
            LOG.debug("cannot decide whether claimed jobs may start", e);
            return Map.of();
        }
    }

    /** {@return the jobs without those of paused batches} The jobs of paused batches are paused at once. */
    List<HeldJob> withoutPaused(ClaimStrategy strategy, List<HeldJob> claimed, Map<Long, Verdict> refused) {
        if (refused.isEmpty()) {
            return claimed;
        }
        List<HeldJob> free = new ArrayList<>(claimed.size());
        List<HeldJob> paused = new ArrayList<>();
        for (HeldJob job : claimed) {
            (refused.get(job.job().id()) instanceof Verdict.Pause ? paused : free).add(job);
        }
        if (!paused.isEmpty()) {
            pause(strategy, paused);
        }
        return free;
    }

    private void pause(ClaimStrategy strategy, List<HeldJob> jobs) {
        Set<Lease> left = Set.of();
        try {
            left = strategy.settle(jobs.stream().map(ClaimFilters::pause).toList())
                    .locked();
        } catch (SQLException | RuntimeException e) { // the other jobs start nevertheless
            if (!health.failed("pause jobs of a paused batch", e)) {
                LOG.warn("cannot pause jobs of a paused batch; they are released: {}", ErrorText.firstLine(e));
            }
            left = jobs.stream().map(HeldJob::lease).collect(Collectors.toSet());
        }
        for (HeldJob job : jobs) {
            if (left.contains(job.lease())) {
                release(job);
            }
        }
    }

    private static Settlement pause(HeldJob job) {
        return new Settlement(
                job.lease(), new Verdict.Pause(), job.job().batch().orElse(0));
    }

    /**
     * Releases the job, so that its next claim pauses it. A later attempt to pause it could come after the end of the batch's pause, and
     * then nothing would resume the job.
     */
    private void release(HeldJob job) {
        heldJobs.add(job);
        try {
            completer.release(job, true);
        } catch (InterruptedException e) { // it was submitted nevertheless
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the jobs that may start} The others are held until their verdict is recorded. */
    List<HeldJob> withoutRefused(List<HeldJob> claimed, Map<Long, Verdict> refused) {
        if (refused.isEmpty()) {
            return claimed;
        }
        List<HeldJob> free = new ArrayList<>(claimed.size());
        for (HeldJob job : claimed) {
            Verdict verdict = refused.get(job.job().id());
            if (verdict == null) {
                free.add(job);
            } else {
                settle(job, verdict);
            }
        }
        return free;
    }

    private void settle(HeldJob job, Verdict verdict) {
        heldJobs.add(job);
        try {
            completer.submit(job, verdict);
        } catch (InterruptedException e) { // it was submitted nevertheless
            Thread.currentThread().interrupt();
        }
    }
}
