package dev.pawl.dashboard.internal.api;

import dev.pawl.admin.QueueStats;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.dashboard.internal.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of queues. {@code atLeast} means that some of the numbers are lower bounds. */
final class QueueJson {
    private QueueJson() {}

    static Map<String, @Nullable Object> of(QueueStats queue) {
        return Json.object(
                "name", queue.name(),
                "paused", queue.paused(),
                "strategy", queue.strategy(),
                "available", queue.available(),
                "delayed", queue.delayed(),
                "scheduled", queue.scheduled(),
                "blocked", queue.blocked(),
                "pending", queue.pending(),
                "pausedJobs", queue.pausedJobs(),
                "retrying", queue.retrying(),
                "running", queue.running(),
                "oldestAge", queue.oldestAge(),
                "atLeast", !queue.lowerBounds().isEmpty());
    }

    static Map<String, @Nullable Object> of(UnattendedJobs jobs) {
        return Json.object(
                "queue", jobs.queue(), "kind", jobs.kind(), "jobs", jobs.jobs(), "atLeast", jobs.isAtLeast());
    }
}
