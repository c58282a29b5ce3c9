package dev.pawl.dashboard.internal.look;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobAssignment;
import dev.pawl.admin.JobFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * A running job that a manager has given to a worker.
 *
 * @param job that runs, without its payload
 * @param assignment who does it
 */
public record Given(Job job, JobAssignment assignment) {
    private static final int MOST_LOOKED_AT = 100;

    /** {@return those among the newest hundred that run} */
    static List<Given> all(JobAdmin admin) {
        List<Given> given = new ArrayList<>();
        for (Job job : admin.page(JobFilter.ALL.state(JobState.RUNNING).limit(MOST_LOOKED_AT))
                .jobs()) {
            List<JobAssignment> assignments = admin.assignments(job.id(), 1);
            if (!assignments.isEmpty()) {
                JobAssignment last = assignments.get(assignments.size() - 1);
                if (last.attempt() == job.attempt()) {
                    given.add(new Given(job, last));
                }
            }
        }
        return given;
    }
}
