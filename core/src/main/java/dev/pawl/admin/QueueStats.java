package dev.pawl.admin;

import dev.pawl.Strategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it was when it was counted.
 *
 * @param name its name
 * @param paused whether claims from it are stopped
 * @param strategy how its jobs are claimed, as {@link Strategy#parse} reads it; null if nothing was set
 * @param available jobs that may be claimed now
 * @param delayed jobs that may not be claimed yet and have not been tried: scheduled, blocked, pending and paused ones
 * @param retrying jobs that wait for their next attempt
 * @param running jobs under a lease, expired ones included
 * @param oldestAge how long the oldest available job has been waiting; null if there is none
 * @param blocked of the delayed ones, how many wait for other jobs of their concurrency key
 * @param pending of the delayed ones, how many wait for other jobs of their workflow
 * @param held of the delayed ones, how many are paused with their batch, or wait for its first jobs
 */
public record QueueStats(
        String name,
        boolean paused,
        @Nullable String strategy,
        long available,
        long delayed,
        long retrying,
        long running,
        @Nullable Duration oldestAge,
        long blocked,
        long pending,
        long held) {
    /** Without jobs that wait for others. */
    public QueueStats(
            String name,
            boolean paused,
            @Nullable String strategy,
            long available,
            long delayed,
            long retrying,
            long running,
            @Nullable Duration oldestAge) {
        this(name, paused, strategy, available, delayed, retrying, running, oldestAge, 0, 0, 0);
    }

    /** {@return of the delayed ones, how many wait for a moment} */
    public long scheduled() {
        return delayed - blocked - pending - held;
    }
}
