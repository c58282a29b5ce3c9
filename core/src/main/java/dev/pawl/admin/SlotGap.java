package dev.pawl.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A value of a series that was issued but not used, although later values were used.
 *
 * @param ordinal its position in the series
 * @param value the value
 * @param state why it is not used
 * @param jobId the job that reserved it; null if no job did
 * @param expiresAt when its reservation expires or expired
 */
public record SlotGap(
        long ordinal, String value, State state, @Nullable Long jobId, Instant expiresAt) {
    /** Why a value is not used. */
    public enum State {
        /** It may still be used. */
        RESERVED,
        /** Its reservation has expired. */
        EXPIRED,
        /** It was released. */
        CLEARED
    }
}
