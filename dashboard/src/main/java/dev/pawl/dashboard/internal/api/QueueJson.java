package dev.pawl.dashboard.internal.api;

import dev.pawl.admin.QueueStats;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** JSON of queues. Each number states whether it is exact. */
final class QueueJson {
    private QueueJson() {}

    /** @param isExact whether all jobs were counted, not only up to {@link Snapshots#MOST_COUNTED} */
    static Map<String, @Nullable Object> of(QueueStats queue, boolean isExact) {
        boolean isCut = LongStream.of(queue.available(), queue.delayed() + queue.retrying(), queue.running())
                .anyMatch(jobs -> jobs >= Snapshots.MOST_COUNTED);
        return Json.object(
                "name", queue.name(),
                "paused", queue.paused(),
                "strategy", queue.strategy(),
                "available", queue.available(),
                "delayed", queue.delayed(),
                "scheduled", queue.scheduled(),
                "blocked", queue.blocked(),
                "pending", queue.pending(),
                "held", queue.held(),
                "retrying", queue.retrying(),
                "running", queue.running(),
                "oldestAge", queue.oldestAge(),
                "atLeast", !isExact && isCut);
    }

    static Map<String, @Nullable Object> of(UnattendedJobs jobs) {
        return Json.object(
                "queue", jobs.queue(), "kind", jobs.kind(), "jobs", jobs.jobs(), "atLeast", jobs.isAtLeast());
    }
}
