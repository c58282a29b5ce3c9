package dev.pawl.internal.place;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The number of a queue's jobs in a place.
 *
 * @param available jobs that are not claimed yet; counted up to a limit in each part of the place
 * @param running claimed jobs that have neither completed nor got rows of their own
 * @param oldest when the oldest available job was created; null if there is none
 * @param isAtLeast whether counting the available jobs stopped at the limit of a part
 */
public record QueueCount(
        long available, long running, @Nullable Instant oldest, boolean isAtLeast) {
    /** {@return the sum} */
    public QueueCount plus(QueueCount other) {
        Instant older =
                oldest == null || (other.oldest != null && other.oldest.isBefore(oldest)) ? other.oldest : oldest;
        return new QueueCount(
                available + other.available, running + other.running, older, isAtLeast || other.isAtLeast);
    }
}
