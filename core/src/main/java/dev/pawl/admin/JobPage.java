package dev.pawl.admin;

import dev.pawl.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs that match a filter.
 *
 * @param jobs newest first, without payloads
 * @param next for {@link JobFilter#before}, to go on; null if there are no more
 * @param isCut whether there are fewer than the limit because no more were looked at; older ones may match
 */
public record JobPage(List<Job> jobs, @Nullable Long next, boolean isCut) {
    /** Copies the list. */
    public JobPage {
        jobs = List.copyOf(jobs);
    }
}
