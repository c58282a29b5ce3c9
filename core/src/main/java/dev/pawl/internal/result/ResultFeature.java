package dev.pawl.internal.result;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** Results of completed jobs. */
public final class ResultFeature implements Feature {
    @Override
    public String name() {
        return "results";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_result", "written_at"));
    }
}
