package dev.pawl.schedule;

import dev.pawl.EnqueueOptions;
import dev.pawl.InvalidJobException;
import dev.pawl.JobType;
import dev.pawl.internal.words.ReservedHeaders;
import java.time.LocalDate;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job, as a program declares it: at every tick one job of this type with this payload is enqueued, once in the
 * whole cluster. Immutable; {@code Schedule.of("nightly-report", REPORT, new Report(), Recurrence.cron("0 3 * * *", ROME))}.
 *
 * @param name by which it is known in the database; in the form of a queue's name
 * @param type of the jobs
 * @param payload of every job
 * @param recurrence when
 * @param options of every job; without delay, moment and unique key. Default: the type's
 * @param missed what happens to ticks that passed while no worker was there. Default {@link Missed#ONCE}
 * @param overlap what happens to a tick while the last job has not ended. Default {@link Overlap#SKIP}
 * @param excluded days, by the recurrence's zone, on which there are no ticks; null for none. Only programs that declare the
 *     schedule know it, so only their workers enqueue its jobs. Default null
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
     * @throws InvalidJobException if the options have a delay, a moment, a fixed moment of expiry or a unique key
     */
    public Schedule {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(recurrence, "recurrence");
        requireName(name);
        if (!options.delay().isZero() || options.availableAt() != null || options.uniqueKey() != null) {
            throw new InvalidJobException("schedule '" + name
                    + "': its jobs can have no delay, no moment and no unique key: their ticks are both");
        }
        String expires = options.headers().get(ReservedHeaders.EXPIRES);
        if (expires != null && !expires.startsWith("P")) {
            throw new InvalidJobException("schedule '" + name + "': after " + expires
                    + " none of its jobs could begin: use expiresIn, which is counted for each of them");
        }
    }

    private static void requireName(String name) {
        try {
            EnqueueOptions.DEFAULTS.queue(name); // its form is that of a queue's name
        } catch (InvalidJobException e) {
            throw new InvalidJobException(
                    "schedule '" + name
                            + "' is not valid: use 1 to 100 letters, digits or . _ : / - and start with a letter or a digit",
                    e);
        }
    }

    /**
     * @param name by which it is known in the database; in the form of a queue's name
     * @param type of the jobs
     * @param payload of every job
     * @param recurrence when
     * @param <T> the payload
     * @return the schedule, with the type's options
     * @throws InvalidJobException if the name is malformed, or see above
     */
    public static <T> Schedule<T> of(String name, JobType<T> type, T payload, Recurrence recurrence) {
        return new Schedule<>(name, type, payload, recurrence, type.defaults(), Missed.ONCE, Overlap.SKIP, null);
    }

    /**
     * @param newOptions of every job; without delay, moment and unique key
     * @return a copy
     * @throws InvalidJobException if they have one
     */
    public Schedule<T> options(EnqueueOptions newOptions) {
        return new Schedule<>(name, type, payload, recurrence, newOptions, missed, overlap, excluded);
    }

    /**
     * @param newMissed what happens to ticks that passed while no worker was there; more
     *     than one needs {@link Overlap#ALLOW}, which is checked where the schedule is declared or added
     * @return a copy
     */
    public Schedule<T> missed(Missed newMissed) {
        return new Schedule<>(name, type, payload, recurrence, options, newMissed, overlap, excluded);
    }

    /**
     * @param newOverlap what happens to a tick while the last job has not ended
     * @return a copy
     */
    public Schedule<T> overlap(Overlap newOverlap) {
        return new Schedule<>(name, type, payload, recurrence, options, missed, newOverlap, excluded);
    }

    /**
     * @param days by the recurrence's zone, on which there are no ticks, such as holidays; asked often, by any thread
     * @return a copy
     */
    public Schedule<T> excluding(Predicate<LocalDate> days) {
        return new Schedule<>(name, type, payload, recurrence, options, missed, overlap, days);
    }
}
