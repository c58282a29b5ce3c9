package dev.pawl.internal.remote;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** Which remote worker has which run. */
public final class RemoteRunFeature implements Feature {
    @Override
    public String name() {
        return "remote runs";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_assignment", "assigned_at"));
    }
}
