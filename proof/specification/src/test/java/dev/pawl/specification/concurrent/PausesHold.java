package dev.pawl.specification.concurrent;

import dev.pawl.api.Job;
import dev.pawl.specification.concurrent.History.Pause;
import dev.pawl.specification.concurrent.History.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * While a queue is paused, nothing is claimed from it. A worker makes one claim after the other, so at most one claim of each worker may
 * have been in flight when the queue was paused. Jobs with keys are ignored, because a release of their key may also claim them.
 */
final class PausesHold implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        for (Pause pause : history.pauses) {
            Map<Long, SortedSet<Instant>> claims = new HashMap<>();
            for (Run run : history.runs) {
                Job job = run.job();
                Instant claimed = Objects.requireNonNull(job.startedAt());
                if (pause.concerns(job)
                        && job.key().isEmpty()
                        && claimed.isAfter(pause.from())
                        && claimed.isBefore(pause.to())) {
                    claims.computeIfAbsent(Objects.requireNonNull(job.leasedBy()), any -> new TreeSet<>())
                            .add(claimed);
                }
            }
            claims.forEach((worker, moments) -> {
                if (moments.size() > 1) {
                    broken.add("worker " + worker + " has claimed at " + moments + " in spite of " + pause);
                }
            });
        }
        return broken;
    }
}
