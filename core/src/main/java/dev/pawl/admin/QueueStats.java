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
 * @param delayed jobs that are due later and have not been tried yet
 * @param retrying jobs that wait for their next attempt
 * @param running jobs under a lease, expired ones included
 * @param oldestAge how long the oldest available job has been waiting; null if there is none
 */
public record QueueStats(
        String name,
        boolean paused,
        @Nullable String strategy,
        long available,
        long delayed,
        long retrying,
        long running,
        @Nullable Duration oldestAge) {}
