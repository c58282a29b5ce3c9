package dev.pawl.internal.feature;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The live job that has a unique key.
 *
 * @param id its id
 * @param phase whether it was just written, and whether it has started
 * @param isTied whether other rows depend on it, so that no other job may replace it
 * @param expiredAt the expiry of a job that did not start in time, so that a worker will cancel it instead of running it; null for any
 *     other job
 */
public record LiveJob(
        long id, Phase phase, boolean isTied, @Nullable Instant expiredAt) {
    /** {@return a job that was just written} */
    public static LiveJob written(long id) {
        return new LiveJob(id, Phase.NEW, false, null);
    }

    /** Whether the job is new, and whether it may be replaced. */
    public enum Phase {
        /** It was just written. */
        NEW,
        /** It existed and had not started. */
        WAITING,
        /** It existed and must not be changed, because it has started, or may have started. */
        KEPT
    }
}
