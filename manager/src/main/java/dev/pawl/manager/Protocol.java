package dev.pawl.manager;

import dev.pawl.api.Outcome;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The messages between managers and workers; docs/reference/remote-workers.yaml describes them. */
final class Protocol {
    /** Maximum size of a body. */
    static final int MAX_BYTES = 4 << 20;

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration LONGEST_DELAY = Duration.ofDays(366);
    private static final Duration SHORTEST_OUTAGE = Duration.ofSeconds(1);
    private static final int LONGEST_TEXT = 10_000;

    private Protocol() {}

    /** The peer violated the protocol. */
    static final class Violation extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean tooLarge;

        Violation(String message) {
            this(message, false);
        }

        private Violation(String message, boolean tooLarge) {
            super(message);
            this.tooLarge = tooLarge;
        }

        boolean isTooLarge() {
            return tooLarge;
        }
    }

    /**
     * A job sent to a worker.
     *
     * @param id of the job
     * @param kind of the job
     * @param queue of the job
     * @param attempt from 1
     * @param maxAttempts of the job
     * @param payload as text
     * @param headers sent with the payload
     * @param token of this assignment
     * @param leaseToken increases with every run of the job; a fencing token for writes to other systems
     * @param deadlineSeconds how long the run may take
     * @param heartbeatSeconds the longest time between two renewals
     * @param answerSeconds how long the manager waits for the answer to this message; zero if it does not say
     * @param callback URL of the manager that assigns the job; any other manager works as well
     * @param key its concurrency key; null for none
     * @param batch to which it belongs; null for none
     * @param cost how many starts the job uses up where a rate limits starts
     * @param expiresAt by when it must have started, in ISO 8601; null for no expiry
     */
    record Job(
            long id,
            String kind,
            String queue,
            int attempt,
            int maxAttempts,
            String payload,
            Map<String, String> headers,
            String token,
            long leaseToken,
            double deadlineSeconds,
            double heartbeatSeconds,
            double answerSeconds,
            String callback,
            @Nullable String key,
            @Nullable Long batch,
            int cost,
            @Nullable String expiresAt) {}

    static byte[] write(Object message) {
        return JSON.writeValueAsBytes(message);
    }

    static Violation tooLarge() {
        return new Violation("the body is larger than " + MAX_BYTES + " bytes", true);
    }

    static JsonNode parse(byte[] body) throws Violation {
        try {
            JsonNode node = JSON.readTree(body);
            if (node == null || !node.isObject()) {
                throw new Violation("the body is not a JSON object");
            }
            return node;
        } catch (JacksonException e) {
            throw new Violation("the body is not JSON");
        }
    }

    static Job job(byte[] body) throws Violation {
        JsonNode node = parse(body);
        return new Job(
                number(node, "id"),
                text(node, "kind"),
                text(node, "queue"),
                (int) number(node, "attempt"),
                (int) number(node, "maxAttempts"),
                text(node, "payload"),
                headers(node),
                text(node, "token"),
                number(node, "leaseToken"),
                seconds(node, "deadlineSeconds").toMillis() / 1000.0,
                seconds(node, "heartbeatSeconds").toMillis() / 1000.0,
                node.has("answerSeconds") ? seconds(node, "answerSeconds").toMillis() / 1000.0 : 0,
                text(node, "callback"),
                node.path("key").isString() ? text(node, "key") : null,
                node.path("batch").isIntegralNumber() ? number(node, "batch") : null,
                node.path("cost").isIntegralNumber() ? (int) number(node, "cost") : 1,
                moment(node.path("expiresAt")));
    }

    static Outcome outcome(JsonNode node) throws Violation {
        String outcome = text(node, "outcome");
        return switch (outcome.toLowerCase(Locale.ROOT)) {
            case "completed" -> Outcome.completed();
            case "failed" -> throw new Violation("'failed' is read by failure()");
            case "retry" -> Outcome.retryAfter(seconds(node, "delaySeconds"), reason(node));
            case "snooze" -> Outcome.snoozeFor(seconds(node, "delaySeconds"));
            case "cancel" -> Outcome.cancel(reason(node));
            case "discard" -> Outcome.discard(reason(node));
            default ->
                throw new Violation("there is no outcome '" + cut(outcome, 40)
                        + "': completed, failed, retry, snooze, cancel or discard");
        };
    }

    /** {@return the error of a failed run; null if it did not fail} */
    static @Nullable String failure(JsonNode node) throws Violation {
        return text(node, "outcome").equals("failed")
                ? cut(node.path("error").asString("no error was given"), LONGEST_TEXT)
                : null;
    }

    /**
     * Builds the message, with texts truncated to the lengths that the receiver keeps, because longer texts might be refused. An outage
     * becomes a snooze of this job, because managers do not pause kinds.
     */
    static Map<String, Object> message(@Nullable Outcome outcome) {
        if (outcome instanceof Outcome.RetryAfter retry) {
            return Map.of(
                    "outcome",
                    "retry",
                    "delaySeconds",
                    bounded(retry.delay()),
                    "reason",
                    cut(retry.reason(), LONGEST_TEXT));
        }
        if (outcome instanceof Outcome.SnoozeFor snooze) {
            return Map.of("outcome", "snooze", "delaySeconds", bounded(snooze.delay()));
        }
        if (outcome instanceof Outcome.Unavailable outage) {
            return message(Outcome.snoozeFor(atLeast(outage.delay())));
        }
        if (outcome instanceof Outcome.KeyUnavailable outage) {
            return message(Outcome.snoozeFor(atLeast(outage.delay())));
        }
        if (outcome instanceof Outcome.Cancel cancel) {
            return Map.of("outcome", "cancel", "reason", cut(cancel.reason(), LONGEST_TEXT));
        }
        if (outcome instanceof Outcome.Discard discard) {
            return Map.of("outcome", "discard", "reason", cut(discard.reason(), LONGEST_TEXT));
        }
        if (outcome instanceof Outcome.Completed) {
            return Map.of("outcome", "completed");
        }
        throw new IllegalStateException(
                "a handler returned " + outcome + " instead of an outcome that can be reported");
    }

    /**
     * Returns the delay, but at least a second. Managers do not pause the kind, so with a shorter delay the job would run again at once.
     */
    private static Duration atLeast(Duration outage) {
        return outage.compareTo(SHORTEST_OUTAGE) < 0 ? SHORTEST_OUTAGE : outage;
    }

    /** Limits the delay to the receiver's maximum. */
    private static double bounded(Duration delay) {
        return seconds(delay.isNegative() ? Duration.ZERO : delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay);
    }

    /** {@return the number of running jobs that the worker reports; empty if it reports no number} */
    static OptionalInt running(JsonNode health) {
        JsonNode running = health.path("running");
        return running.isIntegralNumber() && running.canConvertToInt()
                ? OptionalInt.of(Math.max(0, running.intValue()))
                : OptionalInt.empty();
    }

    static List<String> kinds(JsonNode health) {
        return health.path("kinds").isArray()
                ? health.path("kinds")
                        .valueStream()
                        .filter(JsonNode::isString)
                        .map(JsonNode::stringValue)
                        .toList()
                : List.of();
    }

    /** {@return a moment in ISO 8601; null if there is none} */
    private static @Nullable String moment(JsonNode value) throws Violation {
        try {
            return value.isString() ? Instant.parse(value.stringValue()).toString() : null;
        } catch (DateTimeException e) {
            throw new Violation("'expiresAt' is not a moment in ISO 8601");
        }
    }

    /** Older managers send no headers. */
    private static Map<String, String> headers(JsonNode job) {
        Map<String, String> headers = new HashMap<>();
        job.path("headers")
                .propertyStream()
                .filter(one -> one.getValue().isString())
                .forEach(one -> headers.put(one.getKey(), one.getValue().stringValue()));
        return headers;
    }

    static String text(JsonNode node, String field) throws Violation {
        JsonNode value = node.path(field);
        if (!value.isString()) {
            throw new Violation("'" + field + "' is missing or not a string");
        }
        return value.stringValue();
    }

    static long number(JsonNode node, String field) throws Violation {
        JsonNode value = node.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new Violation("'" + field + "' is missing or not a whole number");
        }
        return value.longValue();
    }

    static Duration seconds(JsonNode node, String field) throws Violation {
        JsonNode value = node.path(field);
        double seconds = value.isNumber() ? value.doubleValue() : -1;
        if (!(seconds >= 0 && seconds <= LONGEST_DELAY.toSeconds())) {
            throw new Violation(
                    "'" + field + "' is missing or not a number of seconds, 0 to " + LONGEST_DELAY.toSeconds());
        }
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    private static String reason(JsonNode node) {
        return cut(node.path("reason").asString("no reason was given"), LONGEST_TEXT);
    }

    static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most) + "…";
    }
}
