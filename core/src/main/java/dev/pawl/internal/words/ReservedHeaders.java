package dev.pawl.internal.words;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The headers that the library itself reads. Users may set those for which {@link dev.pawl.api.EnqueueOptions} has options; all others tie a
 * job to other rows, and only the library writes them, see {@link dev.pawl.internal.enqueue.OwnOptions}.
 */
public final class ReservedHeaders {
    /** Prefix of all names that belong to the library. */
    public static final String PREFIX = "pawl-";

    /** The concurrency key. */
    public static final String KEY = "pawl-key";

    /** Until when the job may start. */
    public static final String EXPIRES = "pawl-expires";

    /** How many starts of a rate limit it takes. */
    public static final String COST = "pawl-cost";

    /** Timeout of a run. */
    public static final String TIMEOUT = "pawl-timeout";

    /** Delay after a failure. */
    public static final String RETRY = "pawl-retry";

    /** The unique key of a job that is not in the index of unique keys. */
    public static final String UNIQUE = "pawl-unique";

    /** The schedule whose tick enqueued the job. */
    public static final String SCHEDULE = "pawl-schedule";

    /** The moment of the tick. */
    public static final String TICK = "pawl-tick";

    /** The batch whose callback it is. */
    public static final String CALLBACK_OF = "pawl-callback-of";

    private static final Set<String> OPTIONS = Set.of(KEY, EXPIRES, COST, TIMEOUT, RETRY);

    /** A job with one of these belongs to something else, so another job cannot replace it. */
    private static final List<String> TIES = List.of(KEY, BatchHeader.NAME, SCHEDULE, CALLBACK_OF);

    private ReservedHeaders() {}

    /** {@return whether only the library writes a header} */
    public static boolean isReserved(String name) {
        return name.startsWith(PREFIX) && !OPTIONS.contains(name);
    }

    /** {@return whether the library reads a header, whose value is therefore kept when a user sets other headers} */
    public static boolean isOurs(String name) {
        return name.startsWith(PREFIX);
    }

    /** {@return whether another job may replace one with such headers} */
    public static boolean mayBeReplaced(Map<String, String> headers) {
        return TIES.stream().noneMatch(headers::containsKey);
    }

    /** {@return the same as an SQL condition on the column of headers} Without LIKE, which ignores case on SQLite. */
    public static String mayBeReplaced() {
        StringBuilder sql = new StringBuilder("(headers IS NULL OR (");
        String and = "";
        for (String tie : TIES) {
            sql.append(and).append("REPLACE(headers, '\"").append(tie).append("\":', '') = headers");
            and = " AND ";
        }
        return sql.append("))").toString();
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
