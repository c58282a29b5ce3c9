package dev.pawl.internal.words;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When an unstarted job expires. */
public final class Expiry {
    private Expiry() {}

    /**
     * @param headers of a job
     * @param createdAt when it was enqueued
     * @return until when it may start; null for no limit, or if the header is not valid
     */
    public static @Nullable Instant of(Map<String, String> headers, Instant createdAt) {
        String text = headers.isEmpty() ? null : headers.get(ReservedHeaders.EXPIRES);
        if (text == null) {
            return null;
        }
        try {
            return text.startsWith("P") ? createdAt.plus(Duration.parse(text)) : Instant.parse(text);
        } catch (DateTimeException | ArithmeticException notOurs) {
            return null;
        }
    }
}
