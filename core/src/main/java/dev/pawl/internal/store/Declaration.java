package dev.pawl.internal.store;

import dev.pawl.api.JobRequest;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.time.LocalDate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as a program declares it, with its payload encoded.
 *
 * @param name unique name
 * @param job that a tick enqueues
 * @param recurrence the times of the ticks
 * @param missed how to handle ticks that passed while no worker ran
 * @param overlap how to handle a tick while the last job is unfinished
 * @param excluded days without ticks; null for none
 */
public record Declaration(
        String name,
        JobRequest job,
        Recurrence recurrence,
        Missed missed,
        Overlap overlap,
        @Nullable Predicate<LocalDate> excluded) {}
