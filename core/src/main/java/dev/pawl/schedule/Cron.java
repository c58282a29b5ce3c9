package dev.pawl.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression: a set of wall-clock times. Immutable, thread-safe. Two expressions are equal if their texts are
 * equal.
 *
 * <p>Five fields, or six with seconds before them: {@code second minute hour day-of-month month day-of-week}, or one of
 * {@code @yearly @annually @monthly @weekly @daily @midnight @hourly}. Fields hold numbers, names ({@code JAN},
 * {@code MON}; Sunday is 0 or 7), {@code *} or {@code ?} for all, ranges {@code 9-17}, steps {@code *}{@code /15},
 * {@code 5/15} (from 5 on) and {@code 9-17/2}, and lists of all these. Days of a month may also be {@code L} (the
 * last), {@code L-3} (three before it), {@code 15W} (the weekday nearest to the 15th, in the same month) and {@code LW}
 * (the last weekday); days of a week {@code 5L} or {@code FRIL} (the last Friday) and {@code 1#2} or {@code MON#2} (the
 * second Monday).
 *
 * <p>If both day fields are restricted, a day needs to match only one of them, as in Vixie's cron. If one of them
 * begins with {@code *}, a day must match both.
 *
 * <p><b>Daylight saving time.</b> If the hour field begins with {@code *}, ticks follow elapsed time. A skipped hour has no ticks, and a
 * repeated hour has its ticks twice. Otherwise the hour is fixed, and each time has one tick a day. A tick in skipped time comes at the end
 * of the skipped time, or not at all ({@link Gap}). In repeated time, the first occurrence counts.
 */
public final class Cron {
    private static final int CALENDAR_CYCLE_YEARS = 400;

    private final String text;
    private final CronField seconds;
    private final CronField minutes;
    private final CronField hours;
    private final CronField months;
    private final CronDays days;

    private Cron(String text, List<String> fields) {
        this.text = text;
        CronParser parser = new CronParser(text);
        seconds = parser.numbers(CronField.Unit.SECOND, fields.get(0));
        minutes = parser.numbers(CronField.Unit.MINUTE, fields.get(1));
        hours = parser.numbers(CronField.Unit.HOUR, fields.get(2));
        months = parser.numbers(CronField.Unit.MONTH, fields.get(4));
        days = parser.days(fields.get(3), fields.get(5));
        if (nextDay(LocalDate.of(2000, 1, 1)) == null) {
            throw new IllegalArgumentException("cron '" + text + "' is never due: no month has such a day");
        }
    }

    /** What happens to a tick with a fixed hour in time that is skipped because clocks go forward. */
    public enum Gap {
        /** The tick comes at the end of the skipped time; several skipped ticks come as one. */
        RUN,
        /** The tick does not come on that day. */
        SKIP
    }

    /**
     * Parses an expression.
     *
     * @param expression five or six fields or a name, see {@link Cron}; case does not matter
     * @return the parsed expression
     * @throws IllegalArgumentException if it is malformed or never due; the message says what is wrong
     */
    public static Cron of(String expression) {
        String text = expression.strip();
        return new Cron(text, CronParser.fields(text));
    }

    /**
     * Returns the next tick. A tick in skipped time comes at the end of the skipped time ({@link Gap#RUN}).
     *
     * @param after a time
     * @param zone the time zone of the clock
     * @return the first tick after that time
     */
    public Instant nextAfter(Instant after, ZoneId zone) {
        return nextAfter(after, zone, Gap.RUN);
    }

    /**
     * Returns the next tick.
     *
     * @param after a time
     * @param zone the time zone of the clock
     * @param gap what happens to ticks in skipped time
     * @return the first tick after that time
     */
    public Instant nextAfter(Instant after, ZoneId zone, Gap gap) {
        ZoneRules rules = zone.getRules();
        return hours.isAny() ? byElapsedTime(after, rules) : byTheClock(after, rules, gap);
    }

    private Instant byTheClock(Instant after, ZoneRules rules, Gap gap) {
        LocalDateTime local = LocalDateTime.ofInstant(after, rules.getOffset(after));
        while (true) {
            local = nextFrom(secondAfter(local));
            List<ZoneOffset> offsets = rules.getValidOffsets(local);
            if (offsets.isEmpty() && gap == Gap.SKIP) {
                continue;
            }
            // the first of two offsets is the offset before clocks went back
            Instant tick =
                    offsets.isEmpty() ? rules.getTransition(local).getInstant() : local.toInstant(offsets.get(0));
            if (tick.isAfter(after)) {
                return tick;
            }
        }
    }

    private Instant byElapsedTime(Instant after, ZoneRules rules) {
        Instant at = after;
        LocalDateTime from = secondAfter(LocalDateTime.ofInstant(after, rules.getOffset(after)));
        while (true) {
            Instant tick = nextFrom(from).toInstant(rules.getOffset(at));
            @Nullable ZoneOffsetTransition change = rules.nextTransition(at);
            if (change == null || tick.isBefore(change.getInstant())) {
                return tick;
            }
            at = change.getInstant();
            from = change.getDateTimeAfter();
        }
    }

    private static LocalDateTime secondAfter(LocalDateTime local) {
        return local.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    }

    /** Returns the first matching time at or after the given one, ignoring daylight saving time. */
    private LocalDateTime nextFrom(LocalDateTime from) {
        if (fits(from.toLocalDate())) {
            @Nullable LocalTime today = nextTime(from.toLocalTime());
            if (today != null) {
                return from.toLocalDate().atTime(today);
            }
        }
        @Nullable LocalDate day = nextDay(from.toLocalDate().plusDays(1));
        if (day == null) {
            throw new IllegalStateException(
                    "cron '" + text + "' is not due again"); // cannot happen: each cycle of the calendar has such a day
        }
        return day.atTime(LocalTime.of(hours.first(), minutes.first(), seconds.first()));
    }

    private @Nullable LocalTime nextTime(LocalTime from) {
        int hour = from.getHour();
        int minute = from.getMinute();
        int second = from.getSecond();
        if (hours.has(hour)) {
            if (minutes.has(minute) && seconds.from(second) >= 0) {
                return LocalTime.of(hour, minute, seconds.from(second));
            }
            if (minutes.from(minute + 1) >= 0) {
                return LocalTime.of(hour, minutes.from(minute + 1), seconds.first());
            }
        }
        int later = hours.from(hour + 1);
        return later < 0 ? null : LocalTime.of(later, minutes.first(), seconds.first());
    }

    private boolean fits(LocalDate day) {
        return months.has(day.getMonthValue()) && days.fit(day);
    }

    private @Nullable LocalDate nextDay(LocalDate from) {
        LocalDate end = from.plusYears(CALENDAR_CYCLE_YEARS);
        LocalDate day = from;
        while (!day.isAfter(end)) {
            if (!months.has(day.getMonthValue())) {
                day = day.withDayOfMonth(1).plusMonths(1);
            } else if (days.fit(day)) {
                return day;
            } else {
                day = day.plusDays(1);
            }
        }
        return null;
    }

    /** {@return a description in English, such as "at 03:00 on weekdays"} */
    public String words() {
        return new CronWords(seconds, minutes, hours, months, days).toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Cron cron && cron.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** {@return the expression as it was given, without surrounding blanks} */
    @Override
    public String toString() {
        return text;
    }
}
