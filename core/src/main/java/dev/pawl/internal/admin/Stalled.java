package dev.pawl.internal.admin;

import dev.pawl.admin.StalledJob;
import dev.pawl.api.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Decides whether a run takes far longer than others of its kind. */
final class Stalled {
    /** A stalled run takes more than this many times as long as the longest of the last completed runs of its kind. */
    private static final int MIN_FACTOR = 5;
    /** It also exceeds the longest run by more than this time, so that a short delay of a short job is not reported. */
    static final Duration MIN_EXCESS = Duration.ofMinutes(1);

    private Stalled() {}

    /**
     * @param running jobs
     * @param longestByKind the longest of the last completed runs of each kind
     * @param now by the database's clock
     * @return the stalled runs, longest first; none of kinds without a recently completed job
     */
    static List<StalledJob> among(List<Job> running, Map<String, Duration> longestByKind, Instant now) {
        List<StalledJob> stalled = new ArrayList<>();
        for (Job job : running) {
            Duration longest = longestByKind.get(job.kind());
            if (longest != null && job.startedAt() != null) {
                Duration elapsed = Duration.between(job.startedAt(), now);
                if (elapsed.compareTo(longest.multipliedBy(MIN_FACTOR)) > 0
                        && elapsed.minus(longest).compareTo(MIN_EXCESS) > 0) {
                    stalled.add(new StalledJob(job.id(), job.queue(), job.kind(), elapsed, longest));
                }
            }
        }
        stalled.sort(Comparator.comparing(StalledJob::running).reversed());
        return stalled;
    }
}
