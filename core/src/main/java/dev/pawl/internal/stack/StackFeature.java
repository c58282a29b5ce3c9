package dev.pawl.internal.stack;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** Stack traces of runs, shown on request. */
public final class StackFeature implements Feature {
    @Override
    public String name() {
        return "stack traces";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.mentionsJob(
                "pawl_stack",
                "job_id",
                "names only code, and is deleted an hour after the request by the next request"));
    }
}
