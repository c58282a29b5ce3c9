package dev.pawl.cli;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** Parses and formats times, states and jobs. */
final class Texts {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    /** Java's format of non-negative durations. */
    private static final Pattern ISO = Pattern.compile("\\bPT(?=[0-9])(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9.]+S)?\\b");

    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xx").withZone(ZoneId.systemDefault());

    /** Created lazily. */
    private static final class Json {
        static final JsonMapper MAPPER = JsonMapper.builder().build();
        static final JsonMapper ASCII =
                MAPPER.rebuild().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    }

    private Texts() {}

    /** Parses 500ms, 10s, 5m, 2h, 7d, or ISO 8601. */
    static Duration duration(String option, String text) {
        Matcher matcher = SHORT.matcher(text);
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new UsageException(
                    option + " '" + text + "' is not a duration: write 500ms, 10s, 5m, 2h, 7d or PT1H30M");
        }
    }

    /** Refuses a number outside its range. */
    static void requireRange(String option, long value, long low, long high) {
        if (value < low || value > high) {
            throw new UsageException(option + " " + value + " is not valid: use " + low + " to " + high);
        }
    }

    static Instant instant(String option, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UsageException(option + " '" + text + "' is not a time: write it like 2030-01-31T08:00:00Z");
        }
    }

    /** Parses a moment, or a duration before now by the clock of this machine. */
    static Instant moment(String option, String text) {
        if (SHORT.matcher(text).matches()) {
            return Instant.now().minus(duration(option, text));
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UsageException(option + " '" + text
                    + "' is not a time: write it like 2030-01-31T08:00:00Z, or an age such as 15m, 2h or 7d");
        }
    }

    /** {@return the moment of --at, or now plus --in by the clock of this machine; null if neither is given} */
    static @Nullable Instant atOrIn(@Nullable String at, @Nullable String in) {
        if (at != null && in != null) {
            throw new UsageException("use --at or --in, not both");
        }
        return in != null
                ? Instant.now().plus(duration("--in", in, "0s", "3650d"))
                : at == null ? null : instant("--at", at);
    }

    /** Parses a duration and refuses values outside its range, which is given in the same format. */
    static Duration duration(String option, String text, String low, String high) {
        Duration duration = duration(option, text);
        if (duration.compareTo(duration(option, low)) < 0 || duration.compareTo(duration(option, high)) > 0) {
            throw new UsageException(option + " " + text + " is not valid: use " + low + " to " + high);
        }
        return duration;
    }

    /** {@return a message of the library with its durations in the command line's format} */
    static String inShort(String message) {
        return ISO.matcher(message).replaceAll(found -> {
            try {
                return shortly(Duration.parse(found.group()));
            } catch (DateTimeParseException | ArithmeticException e) {
                return Matcher.quoteReplacement(found.group());
            }
        });
    }

    private static String shortly(Duration length) {
        return length(length).replace(" min", "m").replace(" ", "");
    }

    static JobState state(String text) {
        try {
            return JobState.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "--state '" + text + "' is not a state: available, blocked, pending, paused, running, completed,"
                            + " cancelled or discarded");
        }
    }

    static String time(@Nullable Instant moment) {
        return moment == null ? "" : LOCAL.format(moment);
    }

    /** Formats a configured duration: 10 s, 5 min, 2 h, 7 d. */
    static String length(Duration length) {
        long seconds = length.toSeconds();
        if (seconds == 0 || !length.equals(Duration.ofSeconds(seconds))) {
            return length.toMillis() + " ms";
        }
        return seconds % 86_400 == 0
                ? seconds / 86_400 + " d"
                : seconds % 3_600 == 0
                        ? seconds / 3_600 + " h"
                        : seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }

    static String age(@Nullable Duration age) {
        if (age == null) {
            return "";
        }
        Duration whole = age.truncatedTo(ChronoUnit.SECONDS);
        return whole.toDays() > 0
                ? whole.toDays() + "d" + whole.toHoursPart() + "h"
                : whole.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    static String state(Job job) {
        return job.state().name().toLowerCase(Locale.ROOT);
    }

    /** Returns when the job may be claimed. */
    static String available(Job job) {
        if (job.state() == JobState.PAUSED) {
            return "paused: its batch is paused";
        }
        if (job.state() == JobState.PENDING) {
            return "pending: after others of its workflow";
        }
        return job.state() == JobState.BLOCKED ? "blocked: after others of its key" : time(job.availableAt());
    }

    /** {@return a job's headers as JSON in ASCII, for the environment and HTTP} */
    static String headers(Job job) {
        return asciiJson(new TreeMap<>(job.headers()));
    }

    /** {@return a value as JSON in ASCII} */
    static String asciiJson(Object value) {
        return Json.ASCII.writeValueAsString(value);
    }

    /** Returns the text if it is one JSON value; otherwise fails. */
    static String requireJson(String where, String text) {
        try (var parser = Json.MAPPER.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new UsageException(where + " is empty: a payload is a JSON value, for example {} or \"text\"");
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw new UsageException(where + " is more than one JSON value: " + cut(text));
            }
            return text;
        } catch (JacksonException e) {
            throw new UsageException(where + " is not JSON (" + fault(e) + "): " + cut(text));
        }
    }

    /** Returns the problem and its location, without details of the parser. */
    private static String fault(JacksonException e) {
        String said = e.getOriginalMessage().replaceFirst("(?s)\\s*(\\(start marker|at \\[Source|\\R).*", "");
        return e.getLocation() == null
                ? said
                : said + ", line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    /** {@return the text truncated for a table, on one line} */
    static String cut(String text) {
        return truncated(TerminalEscapes.line(text), 60);
    }

    /** {@return the line, truncated to the maximum number of characters; keeps surrogate pairs together} */
    static String truncated(String line, int most) {
        if (line.length() <= most) {
            return line;
        }
        int end = most - 1;
        return line.substring(0, end > 0 && Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + "…";
    }
}
