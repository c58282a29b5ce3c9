package dev.pawl.internal.assembly;

import dev.pawl.internal.key.KeyKeeper;
import dev.pawl.internal.quota.LimitKeeper;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.internal.store.WorkerFeatures;
import dev.pawl.internal.store.WorkerHost;
import java.util.List;
import java.util.function.Function;

/**
 * What features add to workers.
 *
 * @param additions duties and filters
 * @param limits allocates what limits allow
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
}
