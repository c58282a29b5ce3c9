package dev.pawl.schedule;

import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Describes a cron expression in English.
 *
 * @param seconds of a minute
 * @param minutes of an hour
 * @param hours of a day
 * @param months of a year
 * @param days of a month and a week
 */
record CronWords(CronField seconds, CronField minutes, CronField hours, CronField months, CronDays days) {
    private static final int MAX_TIMES = 6;
    private static final List<String> NTH = List.of("first", "second", "third", "fourth", "fifth");

    @Override
    public String toString() {
        String onDays = onDays();
        String inMonths = months.isAll() ? "" : " in " + names();
        String everyDay = isAtTimes() && months.isAll() ? " every day" : "";
        return time() + (onDays.isEmpty() ? everyDay : " " + onDays) + inMonths;
    }

    private boolean isAtTimes() {
        boolean isRegular = hours.isAny() && (hours.isAll() || hours.step() > 0);
        return seconds.isOne() && minutes.isOne() && hours.numbers().size() <= MAX_TIMES && !isRegular;
    }

    private String time() {
        if (isAtTimes()) {
            return "at " + list(hours.numbers(), hour -> clock(hour, minutes.first(), seconds.first()));
        }
        if (!seconds.isOne()) {
            String every = every(seconds, "second");
            return minutes.isAll() && hours.isAll()
                    ? every
                    : every + " of " + (minutes.isAll() ? "every minute" : minutesPast()) + ofHours();
        }
        String second = seconds.first() == 0 ? "" : ", " + seconds.first() + " s past";
        if (minutes.isOne()) {
            String past = minutes.first() == 0 ? "" : " at " + minutes.first() + " minutes past";
            return (hours.isAll() ? "every hour" : hours.step() > 0 ? "every " + hours.step() + " hours" : hoursOnly())
                    + past
                    + second;
        }
        return (minutes.isAll() || minutes.step() > 0 ? every(minutes, "minute") : "at " + minutesPast())
                + ofHours()
                + second;
    }

    private String hoursOnly() {
        return "every hour" + ofHours();
    }

    private String minutesPast() {
        return (minutes.isOne() ? "minute " : "minutes ") + list(minutes.numbers(), Integer::toString);
    }

    private String ofHours() {
        if (hours.isAll()) {
            return "";
        }
        List<Integer> numbers = hours.numbers();
        int first = numbers.get(0);
        int last = numbers.get(numbers.size() - 1);
        boolean isRange = last - first == numbers.size() - 1;
        return isRange
                ? " from " + clock(first, 0, 0) + " to " + clock(last, 59, 0)
                : " in the hours " + list(numbers, Integer::toString);
    }

    private static String every(CronField field, String unit) {
        int step = field.step();
        return field.isAll()
                ? "every " + unit
                : step > 0
                        ? "every " + step + " " + unit + "s"
                        : "at " + unit + "s " + list(field.numbers(), Integer::toString);
    }

    private static String clock(int hour, int minute, int second) {
        return second == 0
                ? String.format(Locale.ROOT, "%02d:%02d", hour, minute)
                : String.format(Locale.ROOT, "%02d:%02d:%02d", hour, minute, second);
    }

    private String names() {
        return list(months.numbers(), month -> Month.of(month).getDisplayName(TextStyle.FULL, Locale.ENGLISH));
    }

    private String onDays() {
        boolean anyOfMonth = isEvery(days.ofMonth());
        boolean anyOfWeek = isEvery(days.ofWeek());
        if (anyOfMonth && anyOfWeek) {
            return "";
        }
        String ofMonth = words(days.ofMonth());
        String ofWeek = words(days.ofWeek());
        if (anyOfMonth || anyOfWeek) {
            return anyOfMonth ? ofWeek : ofMonth;
        }
        return days.both() ? ofMonth + " if that is " + ofWeek.replaceFirst("^on ", "") : ofMonth + " and " + ofWeek;
    }

    private static boolean isEvery(List<CronDays.Rule> rules) {
        return rules.stream()
                .anyMatch(rule -> (rule instanceof CronDays.Numbered days
                                && days.numbers().isAll())
                        || (rule instanceof CronDays.Weekdays weekdays
                                && weekdays.numbers().isAll()));
    }

    private static String words(List<CronDays.Rule> rules) {
        return rules.stream().map(CronWords::words).collect(Collectors.joining(" and "));
    }

    private static String words(CronDays.Rule rule) {
        if (rule instanceof CronDays.Numbered days) {
            int step = days.numbers().step();
            return step > 0
                    ? "on every " + ordinal(step) + " day"
                    : "on the " + list(days.numbers().numbers(), CronWords::ordinal);
        } else if (rule instanceof CronDays.BeforeLast last) {
            String day = last.days() == 0 ? "the last day" : "the day " + last.days() + " before the last";
            return last.weekday()
                    ? last.days() == 0
                            ? "on the last weekday of the month"
                            : "on the weekday nearest to " + day + " of the month"
                    : "on " + day + " of the month";
        } else if (rule instanceof CronDays.NearestWeekday nearest) {
            return "on the weekday nearest to the " + ordinal(nearest.wanted());
        } else if (rule instanceof CronDays.Nth nth) {
            return "on the " + NTH.get(nth.n() - 1) + " " + name(nth.weekday()) + " of the month";
        } else if (rule instanceof CronDays.Last last) {
            return "on the last " + name(last.weekday()) + " of the month";
        }
        return weekdays(((CronDays.Weekdays) rule).numbers());
    }

    private static String weekdays(CronField field) {
        List<DayOfWeek> weekdays = new ArrayList<>();
        for (DayOfWeek weekday : DayOfWeek.values()) {
            if (field.has(weekday.getValue()) || (weekday == DayOfWeek.SUNDAY && field.has(0))) {
                weekdays.add(weekday);
            }
        }
        if (weekdays.equals(List.of(DayOfWeek.values()).subList(0, 5))) {
            return "on weekdays";
        }
        return "on " + list(weekdays.stream().map(DayOfWeek::getValue).toList(), day -> name(DayOfWeek.of(day)));
    }

    private static String name(DayOfWeek weekday) {
        return weekday.getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }

    private static String ordinal(int number) {
        int tens = number % 100;
        String end = tens >= 11 && tens <= 13
                ? "th"
                : switch (number % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
        return number + end;
    }

    private static String list(List<Integer> numbers, IntFunction<String> word) {
        List<String> words = numbers.stream().map(number -> word.apply(number)).toList();
        int last = words.size() - 1;
        return last == 0 ? words.get(0) : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }
}
