package dev.pawl.internal.slot;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** Slots: values that jobs reserve and use once. */
public final class SlotFeature implements Feature {
    @Override
    public String name() {
        return "slots";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.mentionsJob(
                "pawl_slot", "job_id", "a used value is never issued again, and a reservation expires by itself"));
    }
}
