package dev.pawl.internal.enqueue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The live job that has a unique key.
 *
 * @param id its id
 * @param standing whether it was just written, and whether it has begun
 * @param expired what is known of a job that will not run any more, because it was to begin before now; null of any other
 */
public record LiveJob(long id, Standing standing, @Nullable Expired expired) {
    /**
     * @param id its id
     * @param standing of a job that has not expired
     */
    public LiveJob(long id, Standing standing) {
        this(id, standing, null);
    }

    /** What is known about it. */
    public enum Standing {
        /** It was written just now. */
        NEW,
        /** It was there and had not begun. */
        WAITING,
        /** It was there and must not be changed: it has begun, or nobody has looked. */
        KEPT
    }

    /**
     * A job that is only there until a worker comes upon it, and cancels it.
     *
     * @param headers as they are stored
     * @param at when it was to begin at the latest
     */
    public record Expired(String headers, Instant at) {}
}
