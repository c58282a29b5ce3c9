package dev.pawl.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.regex.Matcher;

/**
 * The times at which a schedule is due. Immutable. {@code toString()} returns the format that {@link #parse} reads:
 * {@code 0 3 * * * in Europe/Rome}, {@code every PT5M}, {@code PT5M after its end}.
 */
public sealed interface Recurrence {
    /** The shortest time between two ticks. */
    Duration SHORTEST = Duration.ofSeconds(1);
    /** The longest time between two ticks of a {@link Rate} or {@link Pause}: ten years. */
    Duration LONGEST = Duration.ofDays(3653);

    /**
     * Wall-clock times.
     *
     * @param cron the times
     * @param zone the time zone of the clock
     * @param gap what happens to ticks in time that is skipped because clocks go forward
     */
    record ByClock(Cron cron, ZoneId zone, Cron.Gap gap) implements Recurrence {
        @Override
        public String toString() {
            return cron + " in " + zone + (gap == Cron.Gap.SKIP ? ", none in gaps" : "");
        }
    }

    /**
     * A fixed interval between ticks, regardless of the duration of runs.
     *
     * @param every the interval, a second to ten years
     */
    record Rate(Duration every) implements Recurrence {
        /**
         * @throws IllegalArgumentException if the interval is outside its range
         */
        public Rate {
            requireRange(every);
        }

        @Override
        public String toString() {
            return "every " + every;
        }
    }

    /**
     * A pause after the last job has finished, its retries included.
     *
     * @param pause from the end of a run to the next tick, a second to ten years
     */
    record Pause(Duration pause) implements Recurrence {
        /**
         * @throws IllegalArgumentException if the pause is outside its range
         */
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
            throw new IllegalArgumentException(duration + " is not valid as an interval: use a second to ten years");
        }
    }

    /**
     * Returns a recurrence in UTC, which has no daylight saving time.
     *
     * @param cron see {@link Cron}
     * @return the recurrence
     * @throws IllegalArgumentException if it is not a cron expression
     */
    static Recurrence cron(String cron) {
        return cron(cron, ZoneOffset.UTC);
    }

    /**
     * Returns a recurrence in a time zone. Ticks in time that is skipped come at the end of the skipped time.
     *
     * @param cron see {@link Cron}
     * @param zone for example {@code ZoneId.of("Europe/Rome")}
     * @return the recurrence
     * @throws IllegalArgumentException if it is not a cron expression
     */
    static Recurrence cron(String cron, ZoneId zone) {
        return new ByClock(Cron.of(cron), Objects.requireNonNull(zone, "zone"), Cron.Gap.RUN);
    }

    /**
     * Returns a recurrence with a fixed interval, see {@link Rate}.
     *
     * @param distance the interval, a second to ten years
     * @return the recurrence
     * @throws IllegalArgumentException if it is outside the range
     */
    static Recurrence every(Duration distance) {
        return new Rate(distance);
    }

    /**
     * Returns a recurrence with a pause after each run, see {@link Pause}.
     *
     * @param pause from the end of a run to the next tick; a second to ten years
     * @return the recurrence
     * @throws IllegalArgumentException if it is outside the range
     */
    static Recurrence after(Duration pause) {
        return new Pause(pause);
    }

    /**
     * Parses a recurrence.
     *
     * @param text in the format of {@code toString()}
     * @return the recurrence
     * @throws IllegalArgumentException if it has another format
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
                return new ByClock(Cron.of(clock.group(1)), ZoneId.of(clock.group(2)), gap);
            }
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("'" + text + "' has no duration such as PT5M or P1D", e);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' names no time zone: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("'" + text
                + "' is not a recurrence: write '0 3 * * * in Europe/Rome', 'every PT5M' or 'PT5M after its end'");
    }

    /**
     * {@return the first tick after a time}
     *
     * @param after the time
     * @param anchor a past or future tick, from which the ticks of a {@link Rate} are counted
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

    /** {@return the time zone that determines excluded days} */
    default ZoneId days() {
        return this instanceof ByClock clock ? clock.zone : ZoneOffset.UTC;
    }

    /** {@return a description in English, such as "at 03:00 every day (Europe/Rome)"} */
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
