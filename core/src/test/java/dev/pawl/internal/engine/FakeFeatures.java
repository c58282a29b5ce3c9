package dev.pawl.internal.engine;

import dev.pawl.internal.assembly.FeatureParts;
import dev.pawl.internal.store.ClaimFilter;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.WorkerFeatures;
import java.util.List;

/** Features of workers over a store in memory: limits and concurrency keys, and what a test adds. */
final class FakeFeatures {
    private FakeFeatures() {}

    static WorkerFeatures of(FakeStore store, List<Duty> duties, List<ClaimFilter> filters) {
        return new FeatureParts(worker -> new WorkerFeatures.Additions(duties, filters), store, store);
    }
}
