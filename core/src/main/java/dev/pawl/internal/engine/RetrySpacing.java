package dev.pawl.internal.engine;

import dev.pawl.internal.store.AbandonedJob;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Spreads the retries of jobs that ran on the same worker when it died, in random order. One of them may have killed the worker, and would
 * use up the attempts of the others if they ran together each time. Further deaths increase the spacing, because otherwise all jobs would
 * be due again before a slow process has started.
 */
final class RetrySpacing {
    private static final Duration STEP = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int FACTOR = 4;
    /** Limits the spread to ten seconds per job, 200 seconds in total. */
    private static final int MAX = 20;

    private final Map<Long, Duration> byJob = new HashMap<>();

    RetrySpacing(List<AbandonedJob> abandoned) {
        abandoned.stream()
                .filter(AbandonedJob::mayHaveBegun)
                .collect(Collectors.groupingBy(AbandonedJob::leasedBy))
                .values()
                .forEach(this::spread);
    }

    private void spread(List<AbandonedJob> together) {
        Duration fair = LONGEST.dividedBy(together.size());
        Duration step = (fair.compareTo(STEP) < 0 ? fair : STEP).multipliedBy(stretch(together));
        Collections.shuffle(together);
        for (int i = 0; i < together.size(); i++) {
            byJob.put(together.get(i).lease().jobId(), step.multipliedBy(i));
        }
    }

    private static int stretch(List<AbandonedJob> together) {
        int attempts = together.stream().mapToInt(AbandonedJob::attempt).max().orElse(1);
        int stretch = 1;
        for (int i = 1; i < attempts && stretch < MAX; i++) {
            stretch *= FACTOR;
        }
        return Math.min(stretch, MAX);
    }

    /** {@return the additional delay of this job} */
    Duration delayOf(AbandonedJob job) {
        return byJob.getOrDefault(job.lease().jobId(), Duration.ZERO);
    }
}
