package dev.pawl.testkit;

import dev.pawl.api.Job;
import dev.pawl.api.WorkerStats;
import java.util.List;

/**
 * The result of draining a queue.
 *
 * @param stats counts
 * @param ran the jobs as they were claimed, one per run, in the order of the runs' starts
 * @param failures failed runs, in the order in which they were recorded
 */
public record Drained(WorkerStats stats, List<Job> ran, List<FailedRun> failures) {
    /** Copies the lists. */
    public Drained {
        ran = List.copyOf(ran);
        failures = List.copyOf(failures);
    }
}
