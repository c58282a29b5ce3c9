package dev.pawl.schedule;

import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the text of a cron expression. Numbers have at most four digits, so they fit an int before their range is checked.
 */
final class CronParser {
    private static final int LONGEST = 256;
    private static final Map<String, String> NAMED = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");
    private static final Pattern BLANKS = Pattern.compile("[ \t]+");
    private static final Pattern PART = Pattern.compile("(?:([*?])|(\\w{1,4})(?:-(\\w{1,4}))?)(?:/(\\d{1,4}))?");
    private static final Pattern BEFORE_LAST = Pattern.compile("L(?:-(\\d{1,2}))?(W)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern NEAREST = Pattern.compile("(\\d{1,2})W", Pattern.CASE_INSENSITIVE);
    private static final Pattern LAST = Pattern.compile("(\\d|[a-z]{3})L", Pattern.CASE_INSENSITIVE);
    private static final Pattern NTH = Pattern.compile("(\\d|[a-z]{3})#(\\d)", Pattern.CASE_INSENSITIVE);

    private final String expression;

    CronParser(String expression) {
        this.expression = expression;
    }

    /** {@return six fields} */
    static List<String> fields(String expression) {
        if (expression.length() > LONGEST) {
            throw new IllegalArgumentException("a cron expression of " + expression.length()
                    + " characters is too long: " + LONGEST + " is the maximum");
        }
        String text = expression;
        if (expression.startsWith("@")) {
            @SuppressWarnings("NullAway") // the default is not null
            String named = NAMED.getOrDefault(expression.toLowerCase(Locale.ROOT), "");
            if (named.isEmpty()) {
                throw new IllegalArgumentException("cron '" + expression + "' is not a known name: use "
                        + String.join(", ", NAMED.keySet().stream().sorted().toList()) + ", or five fields");
            }
            text = named;
        }
        List<String> fields = new ArrayList<>(List.of(BLANKS.split(text)));
        if (fields.size() == 5) {
            fields.add(0, "0");
        }
        if (fields.size() != 6) {
            throw new IllegalArgumentException(
                    "cron '" + expression + "' has " + (text.isEmpty() ? 0 : fields.size())
                            + " fields: write five, 'minute hour day-of-month month day-of-week', or six with seconds before them");
        }
        return fields;
    }

    CronField numbers(CronField.Unit unit, String field) {
        long bits = 0;
        for (String part : field.split(",", -1)) {
            bits |= bits(unit, part);
        }
        return new CronField(unit, bits, isAny(field));
    }

    CronDays days(String ofMonth, String ofWeek) {
        return new CronDays(daysOfMonth(ofMonth), daysOfWeek(ofWeek), isAny(ofMonth) || isAny(ofWeek));
    }

    private static boolean isAny(String field) {
        return field.startsWith("*") || field.startsWith("?");
    }

    private List<CronDays.Rule> daysOfMonth(String field) {
        CronField.Unit unit = CronField.Unit.DAY_OF_MONTH;
        List<CronDays.Rule> rules = new ArrayList<>();
        long bits = 0;
        for (String part : field.split(",", -1)) {
            Matcher last = BEFORE_LAST.matcher(part);
            Matcher nearest = NEAREST.matcher(part);
            if (last.matches()) {
                int days = last.group(1) == null ? 0 : number(unit, last.group(1), 1, unit.max() - 1, part);
                rules.add(new CronDays.BeforeLast(days, last.group(2) != null));
            } else if (nearest.matches()) {
                rules.add(new CronDays.NearestWeekday(number(unit, nearest.group(1), part)));
            } else {
                bits |= bits(unit, part);
            }
        }
        if (bits != 0) {
            rules.add(new CronDays.Numbered(new CronField(unit, bits, isAny(field))));
        }
        return rules;
    }

    private List<CronDays.Rule> daysOfWeek(String field) {
        CronField.Unit unit = CronField.Unit.DAY_OF_WEEK;
        List<CronDays.Rule> rules = new ArrayList<>();
        long bits = 0;
        for (String part : field.split(",", -1)) {
            Matcher last = LAST.matcher(part);
            Matcher nth = NTH.matcher(part);
            if (last.matches()) {
                rules.add(new CronDays.Last(weekday(last.group(1), part)));
            } else if (nth.matches()) {
                rules.add(new CronDays.Nth(weekday(nth.group(1), part), number(unit, nth.group(2), 1, 5, part)));
            } else {
                bits |= bits(unit, part);
            }
        }
        if (bits != 0) {
            rules.add(new CronDays.Weekdays(new CronField(unit, bits, isAny(field))));
        }
        return rules;
    }

    private DayOfWeek weekday(String text, String part) {
        int number = number(CronField.Unit.DAY_OF_WEEK, text, part);
        return number == 0 ? DayOfWeek.SUNDAY : DayOfWeek.of(number);
    }

    private long bits(CronField.Unit unit, String part) {
        Matcher parts = PART.matcher(part);
        if (!parts.matches()) {
            throw refused(
                    unit,
                    part,
                    "is not a number, a name, *, a range such as " + unit.min() + "-" + unit.max()
                            + " or a step such as */2");
        }
        int step = parts.group(4) == null ? 1 : number(unit, parts.group(4), 1, unit.max(), part);
        int from = parts.group(1) != null ? unit.min() : number(unit, parts.group(2), part);
        int to;
        if (parts.group(3) != null) {
            to = number(unit, parts.group(3), part);
            if (to == 0 && from > 0 && unit == CronField.Unit.DAY_OF_WEEK) {
                to = unit.max(); // the range FRI-SUN ends with 7, but SUN-SUN is only Sunday
            }
        } else {
            to = parts.group(1) != null || parts.group(4) != null ? Math.max(from, unit.last()) : from;
        }
        if (from > to) {
            throw refused(unit, part, "runs backwards: write it as two ranges, with a comma between them");
        }
        long bits = 0;
        for (int number = from; number <= to; number += step) {
            bits |= 1L << number;
        }
        return bits;
    }

    private int number(CronField.Unit unit, String text, String part) {
        int named = unit.named(text);
        return named >= 0 ? named : number(unit, text, unit.min(), unit.max(), part);
    }

    private int number(CronField.Unit unit, String text, int min, int max, String part) {
        if (text.chars().allMatch(letter -> letter >= '0' && letter <= '9')) {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        }
        String what = text.equals(part) ? "is not valid" : "holds '" + text + "'";
        throw refused(unit, part, what + ": use " + min + " to " + max);
    }

    private IllegalArgumentException refused(CronField.Unit unit, String part, String why) {
        return new IllegalArgumentException(
                "cron '" + expression + "': in the field for the " + unit.words() + " '" + part + "' " + why);
    }
}
