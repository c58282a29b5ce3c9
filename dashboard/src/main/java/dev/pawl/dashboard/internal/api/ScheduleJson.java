package dev.pawl.dashboard.internal.api;

import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of schedules, with the command line's names, without payloads. */
final class ScheduleJson {
    private ScheduleJson() {}

    static Map<String, @Nullable Object> of(ScheduleInfo schedule) {
        Recurrence recurrence = schedule.recurrence();
        return Json.object(
                "name", schedule.name(),
                "kind", schedule.kind(),
                "queue", schedule.queue(),
                "recurrence", schedule.text(),
                "words", recurrence == null ? schedule.text() : recurrence.words(),
                "missed", schedule.missed().most(),
                "overlap", schedule.overlap(),
                "nextAt", schedule.nextAt(),
                "lastTick", schedule.lastTick(),
                "lastJobId", schedule.lastJobId(),
                "pausedAt", schedule.pausedAt(),
                "origin", schedule.origin(),
                "changed", schedule.isChanged(),
                "overdue", schedule.isOverdue());
    }
}
