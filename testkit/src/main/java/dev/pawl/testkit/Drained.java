package dev.pawl.testkit;

import dev.pawl.Job;
import dev.pawl.WorkerStats;
import java.util.List;

/**
 * What was done.
 *
 * @param stats in numbers
 * @param ran the jobs as they were claimed, one for each run, in the order in which the runs began
 * @param failures runs that failed, in the order in which that was recorded
 */
public record Drained(WorkerStats stats, List<Job> ran, List<FailedRun> failures) {
    /** Copies the lists. */
    public Drained {
        ran = List.copyOf(ran);
        failures = List.copyOf(failures);
    }
}
