package dev.pawl.internal.step;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** Steps, signals and sleep. */
public final class StepFeature implements Feature {
    @Override
    public String name() {
        return "steps";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_step", "written_at"));
    }
}
