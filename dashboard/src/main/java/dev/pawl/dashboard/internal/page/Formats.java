package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.DisplayState;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers, times and durations for people. */
public final class Formats {
    private static final int LONGEST_CELL = 160;

    private static final String UNITS = "kMGT";

    private Formats() {}

    /** {@return 12,345} */
    public static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@return 999, 1.2k, 35k, 4M: for places with little room} */
    public static String rough(long number) {
        double rough = number;
        int unit = -1;
        while (rough >= 1_000 && unit < UNITS.length() - 1) {
            rough /= 1_000;
            unit++;
        }
        return unit < 0
                ? Long.toString(number)
                : String.format(
                        Locale.ROOT, rough < 10 ? "%.1f%c" : "%.0f%c", Math.floor(rough * 10) / 10, UNITS.charAt(unit));
    }

    /** {@return 123 bytes, 12 kB, 1.2 MB} */
    public static String size(long bytes) {
        if (bytes < 1_000) {
            return bytes + " bytes";
        }
        double size = bytes;
        int unit = -1;
        while (size >= 1_000 && unit < UNITS.length() - 1) {
            size /= 1_000;
            unit++;
        }
        return String.format(Locale.ROOT, size < 10 ? "%.1f %cB" : "%.0f %cB", size, UNITS.charAt(unit));
    }

    /** {@return 1 job, 2 jobs} */
    public static String count(long number, String one) {
        return number(number) + " " + one + (number == 1 ? "" : "s");
    }

    /** {@return the moment to the second, in UTC; empty for null} */
    public static String time(@Nullable Instant moment) {
        return moment == null
                ? ""
                : moment.truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                        .replace('T', ' ')
                        .replace("Z", " UTC");
    }

    /** {@return how long ago the moment was or how far ahead it is, by the clock of this machine} */
    public static String ago(@Nullable Instant moment) {
        if (moment == null) {
            return "";
        }
        Duration age = Duration.between(moment, Instant.now());
        if (age.abs().compareTo(Duration.ofDays(36_500)) > 0) {
            return "never";
        }
        return age.abs().compareTo(Duration.ofSeconds(1)) < 0
                ? "now"
                : age.isNegative() ? "in " + length(age.negated()) : length(age) + " ago";
    }

    /** {@return a duration in its two largest units: 350 ms, 12 s, 3 min 5 s, 2 h 10 min, 4 d 3 h} */
    public static String length(@Nullable Duration length) {
        if (length == null) {
            return "";
        }
        long seconds = length.toSeconds();
        if (seconds < 1) {
            return length.toMillis() + " ms";
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return two(seconds / 60, "min", seconds % 60, "s");
        }
        return seconds < 86_400
                ? two(seconds / 3_600, "h", seconds % 3_600 / 60, "min")
                : two(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h");
    }

    private static String two(long large, String unit, long small, String smallUnit) {
        return large + " " + unit + (small == 0 || large >= 100 ? "" : " " + small + " " + smallUnit);
    }

    /** {@return the beginning of a text, on one line} */
    public static String brief(@Nullable String text) {
        if (text == null) {
            return "";
        }
        String line = text.lines().findFirst().orElse("");
        return line.length() > LONGEST_CELL ? line.substring(0, LONGEST_CELL) + "…" : line;
    }

    /** {@return the word for a state or another enum} */
    public static String word(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** {@return the word for the state of a job, by the clock of this machine} */
    public static String state(Job job) {
        return DisplayState.of(job, Instant.now()).word();
    }

    /** {@return the word with an initial capital, for a button} */
    public static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** {@return the label of a filter parameter: "not kind" for notKind} */
    public static String qualifier(String parameter) {
        return parameter.startsWith("not") ? "not " + parameter.substring(3).toLowerCase(Locale.ROOT) : parameter;
    }

    /** {@return all states} */
    public static List<JobState> states() {
        return List.of(JobState.values());
    }

    /** {@return the names, separated by commas} */
    public static String list(@Nullable Iterable<String> names) {
        return names == null ? "?" : String.join(", ", names);
    }
}
