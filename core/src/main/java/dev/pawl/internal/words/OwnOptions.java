package dev.pawl.internal.words;

import dev.pawl.EnqueueOptions;
import dev.pawl.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the library says about a job what users cannot: headers that tie it to other rows, and moments in the distant future. */
public final class OwnOptions {
    /** From here on a moment means that a job waits for something else; users name earlier ones. */
    public static final Instant RESERVED_FROM = Instant.parse("8000-01-01T00:00:00Z");

    private OwnOptions() {}

    /** {@return the same with a header} */
    public static EnqueueOptions header(EnqueueOptions options, String name, String value) {
        Map<String, String> headers = new HashMap<>(options.headers());
        headers.put(name, value);
        return with(options, headers, options.delay(), options.availableAt());
    }

    /**
     * {@return the same, to become available at a moment that no user can name}
     *
     * @param moment such as {@link Job#PARKED}
     */
    public static EnqueueOptions availableAt(EnqueueOptions options, Instant moment) {
        return with(options, options.headers(), Duration.ZERO, moment);
    }

    /** {@return the headers that a user may set, of what was stored by a program that let users set more} */
    public static Map<String, String> users(Map<String, String> stored) {
        Map<String, String> users = new HashMap<>(stored);
        users.keySet().removeIf(ReservedHeaders::isReserved);
        return users;
    }

    private static EnqueueOptions with(
            EnqueueOptions options, Map<String, String> headers, Duration delay, @Nullable Instant availableAt) {
        return new EnqueueOptions(
                options.queue(),
                options.priority(),
                delay,
                availableAt,
                options.maxAttempts(),
                options.uniqueKey(),
                options.onDuplicate(),
                options.tags(),
                new OwnHeaders(headers),
                options.uniqueFor(),
                options.uniqueWhile());
    }
}
