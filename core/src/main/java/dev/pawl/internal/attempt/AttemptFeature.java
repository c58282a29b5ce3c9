package dev.pawl.internal.attempt;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** Attempts that failed, each with its error. */
public final class AttemptFeature implements Feature {
    @Override
    public String name() {
        return "failed attempts";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_attempt", "failed_at"));
    }
}
