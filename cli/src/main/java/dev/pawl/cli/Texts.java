package dev.pawl.cli;

import dev.pawl.Job;
import dev.pawl.JobState;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** How times, states and jobs are written and read. */
final class Texts {
    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xx").withZone(ZoneId.systemDefault());

    /** Created only when needed. */
    private static final class Json {
        static final JsonMapper MAPPER = JsonMapper.builder().build();
        static final JsonMapper ASCII =
                MAPPER.rebuild().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    }

    private Texts() {}

    /** Reads 500ms, 10s, 5m, 2h, 7d, or ISO 8601. */
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

    static Instant instant(String option, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UsageException(option + " '" + text + "' is not a moment: write it like 2030-01-31T08:00:00Z");
        }
    }

    /** A moment, or how long ago it was by the clock of this machine. */
    static Instant moment(String option, String text) {
        return SHORT.matcher(text).matches() ? Instant.now().minus(duration(option, text)) : instant(option, text);
    }

    static JobState state(String text) {
        try {
            return JobState.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new UsageException(
                    "--state '" + text + "' is not a state: available, running, completed, cancelled or discarded");
        }
    }

    static String time(@Nullable Instant moment) {
        return moment == null ? "" : LOCAL.format(moment);
    }

    /** A length that somebody has chosen: 10 s, 5 min, 2 h, 7 d. */
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

    /** When it may be claimed. */
    static String available(Job job) {
        return job.isParked() ? "parked: after others of its key" : time(job.availableAt());
    }

    /** A job for programs: the payload as JSON if it is JSON, not as a string within a string. */
    static Map<String, @Nullable Object> asJson(Job job) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", job.id());
        fields.put("kind", job.kind());
        fields.put("queue", job.queue());
        fields.put("state", state(job));
        fields.put("priority", job.priority());
        fields.put("attempt", job.attempt());
        fields.put("maxAttempts", job.maxAttempts());
        fields.put("createdAt", job.createdAt());
        fields.put("availableAt", job.availableAt());
        fields.put("parked", job.isParked());
        fields.put("startedAt", job.startedAt());
        fields.put("finishedAt", job.finishedAt());
        fields.put("leasedBy", job.leasedBy());
        fields.put("leaseExpiresAt", job.leaseExpiresAt());
        fields.put("leaseToken", job.leaseToken());
        fields.put("cancelRequested", job.cancelRequested());
        fields.put("progress", job.progress());
        fields.put("uniqueKey", job.uniqueKey());
        fields.put("tags", job.tags());
        fields.put("headers", job.headers());
        fields.put("payload", payload(job.payload()));
        fields.put("reason", job.reason());
        return fields;
    }

    /** {@return a job's headers as JSON in ASCII, for an environment and for HTTP} */
    static String headers(Job job) {
        return Json.ASCII.writeValueAsString(new TreeMap<>(job.headers()));
    }

    private static Object payload(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JacksonException notJson) {
            return text;
        }
    }

    /** The same text if it is one JSON value. */
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
            throw new UsageException(where + " is not JSON (" + e.getOriginalMessage() + "): " + cut(text));
        }
    }

    static String cut(String text) {
        return text.length() <= 60 ? text : text.substring(0, 59) + "…";
    }
}
