package dev.pawl.schedule;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import java.time.LocalDate;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job, as a program declares it: each tick enqueues one job of this type with this payload, once across all
 * workers. Immutable; for example {@code Schedule.of("nightly-report", REPORT, new Report(), Recurrence.cron("0 3 * *
 * *", ROME))}.
 *
 * @param name unique in the database; formed like the name of a queue
 * @param type of the jobs
 * @param payload of every job
 * @param recurrence the times of the ticks
 * @param options of every job; without delay, {@code availableAt}, {@code expiresAt} and unique key. Default: the
 *     type's
 * @param missed what happens to ticks that passed while no worker was running. Default {@link Missed#ONCE}
 * @param overlap what happens to a tick while the last job has not finished. Default {@link Overlap#SKIP}
 * @param excluded days without ticks, in the recurrence's time zone; null for none. If this is set, only workers of programs that declare
 *     the schedule enqueue its jobs, because only these programs have this code. Default null
 * @param <T> the payload
 */
public record Schedule<T>(
        String name,
        JobType<T> type,
        T payload,
        Recurrence recurrence,
        EnqueueOptions options,
        Missed missed,
        Overlap overlap,
        @Nullable Predicate<LocalDate> excluded) {
    /**
     * @throws IllegalArgumentException if the name is malformed, or the options have a delay, {@code availableAt},
     *     {@code expiresAt} or a unique key
     */
    public Schedule {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(recurrence, "recurrence");
        requireName(name);
        if (!options.delay().isZero() || options.availableAt() != null || options.uniqueKey() != null) {
            throw new IllegalArgumentException("schedule '" + name
                    + "': its jobs cannot have a delay, availableAt or a unique key, because each tick sets them");
        }
        if (options.expiresAt() != null) {
            throw new IllegalArgumentException("schedule '" + name + "': after " + options.expiresAt()
                    + " none of its jobs could start: use expiresIn, which counts from the enqueue of each job");
        }
    }

    private static void requireName(String name) {
        try {
            EnqueueOptions.DEFAULTS.queue(name); // it is formed like the name of a queue
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "schedule '" + name
                            + "' is not valid: use 1 to 100 letters, digits or . _ : / - and start with a letter or a digit",
                    e);
        }
    }

    /**
     * Returns a schedule with the options of its type.
     *
     * @param name unique in the database; formed like the name of a queue
     * @param type of the jobs
     * @param payload of every job
     * @param recurrence the times of the ticks
     * @param <T> the payload
     * @return the schedule
     * @throws IllegalArgumentException if the name is malformed, or the type's options are not allowed, see {@link
     *     #options}
     */
    public static <T> Schedule<T> of(String name, JobType<T> type, T payload, Recurrence recurrence) {
        return new Schedule<>(name, type, payload, recurrence, type.defaults(), Missed.ONCE, Overlap.SKIP, null);
    }

    /**
     * Sets the options of the jobs.
     *
     * @param newOptions of every job; without delay, {@code availableAt}, {@code expiresAt} and unique key
     * @return a copy
     * @throws IllegalArgumentException if the options have one of these
     */
    public Schedule<T> options(EnqueueOptions newOptions) {
        return new Schedule<>(name, type, payload, recurrence, newOptions, missed, overlap, excluded);
    }

    /**
     * Sets what happens to missed ticks.
     *
     * @param newMissed how many missed ticks are run; more than one needs {@link Overlap#ALLOW}, which is checked when
     *     the schedule is declared or added
     * @return a copy
     */
    public Schedule<T> missed(Missed newMissed) {
        return new Schedule<>(name, type, payload, recurrence, options, newMissed, overlap, excluded);
    }

    /**
     * Sets what happens to overlapping ticks.
     *
     * @param newOverlap what happens to a tick while the last job has not finished
     * @return a copy
     */
    public Schedule<T> overlap(Overlap newOverlap) {
        return new Schedule<>(name, type, payload, recurrence, options, missed, newOverlap, excluded);
    }

    /**
     * Excludes days such as holidays.
     *
     * @param days returns true for days without ticks, in the recurrence's time zone; called often, by any thread
     * @return a copy
     */
    public Schedule<T> excluding(Predicate<LocalDate> days) {
        return new Schedule<>(name, type, payload, recurrence, options, missed, overlap, days);
    }
}
