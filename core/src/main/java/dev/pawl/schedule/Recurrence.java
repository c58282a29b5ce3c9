package dev.pawl.schedule;

import dev.pawl.InvalidJobException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.regex.Matcher;

/**
 * When something is due again and again. Immutable. {@code toString()} is what {@link #parse} reads, and people do:
 * {@code 0 3 * * * in Europe/Rome}, {@code every PT5M}, {@code PT5M after its end}.
 */
public sealed interface Recurrence {
    /** The shortest time between two ticks. */
    Duration SHORTEST = Duration.ofSeconds(1);
    /** The longest time between two ticks of a {@link Rate} or {@link Pause}: ten years. */
    Duration LONGEST = Duration.ofDays(3653);

    /**
     * By the clock on the wall.
     *
     * @param cron at which times
     * @param zone of which clock
     * @param gap what happens to ticks in time that does not exist because the clock goes forward
     */
    record ByClock(Cron cron, ZoneId zone, Cron.Gap gap) implements Recurrence {
        @Override
        public String toString() {
            return cron + " in " + zone + (gap == Cron.Gap.SKIP ? ", none in gaps" : "");
        }
    }

    /**
     * In regular distances, however long the runs take.
     *
     * @param every from one tick to the next, a second to ten years
     */
    record Rate(Duration every) implements Recurrence {
        /** @throws InvalidJobException if the distance is not allowed */
        public Rate {
            requireRange(every);
        }

        @Override
        public String toString() {
            return "every " + every;
        }
    }

    /**
     * Some time after the end of the last run.
     *
     * @param pause from the end of a run to the next tick, a second to ten years
     */
    record Pause(Duration pause) implements Recurrence {
        /** @throws InvalidJobException if the pause is not allowed */
        public Pause {
            requireRange(pause);
        }

        @Override
        public String toString() {
            return pause + " after its end";
        }
    }

    private static void requireRange(Duration duration) {
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new InvalidJobException(duration + " is not valid as a distance: use a second to ten years");
        }
    }

    /**
     * By UTC, whose clock never changes.
     *
     * @param cron see {@link Cron}
     * @return the recurrence
     * @throws InvalidJobException if it is no cron expression
     */
    static Recurrence cron(String cron) {
        return cron(cron, ZoneOffset.UTC);
    }

    /**
     * By the clock of a zone; ticks in time that does not exist come right after it.
     *
     * @param cron see {@link Cron}
     * @param zone for example {@code ZoneId.of("Europe/Rome")}
     * @return the recurrence
     * @throws InvalidJobException if it is no cron expression
     */
    static Recurrence cron(String cron, ZoneId zone) {
        return new ByClock(cronOf(cron), Objects.requireNonNull(zone, "zone"), Cron.Gap.RUN);
    }

    private static Cron cronOf(String cron) {
        try {
            return Cron.of(cron);
        } catch (IllegalArgumentException e) {
            throw new InvalidJobException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * @param distance from one tick to the next, however long the runs take; a second to ten years
     * @return the recurrence
     * @throws InvalidJobException if it is outside the range
     */
    static Recurrence every(Duration distance) {
        return new Rate(distance);
    }

    /**
     * @param pause from the end of a run to the next tick; a second to ten years
     * @return the recurrence
     * @throws InvalidJobException if it is outside the range
     */
    static Recurrence after(Duration pause) {
        return new Pause(pause);
    }

    /**
     * @param text as {@code toString()} writes it
     * @return the recurrence
     * @throws InvalidJobException if it is something else
     */
    static Recurrence parse(String text) {
        Matcher clock = RecurrenceText.CLOCK.matcher(text);
        Matcher rate = RecurrenceText.RATE.matcher(text);
        Matcher pause = RecurrenceText.PAUSE.matcher(text);
        try {
            if (rate.matches()) {
                return every(Duration.parse(rate.group(1)));
            }
            if (pause.matches()) {
                return after(Duration.parse(pause.group(1)));
            }
            if (clock.matches()) {
                Cron.Gap gap = clock.group(3) == null ? Cron.Gap.RUN : Cron.Gap.SKIP;
                return new ByClock(cronOf(clock.group(1)), ZoneId.of(clock.group(2)), gap);
            }
        } catch (DateTimeParseException e) {
            throw new InvalidJobException("'" + text + "' holds no duration such as PT5M or P1D", e);
        } catch (DateTimeException e) {
            throw new InvalidJobException("'" + text + "' names no time zone: " + e.getMessage(), e);
        }
        throw new InvalidJobException("'" + text
                + "' is no recurrence: write '0 3 * * * in Europe/Rome', 'every PT5M' or 'PT5M after its end'");
    }

    /**
     * {@return the first tick after a moment}
     *
     * @param after the moment
     * @param anchor a tick of the past or the future, by which a {@link Rate} counts
     */
    default Instant next(Instant after, Instant anchor) {
        if (this instanceof ByClock clock) {
            return clock.cron.nextAfter(after, clock.zone, clock.gap);
        }
        if (this instanceof Pause pause) {
            return after.plus(pause.pause);
        }
        long every = ((Rate) this).every.toMillis();
        long passed = Math.floorDiv(Duration.between(anchor, after).toMillis(), every);
        Instant next = anchor.plusMillis(Math.multiplyExact(passed + 1, every));
        return next.isAfter(after) ? next : next.plusMillis(every);
    }

    /** {@return in whose days it counts} */
    default ZoneId days() {
        return this instanceof ByClock clock ? clock.zone : ZoneOffset.UTC;
    }

    /** {@return the recurrence in English words, such as "at 03:00 every day (Europe/Rome)"} */
    default String words() {
        if (this instanceof ByClock clock) {
            return clock.cron.words() + " (" + (clock.zone.equals(ZoneOffset.UTC) ? "UTC" : clock.zone) + ")"
                    + (clock.gap == Cron.Gap.SKIP ? ", none in gaps of the clock" : "");
        }
        return this instanceof Rate rate
                ? "every " + RecurrenceText.duration(rate.every)
                : RecurrenceText.duration(((Pause) this).pause) + " after the end of the last run";
    }
}
