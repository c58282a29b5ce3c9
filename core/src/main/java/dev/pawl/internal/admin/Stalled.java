package dev.pawl.internal.admin;

import dev.pawl.admin.StalledJob;
import dev.pawl.api.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Tells runs that take far too long from those that take long. */
final class Stalled {
    /** How many times as long as the longest of the last ones. */
    private static final int FAR = 5;
    /** And by so much, or a hiccup of a short job would be news. */
    static final Duration MUCH = Duration.ofMinutes(1);

    private Stalled() {}

    /**
     * @param running jobs
     * @param usual how long the longest of the last completed ones of a kind took
     * @param now by the database's clock
     * @return those that have stalled, the longest first; none of a kind of which no job has been completed lately
     */
    static List<StalledJob> among(List<Job> running, Map<String, Duration> usual, Instant now) {
        List<StalledJob> stalled = new ArrayList<>();
        for (Job job : running) {
            Duration longest = usual.get(job.kind());
            if (longest != null && job.startedAt() != null) {
                Duration so = Duration.between(job.startedAt(), now);
                if (so.compareTo(longest.multipliedBy(FAR)) > 0
                        && so.minus(longest).compareTo(MUCH) > 0) {
                    stalled.add(new StalledJob(job.id(), job.queue(), job.kind(), so, longest));
                }
            }
        }
        stalled.sort(Comparator.comparing(StalledJob::running).reversed());
        return stalled;
    }
}
