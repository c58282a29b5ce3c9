package dev.pawl.admin;

import java.util.List;

/**
 * Runs that take far longer than others of their kind.
 *
 * @param jobs the runs, longest first
 * @param isAtLeast whether there may be more, because the search reads a limited number of runs, the oldest first
 */
public record StalledJobs(List<StalledJob> jobs, boolean isAtLeast) {
    /** Copies the list. */
    public StalledJobs {
        jobs = List.copyOf(jobs);
    }
}
