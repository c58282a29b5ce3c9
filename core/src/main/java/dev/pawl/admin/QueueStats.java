package dev.pawl.admin;

import dev.pawl.api.Strategy;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue and the number of its jobs. Temporary pauses, which {@link dev.pawl.Limits} or an outage can cause, are not shown here.
 *
 * @param name its name
 * @param paused whether it is paused
 * @param strategy its strategy, in the format of {@link Strategy#parse}; null if none was set
 * @param available jobs that may be claimed now
 * @param delayed jobs that may not be claimed yet: scheduled jobs that have had no attempt, and blocked, pending and paused jobs
 * @param retrying jobs that wait for a retry
 * @param running jobs under a lease, expired ones included
 * @param oldestAge how long the oldest available job has been waiting; null if there is none
 * @param blocked how many of the delayed ones wait for other jobs of their concurrency key
 * @param pending how many of the delayed ones wait for other jobs of their workflow
 * @param pausedJobs how many of the delayed ones are paused with their batch, or wait for its first jobs
 * @param lowerBounds counts that stopped at a limit, so that there may be more jobs; empty if all counts are exact
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
        long pausedJobs,
        Set<Count> lowerBounds) {
    /** A count of jobs. */
    public enum Count {
        /** {@link QueueStats#available}. */
        AVAILABLE,
        /** {@link QueueStats#scheduled}. */
        SCHEDULED,
        /** {@link QueueStats#retrying}. */
        RETRYING,
        /** {@link QueueStats#blocked}. */
        BLOCKED,
        /** {@link QueueStats#pending}. */
        PENDING,
        /** {@link QueueStats#pausedJobs}. */
        PAUSED,
        /** {@link QueueStats#running}. */
        RUNNING
    }

    /** Copies the set. */
    public QueueStats {
        lowerBounds = Set.copyOf(lowerBounds);
    }

    /**
     * {@return a queue without jobs}
     *
     * @param name its name
     * @param paused whether it is paused
     * @param strategy its strategy; null if none was set
     */
    public static QueueStats empty(String name, boolean paused, @Nullable String strategy) {
        return new QueueStats(name, paused, strategy, 0, 0, 0, 0, null, 0, 0, 0, Set.of());
    }

    /** {@return how many of the delayed ones wait for their time} */
    public long scheduled() {
        return delayed - blocked - pending - pausedJobs;
    }
}
