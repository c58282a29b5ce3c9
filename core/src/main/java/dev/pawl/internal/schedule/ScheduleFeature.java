package dev.pawl.internal.schedule;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import java.util.List;

/** Recurring jobs. */
public final class ScheduleFeature implements Feature {
    @Override
    public String name() {
        return "schedules";
    }

    @Override
    public List<JobLink> links() {
        return List.of(
                JobLink.mentionsJob(
                        "pawl_schedule",
                        "last_job_id",
                        "the schedule continues, and checks this job before its next tick"),
                JobLink.mentionsJob("pawl_tick", "job_id", "the history of a schedule is deleted by its own age"));
    }
}
