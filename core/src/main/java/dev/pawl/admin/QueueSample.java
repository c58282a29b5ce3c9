package dev.pawl.admin;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a queue was at a moment.
 *
 * @param queue its name
 * @param available jobs that could be claimed
 * @param delayed jobs that were due later and had not been tried
 * @param retrying jobs that waited for their next attempt
 * @param running jobs under a lease
 * @param oldestAge how long the oldest available job had waited; null if there was none
 * @param completed jobs that completed in the time of the sample; those that are not kept are not counted
 * @param discarded jobs that failed for good in that time
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
    /** {@return all that had not begun} */
    public long waiting() {
        return available + delayed + retrying;
    }
}
