package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.admin.Admin;
import dev.pawl.admin.JobAssignment;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.util.ArrayList;
import java.util.List;

/**
 * A running job that a manager has assigned to a worker.
 *
 * @param job that runs, without its payload
 * @param assignment the worker that runs it
 */
public record AssignedJob(Job job, JobAssignment assignment) {
    private static final int MAX_SEARCHED = 100;

    /** {@return the assigned jobs among the hundred newest running ones} */
    static List<AssignedJob> all(Admin admin) {
        List<AssignedJob> assigned = new ArrayList<>();
        for (Job job : admin.jobs()
                .page(JobFilter.ALL.state(JobState.RUNNING).limit(MAX_SEARCHED))
                .jobs()) {
            List<JobAssignment> assignments = admin.runs().assignments(job.id(), 1);
            if (!assignments.isEmpty()) {
                JobAssignment last = assignments.get(assignments.size() - 1);
                if (last.attempt() == job.attempt()) {
                    assigned.add(new AssignedJob(job, last));
                }
            }
        }
        return assigned;
    }
}
