package dev.pawl.admin;

import java.util.List;

/**
 * Runs that take far longer than others of their kind.
 *
 * @param jobs the runs, longest first
 * @param isAtLeast whether there may be more, because older runs filled the search
 */
public record StalledJobs(List<StalledJob> jobs, boolean isAtLeast) {
    /** Copies the list. */
    public StalledJobs {
        jobs = List.copyOf(jobs);
    }
}
