package dev.pawl.internal.engine;

import dev.pawl.internal.store.AbandonedJob;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Jobs that ran side by side when their worker died come back one after the other, in an order made by chance: one of them
 * may have killed it, and would wear out the others if they ran beside it each time. Each further death puts more time
 * between them: a process that takes long to start would otherwise find all their turns past, and run them together again.
 */
final class Turns {
    private static final Duration STEP = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int FACTOR = 4;
    /** Ten seconds a job, 200 seconds for all. */
    private static final int MOST = 20;

    private final Map<Long, Duration> byJob = new HashMap<>();

    Turns(List<AbandonedJob> abandoned) {
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
        for (int i = 1; i < attempts && stretch < MOST; i++) {
            stretch *= FACTOR;
        }
        return Math.min(stretch, MOST);
    }

    /** {@return how much later it should run again than if it had been alone} */
    Duration of(AbandonedJob job) {
        return byJob.getOrDefault(job.lease().jobId(), Duration.ZERO);
    }
}
