package dev.pawl.internal.enqueue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The live job that has a unique key.
 *
 * @param id its id
 * @param standing whether it was just written, and whether it has started
 * @param expired the expiry of a job that will not run, because it did not start in time; null for any other job
 */
public record LiveJob(long id, Standing standing, @Nullable Expired expired) {
    /**
     * @param id its id
     * @param standing of a job that has not expired
     */
    public LiveJob(long id, Standing standing) {
        this(id, standing, null);
    }

    /** Whether the job is new, and whether it may be replaced. */
    public enum Standing {
        /** It was just written. */
        NEW,
        /** It existed and had not started. */
        WAITING,
        /** It existed and must not be changed: it has started, or that is unknown. */
        KEPT
    }

    /**
     * The expiry of a job that stays live only until a worker cancels it.
     *
     * @param headers the headers as stored
     * @param at the latest moment at which it was to start
     */
    public record Expired(String headers, Instant at) {}
}
