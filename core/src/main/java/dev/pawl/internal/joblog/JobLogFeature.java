package dev.pawl.internal.joblog;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** The log of a job: lines of its handler, and what people have changed. */
public final class JobLogFeature implements Feature {
    @Override
    public String name() {
        return "job log";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_job_log", "logged_at"));
    }
}
