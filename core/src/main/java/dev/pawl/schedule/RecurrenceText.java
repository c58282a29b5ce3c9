package dev.pawl.schedule;

import java.time.Duration;
import java.util.regex.Pattern;

/** Parses and formats a {@link Recurrence}. */
final class RecurrenceText {
    static final Pattern CLOCK = Pattern.compile("(.{1,256}?) in ([A-Za-z0-9+_/:-]{1,60})(, none in gaps)?");
    static final Pattern RATE = Pattern.compile("every (\\S{1,40})");
    static final Pattern PAUSE = Pattern.compile("(\\S{1,40}) after its end");

    private RecurrenceText() {}

    static String duration(Duration duration) {
        StringBuilder words = new StringBuilder();
        append(words, duration.toDays(), "day");
        append(words, duration.toHoursPart(), "hour");
        append(words, duration.toMinutesPart(), "minute");
        append(words, duration.toSecondsPart(), "second");
        append(words, duration.toMillisPart(), "millisecond");
        return words.toString();
    }

    private static void append(StringBuilder words, long count, String unit) {
        if (count > 0) {
            words.append(words.length() == 0 ? "" : " ")
                    .append(count)
                    .append(' ')
                    .append(unit)
                    .append(count == 1 ? "" : "s");
        }
    }
}
