package dev.pawl.importer;

import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The timing of a recurring job of the peer, the queue from which jobs are imported.
 *
 * @param schedule the name of its schedule here
 * @param recurrence of the schedule
 * @param missed how the peer treats missed ticks
 * @param overlap how the peer treats a tick while the last run has not ended
 * @param first its next tick in the peer's table; null if unknown
 */
record Timetable(
        String schedule,
        Recurrence recurrence,
        Missed missed,
        Overlap overlap,
        @Nullable Instant first) {}
