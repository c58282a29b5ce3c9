package dev.pawl.api;

import dev.pawl.internal.words.OwnHeaders;
import dev.pawl.internal.words.OwnValues;
import dev.pawl.internal.words.ReservedHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks of {@link EnqueueOptions} and {@link Prefetch}. */
final class OptionChecks {
    static final Duration MAX_DELAY = Duration.ofDays(3653);

    /**
     * Exclusive. All databases can store an earlier time, even after a delay is added to it. MySQL has the lowest limit: its times end with
     * the year 9999.
     */
    private static final Instant END_OF_TIMES = Instant.parse("9000-01-01T00:00:00Z");

    static final int MAX_COST = 1_000_000;
    private static final int MAX_HEADERS = 32;
    private static final int MAX_HEADERS_LENGTH = 8_000;

    private OptionChecks() {}

    static void requireRange(String what, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(what + " " + value + " is not valid: use " + low + " to " + high);
        }
    }

    static void requireDelay(Duration delay) {
        if (delay.isNegative() || delay.compareTo(MAX_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "delay " + delay + " is not valid: use a duration from zero to ten years");
        }
    }

    /**
     * @param what the option's name in the message
     * @param moment must be in the range of years that all databases can store
     */
    static Instant requireMoment(String what, Instant moment) {
        if (moment.isBefore(Instant.EPOCH) || !moment.isBefore(END_OF_TIMES)) {
            throw new IllegalArgumentException(
                    what + " " + moment + " is not valid: use a moment from the year 1970 to the year 8999");
        }
        return moment;
    }

    static void requireAvailableAt(@Nullable Instant moment) {
        if (moment != null) {
            requireMoment("availableAt", moment);
        }
    }

    static void requireUniqueFor(@Nullable String key, Duration time) {
        if (key == null) {
            throw new IllegalArgumentException("uniqueFor needs a unique key");
        }
        if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(MAX_DELAY) > 0) {
            throw new IllegalArgumentException("uniqueFor " + time + " is not valid: use 1 ms to ten years");
        }
    }

    /** {@return the headers as the immutable map that the options keep} */
    static Map<String, String> headers(Map<String, String> headers) {
        if (headers instanceof OwnHeaders) {
            return headers;
        }
        requireNothingReserved(headers, Map.of());
        return Map.copyOf(headers);
    }

    /**
     * Refuses new reserved headers. Existing ones may be passed back, so that an interceptor can copy all headers and
     * add one.
     *
     * @param headers given by a user
     * @param before the current headers
     */
    static void requireNothingReserved(Map<String, String> headers, Map<String, String> before) {
        String forged = ReservedHeaders.forged(headers, before);
        if (forged != null) {
            throw new InvalidJobException("the header '" + forged + "' is not valid: names that begin with "
                    + ReservedHeaders.PREFIX
                    + " are reserved for the library (timeouts, retry policies, schedules, callbacks); use another"
                    + " name, and leave reserved ones out when you copy the headers of a job");
        }
    }

    /** Checks all headers, including reserved ones. */
    static void requireFitting(Map<String, String> headers) {
        if (headers.size() > MAX_HEADERS) {
            throw new InvalidJobException(headers.size() + " headers are too many: use at most " + MAX_HEADERS);
        }
        int length = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            Names.check("header", header.getKey());
            Names.checkText("header", header.getKey(), header.getValue());
            length += header.getKey().length() + header.getValue().length();
        }
        if (length > MAX_HEADERS_LENGTH) {
            throw new InvalidJobException("headers of " + length + " characters are too long: use at most "
                    + MAX_HEADERS_LENGTH + ", and the payload for what is longer");
        }
    }

    /**
     * Refuses {@link OnDuplicate#REPLACE} for a job of a batch and for a job with a concurrency key, because other rows depend on such a
     * job.
     */
    static void requireReplacing(OwnValues own, @Nullable String key) {
        if (own.batch() != 0) {
            throw new InvalidJobException("a job of a batch cannot replace another job: use OnDuplicate.KEEP");
        }
        if (key != null) {
            throw new InvalidJobException(
                    "a job with a concurrency key cannot be replaced: use OnDuplicate.KEEP, or no key");
        }
    }
}
