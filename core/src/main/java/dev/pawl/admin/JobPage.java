package dev.pawl.admin;

import dev.pawl.api.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the jobs that match a filter.
 *
 * @param jobs newest first, without payloads
 * @param next for {@link JobFilter#before}, to get the next page; null if there is none
 * @param isCut whether the page is incomplete because the search stopped at its limit, so that older jobs may match, too
 */
public record JobPage(List<Job> jobs, @Nullable Long next, boolean isCut) {
    /** Copies the list. */
    public JobPage {
        jobs = List.copyOf(jobs);
    }
}
