package dev.pawl.internal.store;

import dev.pawl.JobRequest;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.time.LocalDate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A schedule with its payload encoded.
 *
 * @param name by which it is known
 * @param job that a tick enqueues
 * @param recurrence when
 * @param missed what happens to ticks that passed while no worker was there
 * @param overlap what happens to a tick while the last job has not ended
 * @param excluded days without ticks; null for none
 */
public record Declaration(
        String name,
        JobRequest job,
        Recurrence recurrence,
        Missed missed,
        Overlap overlap,
        @Nullable Predicate<LocalDate> excluded) {}
