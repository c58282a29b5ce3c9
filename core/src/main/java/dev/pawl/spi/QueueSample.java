package dev.pawl.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of a queue when a sample was taken.
 *
 * @param queue its name
 * @param available jobs that could be claimed
 * @param delayed jobs that could not be claimed yet: scheduled ones without an attempt, and blocked, pending and paused ones
 * @param retrying jobs that waited for a retry
 * @param running jobs under a lease
 * @param oldestAge how long the oldest available job had waited; null if there was none
 * @param completed jobs that completed in the span of the sample; a job with a row of its own counts only if it is kept after its
 *     completion
 * @param discarded jobs that were discarded in that span
 */
public record QueueSample(
        String queue,
        long available,
        long delayed,
        long retrying,
        long running,
        @Nullable Duration oldestAge,
        long completed,
        long discarded) {
    /** {@return the number of jobs that were waiting for any reason} */
    public long waiting() {
        return available + delayed + retrying;
    }
}
