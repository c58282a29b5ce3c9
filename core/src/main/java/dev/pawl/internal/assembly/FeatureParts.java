package dev.pawl.internal.assembly;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.internal.engine.ErrorText;
import dev.pawl.internal.key.KeyKeeper;
import dev.pawl.internal.quota.LimitKeeper;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.internal.store.WorkerFeatures;
import dev.pawl.internal.store.WorkerHost;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/**
 * What features add to workers.
 *
 * @param additions duties and filters
 * @param limits allocates the permits of limits
 * @param keys releases jobs of concurrency keys
 */
public record FeatureParts(Function<WorkerContext, Additions> additions, LimitSource limits, ConcurrencyKeys keys)
        implements WorkerFeatures {
    @Override
    public Additions of(WorkerContext worker) {
        return additions.apply(worker);
    }

    @Override
    public Parts parts(WorkerContext worker, WorkerHost host) {
        LimitKeeper limitKeeper = new LimitKeeper(worker, host, limits, keys);
        return new Parts(List.of(limitKeeper, new KeyKeeper(worker, host, keys)), limitKeeper.admission());
    }

    /** Pauses the jobs of the same kind or key if the run has reported an outage. */
    @Override
    public void ran(Job job, Outcome outcome) throws SQLException {
        if (outcome instanceof Outcome.Unavailable unavailable) {
            limits.unavailable(Subject.kind(job.kind()), unavailable.delay(), ErrorText.clean(unavailable.reason()));
        } else if (outcome instanceof Outcome.KeyUnavailable unavailable
                && job.key().isPresent()) {
            keys.unavailable(
                    new JobKey(job.queue(), job.key().get()),
                    unavailable.delay(),
                    ErrorText.clean(unavailable.reason()));
        }
    }
}
