package dev.pawl.dashboard.internal.api;

import dev.pawl.admin.BatchInfo;
import dev.pawl.dashboard.internal.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of batches. */
final class BatchJson {
    private BatchJson() {}

    static Map<String, @Nullable Object> of(BatchInfo batch) {
        return Json.object(
                "id", batch.id(),
                "parent", batch.parent(),
                "name", batch.name(),
                "state", batch.state(),
                "jobs", batch.jobs(),
                "completed", batch.completed(),
                "failed", batch.failed(),
                "cancelled", batch.cancelled(),
                "createdAt", batch.createdAt(),
                "sealedAt", batch.sealedAt(),
                "stoppedAt", batch.stoppedAt(),
                "pausedAt", batch.pausedAt(),
                "canary", batch.canary(),
                "doneAt", batch.doneAt());
    }
}
