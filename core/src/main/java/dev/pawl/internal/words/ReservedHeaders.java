package dev.pawl.internal.words;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The headers that the library itself reads. They hold information about a job that no SQL statement searches for. Users may set those
 * headers for which {@link dev.pawl.api.EnqueueOptions} has options. Only the library writes the other headers, see {@link
 * dev.pawl.internal.enqueue.OwnOptions}.
 */
public final class ReservedHeaders {
    /** Prefix of all names that belong to the library. */
    public static final String PREFIX = "pawl-";

    /** Timeout of a run. */
    public static final String TIMEOUT = "pawl-timeout";

    /** The job's own retry policy. */
    public static final String RETRY = "pawl-retry";

    /** The schedule whose tick enqueued the job. */
    public static final String SCHEDULE = "pawl-schedule";

    /** The time of the tick. */
    public static final String TICK = "pawl-tick";

    /** The batch whose callback the job is. */
    public static final String CALLBACK_OF = "pawl-callback-of";

    private static final Set<String> OPTIONS = Set.of(TIMEOUT, RETRY);

    private ReservedHeaders() {}

    /** {@return whether only the library writes a header} */
    public static boolean isReserved(String name) {
        return name.startsWith(PREFIX) && !OPTIONS.contains(name);
    }

    /** {@return whether the library reads a header, so that its value is kept when a user sets other headers} */
    public static boolean isOurs(String name) {
        return name.startsWith(PREFIX);
    }

    /** {@return whether a job with such headers belongs to a schedule or a batch, so that another job cannot replace it} */
    public static boolean tie(Map<String, String> headers) {
        return headers.containsKey(SCHEDULE) || headers.containsKey(CALLBACK_OF);
    }

    /** {@return the first reserved header that was missing before, or had another value; null if there is none} */
    public static @Nullable String forged(Map<String, String> headers, Map<String, String> before) {
        for (Map.Entry<String, String> header : headers.entrySet()) {
            if (isReserved(header.getKey()) && !header.getValue().equals(before.get(header.getKey()))) {
                return header.getKey();
            }
        }
        return null;
    }
}
