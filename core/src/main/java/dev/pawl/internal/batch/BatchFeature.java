package dev.pawl.internal.batch;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** Batches and workflows. */
public final class BatchFeature implements Feature {
    @Override
    public String name() {
        return "batches";
    }

    @Override
    public List<JobLink> links() {
        return List.of(
                JobLink.mentionsJob("pawl_batch_job", "job_id", "the list of a batch is deleted with the batch"));
    }
}
