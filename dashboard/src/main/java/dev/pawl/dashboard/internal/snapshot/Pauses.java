package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.admin.QueueAdmin;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The paused queues.
 *
 * @param all since when all queues are paused; null if they are not
 * @param queues since when each queue that was paused individually is paused
 */
public record Pauses(@Nullable Instant all, Map<String, Instant> queues) {
    static Pauses of(QueueAdmin admin) {
        return new Pauses(admin.allPausedSince().orElse(null), admin.pausedSince());
    }
}
