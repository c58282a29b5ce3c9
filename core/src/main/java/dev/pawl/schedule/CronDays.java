package dev.pawl.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.TemporalAdjusters;
import java.util.List;

/**
 * The days that match the two day fields of an expression.
 *
 * @param ofMonth rules of the day-of-month field, of which a day must match one
 * @param ofWeek rules of the day-of-week field, of which a day must match one
 * @param both whether a day must match both fields, because one of them begins with a star
 */
record CronDays(List<Rule> ofMonth, List<Rule> ofWeek, boolean both) {
    CronDays {
        ofMonth = List.copyOf(ofMonth);
        ofWeek = List.copyOf(ofWeek);
    }

    boolean fit(LocalDate day) {
        boolean month = ofMonth.stream().anyMatch(rule -> rule.fits(day));
        boolean week = ofWeek.stream().anyMatch(rule -> rule.fits(day));
        return both ? month && week : month || week;
    }

    /** A set of days. */
    sealed interface Rule {
        boolean fits(LocalDate day);
    }

    /** Days of a month by their numbers. */
    record Numbered(CronField numbers) implements Rule {
        @Override
        public boolean fits(LocalDate day) {
            return numbers.has(day.getDayOfMonth());
        }
    }

    /** The day that is a number of days before the last day of a month, or the weekday nearest to that day. */
    record BeforeLast(int days, boolean weekday) implements Rule {
        @Override
        public boolean fits(LocalDate day) {
            int wanted = day.lengthOfMonth() - days;
            return wanted >= 1 && day.getDayOfMonth() == (weekday ? nearestWeekday(day, wanted) : wanted);
        }
    }

    /** The weekday nearest to a day of the month. */
    record NearestWeekday(int wanted) implements Rule {
        @Override
        public boolean fits(LocalDate day) {
            return wanted <= day.lengthOfMonth() && day.getDayOfMonth() == nearestWeekday(day, wanted);
        }
    }

    /** Days of a week by their numbers. */
    record Weekdays(CronField numbers) implements Rule {
        @Override
        public boolean fits(LocalDate day) {
            DayOfWeek weekday = day.getDayOfWeek();
            return numbers.has(weekday.getValue() % 7) || (weekday == DayOfWeek.SUNDAY && numbers.has(7));
        }
    }

    /** The n-th occurrence of a weekday in a month. */
    record Nth(DayOfWeek weekday, int n) implements Rule {
        @Override
        public boolean fits(LocalDate day) {
            return day.getDayOfWeek() == weekday && (day.getDayOfMonth() - 1) / 7 + 1 == n;
        }
    }

    /** The last occurrence of a weekday in a month. */
    record Last(DayOfWeek weekday) implements Rule {
        @Override
        public boolean fits(LocalDate day) {
            return day.equals(day.with(TemporalAdjusters.lastInMonth(weekday)));
        }
    }

    private static int nearestWeekday(LocalDate inMonth, int wanted) {
        YearMonth month = YearMonth.from(inMonth);
        return switch (month.atDay(wanted).getDayOfWeek()) {
            case SATURDAY -> wanted == 1 ? 3 : wanted - 1;
            case SUNDAY -> wanted == month.lengthOfMonth() ? wanted - 2 : wanted + 1;
            default -> wanted;
        };
    }
}
