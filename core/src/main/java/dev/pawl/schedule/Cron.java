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
 * A cron expression: when something is due by the clock on the wall.
 *
 * <p>Five fields, or six with seconds before them: {@code second minute hour day-of-month month day-of-week}, or one of
 * {@code @yearly @annually @monthly @weekly @daily @midnight @hourly}. Fields hold numbers, names ({@code JAN}, {@code MON};
 * Sunday is 0 or 7), {@code *} or {@code ?} for all, ranges {@code 9-17}, steps {@code *}{@code /15}, {@code 5/15} (from 5 on)
 * and {@code 9-17/2}, and lists of these. Days of a month may also be {@code L} (the last), {@code L-3} (three before it),
 * {@code 15W} (the weekday nearest to the 15th, in the same month) and {@code LW} (the last weekday); days of a week
 * {@code 5L} or {@code FRIL} (the last Friday) and {@code 1#2} or {@code MON#2} (the second Monday).
 *
 * <p>Where both days are restricted, a day that fits either of them will do, as in Vixie's cron; where one of them begins with
 * {@code *}, a day must fit both.
 *
 * <p><b>When clocks change.</b> If the hour field begins with {@code *}, ticks go on by elapsed time: none in an hour that
 * does not exist, and both times in one that comes twice. Otherwise the hour is fixed, and the tick of a day happens once:
 * one that falls into missing time comes when that is over, or not at all ({@link Gap}); of a time that comes twice the first
 * counts.
 *
 * <p>Immutable and safe for use by several threads. Two expressions are equal if their text is.
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

    /** What happens to a tick with a fixed hour that falls into time which does not exist, because clocks go forward. */
    public enum Gap {
        /** It comes at the first moment after the gap; several in one gap come once. */
        RUN,
        /** There is none on that day. */
        SKIP
    }

    /**
     * @param expression five or six fields or a name, see {@link Cron}; letters in upper or lower case
     * @return when that is
     * @throws IllegalArgumentException if it is not such an expression, or is never due, with the field and what it may hold
     */
    public static Cron of(String expression) {
        String text = expression.strip();
        return new Cron(text, CronParser.fields(text));
    }

    /**
     * @param after a moment
     * @param zone whose clock is meant
     * @return the first tick after that moment; a tick in missing time comes right after it
     */
    public Instant nextAfter(Instant after, ZoneId zone) {
        return nextAfter(after, zone, Gap.RUN);
    }

    /**
     * @param after a moment
     * @param zone whose clock is meant
     * @param gap what happens to ticks in missing time
     * @return the first tick after that moment
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
            // of two offsets the first is the one before clocks went back
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

    /** The first fitting time, that moment or later, as if clocks never changed. */
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
                    "cron '" + text + "' is not due again"); // a cycle of the calendar has such a day
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

    /** {@return the expression in English words, such as "at 03:00 on weekdays"} */
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

    /** {@return the expression as it was given, without blanks around it} */
    @Override
    public String toString() {
        return text;
    }
}
