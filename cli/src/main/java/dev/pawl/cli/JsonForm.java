package dev.pawl.cli;

import dev.pawl.api.Job;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.ScheduleInfo;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The form of everything that {@code --json} prints, shared with the dashboard's API: names in camelCase, enums in lower case, moments and
 * durations in ISO 8601, missing values as null. A payload is the member {@code payload} if it is JSON. Otherwise {@code payload} is null,
 * and {@code payloadText} contains the text.
 */
final class JsonForm {
    /** Later moments mean "never" or "unknown"; no job is available later. */
    private static final Instant NEVER = Instant.parse("9000-01-01T00:00:00Z");

    /** The mapper is created lazily, because its creation takes longer than printing a table. */
    private static final class Reader {
        static final JsonMapper MAPPER = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS) // decimal fractions keep all their digits
                .build();
    }

    private JsonForm() {}

    /** {@return the value as maps, lists, strings, numbers and booleans} */
    static @Nullable Object of(@Nullable Object value) {
        if (value == null || value instanceof Boolean || value instanceof JsonNode || value instanceof String) {
            return value;
        }
        if (value instanceof Number number) {
            return Double.isFinite(number.doubleValue()) ? number : null;
        }
        if (value instanceof Enum<?> word) {
            return word(word);
        }
        if (value instanceof Instant moment) {
            return moment.isBefore(NEVER) ? moment.toString() : null;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            map.forEach((name, member) -> fields.put(String.valueOf(name), of(member)));
            return fields;
        }
        if (value instanceof Iterable<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(of(item)));
            return items;
        }
        if (value instanceof Job job) {
            return of(job(job));
        }
        if (value instanceof ScheduleInfo schedule) {
            return of(schedule(schedule));
        }
        if (value instanceof LimitInfo info) {
            return of(limit(info));
        }
        if (value instanceof Limit limit) {
            return of(limit(limit));
        }
        return value instanceof Record record ? of(components(record)) : value.toString();
    }

    /** {@return an object of these members in order: name, value, next name, and so on} */
    static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return fields;
    }

    static String word(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    static Map<String, @Nullable Object> job(Job job) {
        Map<String, @Nullable Object> fields = object(
                "id", job.id(),
                "kind", job.kind(),
                "queue", job.queue(),
                "state", job.state(),
                "priority", job.priority(),
                "attempt", job.attempt(),
                "maxAttempts", job.maxAttempts(),
                "createdAt", job.createdAt(),
                "availableAt", job.availableAt(),
                "expiresAt", job.expiresAt().orElse(null),
                "startedAt", job.startedAt(),
                "finishedAt", job.finishedAt(),
                "leasedBy", job.leasedBy(),
                "leaseExpiresAt", job.leaseExpiresAt(),
                "leaseToken", job.leaseToken(),
                "cancelRequested", job.cancelRequested(),
                "progress", job.progress(),
                "uniqueKey", job.uniqueKey(),
                "key", job.key().orElse(null),
                "batch", job.batch().isPresent() ? job.batch().getAsLong() : null,
                "cost", job.cost(),
                "tags", job.tags(),
                "headers", job.headers(),
                "reason", job.reason());
        putPayload(fields, job.payload());
        return fields;
    }

    private static Map<String, @Nullable Object> schedule(ScheduleInfo schedule) {
        Map<String, @Nullable Object> fields = object(
                "name", schedule.name(),
                "kind", schedule.kind(),
                "queue", schedule.queue(),
                "recurrence", schedule.text(),
                "words",
                        schedule.recurrence() == null
                                ? schedule.text()
                                : schedule.recurrence().words(),
                "missed", schedule.missed().most(),
                "overlap", schedule.overlap(),
                "nextAt", schedule.nextAt(),
                "lastTick", schedule.lastTick(),
                "lastJobId", schedule.lastJobId(),
                "pausedAt", schedule.pausedAt(),
                "origin", schedule.origin(),
                "changed", schedule.isChanged(),
                "overdue", schedule.isOverdue());
        putPayload(fields, schedule.payload());
        return fields;
    }

    static Map<String, @Nullable Object> limit(LimitInfo info) {
        Map<String, @Nullable Object> fields = limit(info.limit());
        Pause pause = info.pause();
        fields.put("shared", info.shared());
        fields.put("workers", info.workers());
        fields.put("waiting", info.waiting());
        fields.put("nextStart", info.nextStart());
        fields.put("pausedUntil", pause == null ? null : pause.until());
        fields.put("unavailable", pause == null ? null : pause.times());
        fields.put("reason", pause == null ? null : pause.reason());
        return fields;
    }

    private static Map<String, @Nullable Object> limit(Limit limit) {
        Rate rate = limit.rate();
        Map<String, @Nullable Object> fields = about(limit.subject());
        fields.put("atOnce", limit.atOnce());
        fields.put("together", limit.together());
        fields.put("maxWaiting", limit.maxWaiting());
        fields.put("starts", rate == null ? null : rate.starts());
        fields.put("per", rate == null ? null : rate.per());
        return fields;
    }

    /**
     * {@return an object that begins with its subject: a queue or a kind, and its name}
     *
     * @param namesAndValues further members
     */
    static Map<String, @Nullable Object> about(Subject subject, @Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> fields = object("subject", subject.of().word(), "name", subject.name());
        fields.putAll(object(namesAndValues));
        return fields;
    }

    private static void putPayload(Map<String, @Nullable Object> fields, String text) {
        JsonNode json = json(text);
        fields.put("payload", json);
        fields.put("payloadText", json == null ? text : null);
    }

    private static @Nullable JsonNode json(String text) {
        try {
            JsonNode node = Reader.MAPPER.readTree(text);
            return node.isMissingNode() ? null : node;
        } catch (JacksonException notJson) {
            return null;
        }
    }

    /** A component named isOpen becomes the member open. */
    private static Map<String, @Nullable Object> components(Record record) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            String name = component.getName();
            boolean asks = component.getType() == boolean.class && name.matches("is[A-Z].*");
            try {
                fields.put(
                        asks ? name.substring(2, 3).toLowerCase(Locale.ROOT) + name.substring(3) : name,
                        component.getAccessor().invoke(record));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(record.getClass() + " cannot be read", e);
            }
        }
        return fields;
    }
}
