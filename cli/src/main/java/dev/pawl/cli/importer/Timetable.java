package dev.pawl.cli.importer;

import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a recurring thing of the peer is due.
 *
 * @param schedule the name that its schedule gets
 * @param recurrence when
 * @param missed what the peer does with ticks that it has missed
 * @param overlap what it does with a tick while the last run has not ended
 * @param first its next tick by the peer's own table; null if that does not say
 */
record Timetable(
        String schedule,
        Recurrence recurrence,
        Missed missed,
        Overlap overlap,
        @Nullable Instant first) {}
