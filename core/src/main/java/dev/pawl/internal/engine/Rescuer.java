package dev.pawl.internal.engine;

import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.log.JobsByCause;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Rescue;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rescues the jobs of any worker whose lease has expired. Every worker does this, but only one of them succeeds for a job, because a rescue
 * checks that the lease has not changed.
 */
final class Rescuer {
    private static final Logger LOG = LoggerFactory.getLogger(Rescuer.class);
    private static final int BATCH = 500;
    private static final int MAX_PASSED_BY = 20 * BATCH;

    private final JobStore store;
    private final OutcomePolicy outcomePolicy;
    private final Counters counters;
    private final RescuePolicy policy;
    private final JobsByCause failed = new JobsByCause();

    /** Maximum number of jobs in one call; reduced while larger batches exceed a time limit. */
    private int most = BATCH;

    /** A rescuer that belongs to no worker. */
    Rescuer(JobStore store, OutcomePolicy outcomePolicy, Counters counters) {
        this(store, outcomePolicy, counters, RescuePolicy.ANY);
    }

    /**
     * @param policy which jobs it rescues, and when
     */
    Rescuer(JobStore store, OutcomePolicy outcomePolicy, Counters counters, RescuePolicy policy) {
        this.store = store;
        this.outcomePolicy = outcomePolicy;
        this.counters = counters;
        this.policy = policy;
    }

    /** {@return how many jobs were rescued} */
    int rescue() throws SQLException {
        if (!(policy.isTime() && isAnyLeaseOver() && policy.areLeasesReliable())) {
            return 0;
        }
        int rescued = 0;
        int passedBy = 0;
        List<AbandonedJob> abandoned;
        do {
            abandoned = store.abandoned(BATCH, passedBy);
            List<AbandonedJob> ours =
                    abandoned.stream().filter(policy::mayRescue).toList();
            int won = ours.isEmpty() ? 0 : rescue(ours, new RetrySpacing(ours));
            failed.report(LOG::error);
            counters.rescued.add(won);
            rescued += won;
            // The remaining jobs are locked by handlers or other rescuers, are held here, or were refused: the search
            // skips them.
            passedBy += abandoned.size() - won;
        } while (abandoned.size() == BATCH && passedBy < MAX_PASSED_BY);
        return rescued;
    }

    private boolean isAnyLeaseOver() throws SQLException {
        long begun = System.nanoTime();
        boolean any = store.isAnyLeaseOver();
        if (!any) { // after a search that found expired leases there is no pause
            policy.searched(System.nanoTime() - begun);
        }
        return any;
    }

    private int rescue(List<AbandonedJob> jobs, RetrySpacing spacing) throws SQLException {
        int won = 0;
        for (int from = 0; from < jobs.size(); ) {
            List<AbandonedJob> some = jobs.subList(from, Math.min(jobs.size(), from + most));
            won += rescueAtOnce(some, spacing);
            from += some.size();
        }
        return won;
    }

    /** Bisects a batch that fails, because a job that cannot be rescued must not block the others. */
    private int rescueAtOnce(List<AbandonedJob> jobs, RetrySpacing spacing) throws SQLException {
        try {
            int won = store.rescue(jobs.stream()
                            .map(job -> new Rescue(
                                    job.lease(),
                                    job.expiredAt(),
                                    outcomePolicy.abandoned(job, cause(job), retryPolicy(job), spacing.delayOf(job))))
                            .toList())
                    .size();
            most = Math.min(BATCH, 2 * most);
            return won;
        } catch (SQLException | RuntimeException e) {
            if (e instanceof SQLException sql && store.isTransient(sql)) {
                most = Math.max(1, jobs.size() / 2); // for the next call, which comes soon
                throw e;
            }
            if (jobs.size() == 1) {
                failed.add(
                        "cannot be rescued: " + ErrorText.firstLine(e),
                        jobs.get(0).lease().jobId(),
                        e);
                return 0;
            }
            int half = jobs.size() / 2;
            return rescueAtOnce(jobs.subList(0, half), spacing)
                    + rescueAtOnce(jobs.subList(half, jobs.size()), spacing);
        }
    }

    private @Nullable RetryPolicy retryPolicy(AbandonedJob job) {
        RetryPolicy own = job.retryPolicy();
        return own != null ? own : policy.retryPolicy(job.kind());
    }

    private static String cause(AbandonedJob job) {
        return "abandoned: the lease ran out while worker " + job.leasedBy() + " ("
                + Objects.requireNonNullElse(job.workerName(), "its row is gone")
                + ") held the job; its process died, hung, or lost the database";
    }
}
