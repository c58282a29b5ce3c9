package dev.pawl.importer;

import dev.pawl.schedule.Recurrence;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Translates other libraries' cron expressions to expressions of Pawl with the same meaning, or refuses them. */
final class CronDialect {
    private static final Pattern PART = Pattern.compile("([*?]|\\w{1,3})?(?:-(\\w{1,3}))?(?:/(\\d{1,3}))?");
    private static final Pattern LAST = Pattern.compile("(\\d|[A-Z]{3})L");
    private static final Pattern NTH = Pattern.compile("(\\d|[A-Z]{3})#(\\d)");
    /** To cron-utils, Sunday is also day 7, so {@code 1/2} includes Sunday. In Pawl it includes no Sunday. */
    private static final Pattern WEEKDAYS_TO_THE_END = Pattern.compile("(^|,)\\w{1,3}/");

    /** In a month without the day before the W, cron-utils computes a day outside the month, or skips the month. */
    private static final Pattern LATE_WEEKDAY = Pattern.compile("(29|3\\d)W");

    private static final Pattern SINGLE = Pattern.compile("\\d{1,2}");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");

    private final String expression;
    private final Reader reader;

    private CronDialect(String expression, Reader reader) {
        this.expression = expression;
        this.reader = reader;
    }

    /** The library that parses a Quartz expression. */
    private enum Reader {
        QUARTZ(ClockChanges.QUARTZ),
        CRON_UTILS(ClockChanges.CRON_UTILS);

        private final ClockChanges changes;

        Reader(ClockChanges changes) {
            this.changes = changes;
        }
    }

    /**
     * A field of a Quartz expression.
     *
     * @param first its lowest number
     * @param count how many numbers it has, after which ranges wrap around
     * @param names of its numbers, from the first on; empty if they have none
     */
    private record Unit(int first, int count, List<String> names) {
        int number(String text) {
            int named = names.indexOf(text);
            return named >= 0 ? named + first : Integer.parseInt(text);
        }
    }

    /**
     * {@return the recurrence of an expression in Quartz syntax: seconds first, days of the week from Sunday = 1, an optional year, and a
     * question mark for the day of the month or of the week}
     */
    static Recurrence quartz(String expression, ZoneId zone) {
        return ofQuartz(expression, zone, Reader.QUARTZ);
    }

    /** {@return the recurrence of a Quartz expression as cron-utils parses it} */
    static Recurrence quartzByCronUtils(String expression, ZoneId zone) {
        return ofQuartz(expression, zone, Reader.CRON_UTILS);
    }

    private static Recurrence ofQuartz(String expression, ZoneId zone, Reader reader) {
        return ours(new CronDialect(expression, reader).fromQuartz(), zone, expression, reader.changes);
    }

    /** {@return the recurrence of a Spring expression as cron-utils parses it: five or six fields, Sunday = 0} */
    static Recurrence spring(String expression, ZoneId zone) {
        return cronUtils(expression, zone);
    }

    /** {@return the recurrence of a crontab expression as cron-utils parses it: five fields} */
    static Recurrence unix(String expression, ZoneId zone) {
        return cronUtils(expression, zone);
    }

    private static Recurrence cronUtils(String expression, ZoneId zone) {
        List<String> fields = List.of(BLANKS.split(expression.strip()));
        int last = fields.size() - 1;
        if (fields.size() >= 5 && !isStar(fields.get(last - 2)) && !isStar(fields.get(last))) {
            throw new RefusedException("its cron expression '" + expression
                    + "' restricts both the day of the month and the day of the week");
        }
        if (fields.size() >= 5 && WEEKDAYS_TO_THE_END.matcher(fields.get(last)).find()) {
            throw new RefusedException("its cron expression '" + expression
                    + "' counts days of the week up to the end of the week: write them as a list");
        }
        return ours(expression, zone, expression, ClockChanges.CRON_UTILS);
    }

    /** {@return the recurrence of an expression in JobRunr's syntax} */
    static Recurrence jobRunr(String expression, ZoneId zone) {
        return ours(expression, zone, expression, ClockChanges.JOBRUNR);
    }

    private static boolean isStar(String field) {
        return field.equals("*") || field.equals("?");
    }

    private static boolean isRestricted(String field) {
        return !field.startsWith("*") && !field.startsWith("?");
    }

    private static Recurrence ours(String expression, ZoneId zone, String theirs, ClockChanges changes) {
        try {
            return changes.recurrence(expression, zone, theirs);
        } catch (IllegalArgumentException e) {
            throw new RefusedException(
                    "its cron expression '" + theirs + "' has no equivalent here: " + e.getMessage());
        }
    }

    static ZoneId zone(@Nullable String name) {
        try {
            return name == null || name.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(name, ZoneId.SHORT_IDS);
        } catch (DateTimeException e) {
            throw new RefusedException("its time zone '" + name + "' is not known here");
        }
    }

    private String fromQuartz() {
        List<String> fields = List.of(BLANKS.split(expression.strip().toUpperCase(Locale.ROOT)));
        if (fields.size() < 6 || fields.size() > 7) {
            throw new RefusedException("its cron expression '" + expression + "' has " + fields.size() + " fields");
        }
        if (fields.size() == 7 && !fields.get(6).equals("*")) {
            throw new RefusedException("its cron expression '" + expression + "' is limited to years (" + fields.get(6)
                    + "), which Pawl's cron expressions do not support");
        }
        if (isRestricted(fields.get(3)) && isRestricted(fields.get(5))) {
            throw new RefusedException("its cron expression '" + expression
                    + "' restricts both the day of the month and the day of the week");
        }
        if (fields.get(3).contains("W") && !fields.subList(0, 3).stream().allMatch(SINGLE.asMatchPredicate())) {
            throw new RefusedException("its cron expression '" + expression
                    + "' has several ticks on the weekday nearest to a day, of which Quartz runs only the first");
        }
        if (reader == Reader.CRON_UTILS && LATE_WEEKDAY.matcher(fields.get(3)).find()) {
            throw new RefusedException("its cron expression '" + expression
                    + "' names the weekday nearest to a day that some months do not have");
        }
        return String.join(
                " ",
                numbers(new Unit(0, 60, List.of()), fields.get(0)),
                numbers(new Unit(0, 60, List.of()), fields.get(1)),
                numbers(new Unit(0, 24, List.of()), fields.get(2)),
                fields.get(3).matches("[-0-9LW]*[LW][-0-9LW]*")
                        ? fields.get(3)
                        : numbers(new Unit(1, 31, List.of()), fields.get(3)),
                numbers(new Unit(1, 12, MONTHS), fields.get(4)),
                weekdays(fields.get(5)));
    }

    private String weekdays(String field) {
        Unit unit = new Unit(1, 7, DAYS);
        Matcher last = LAST.matcher(field);
        Matcher nth = NTH.matcher(field);
        if (field.equals("L")) {
            return "6";
        }
        if (last.matches()) {
            return unit.number(last.group(1)) - 1 + "L";
        }
        if (nth.matches()) {
            return unit.number(nth.group(1)) - 1 + "#" + nth.group(2);
        }
        return numbers(unit, field);
    }

    private String numbers(Unit unit, String field) {
        List<String> parts = new ArrayList<>();
        for (String part : field.split(",", -1)) {
            try {
                parts.add(part(unit, part));
            } catch (NumberFormatException e) {
                throw new RefusedException("its cron expression '" + expression + "' holds '" + part + "'");
            }
        }
        return String.join(",", parts);
    }

    private String part(Unit unit, String part) {
        Matcher parts = PART.matcher(part);
        if (part.isEmpty() || !parts.matches()) {
            throw new RefusedException("its cron expression '" + expression + "' holds '" + part + "'");
        }
        String from = parts.group(1);
        String step = parts.group(3) == null ? "" : "/" + parts.group(3);
        if (from == null || from.equals("*") || from.equals("?")) {
            return "*" + step;
        }
        int shift = unit.count == 7 ? 1 : 0; // in Pawl Sunday is 0
        int first = unit.number(from);
        if (parts.group(2) == null) {
            return first - shift + step;
        }
        int last = unit.number(parts.group(2));
        if (first <= last) {
            return first - shift + "-" + (last - shift) + step;
        }
        if (reader == Reader.CRON_UTILS) {
            throw new RefusedException("its cron expression '" + expression + "' holds '" + part
                    + "', which wraps around: write it as a list");
        }
        int each = step.isEmpty() ? 1 : Math.max(1, Integer.parseInt(parts.group(3)));
        List<Integer> numbers = new ArrayList<>();
        for (int number = first; number <= last + unit.count; number += each) {
            numbers.add((number - unit.first) % unit.count + unit.first - shift);
        }
        return numbers.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
    }
}
