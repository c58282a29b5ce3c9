package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.internal.words.OwnHeaders;
import dev.pawl.internal.words.ReservedHeaders;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Options of jobs that only the library can set: headers that tie a job to other rows, and moments in the distant future. */
public final class OwnOptions {
    private OwnOptions() {}

    /** {@return a copy with one more header} */
    public static EnqueueOptions header(EnqueueOptions options, String name, String value) {
        Map<String, String> headers = new HashMap<>(options.headers());
        headers.put(name, value);
        return options.headers(new OwnHeaders(headers));
    }

    /**
     * {@return a copy that becomes available at a moment that users cannot set}
     *
     * @param moment such as {@link Job#PARKED}
     */
    public static EnqueueOptions availableAt(EnqueueOptions options, Instant moment) {
        return options.headers(new OwnHeaders(options.headers(), moment));
    }

    /** {@return a copy of stored headers without those that only the library sets} */
    public static Map<String, String> users(Map<String, String> stored) {
        Map<String, String> users = new HashMap<>(stored);
        users.keySet().removeIf(ReservedHeaders::isReserved);
        return users;
    }
}
