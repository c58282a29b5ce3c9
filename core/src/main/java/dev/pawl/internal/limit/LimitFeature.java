package dev.pawl.internal.limit;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** Limits of queues, kinds and keys. Their tables do not refer to jobs. */
public final class LimitFeature implements Feature {
    @Override
    public String name() {
        return "limits";
    }

    @Override
    public List<JobLink> links() {
        return List.of();
    }
}
