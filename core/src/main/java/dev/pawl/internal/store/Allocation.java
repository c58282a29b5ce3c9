package dev.pawl.internal.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The response to a worker's request: how many jobs it may run and start.
 *
 * @param limited whether there is a limit
 * @param permits for running jobs; null for any number
 * @param starts for starting jobs; null for any number
 * @param held how long the jobs are paused; zero if they are not
 * @param trying whether jobs are or were paused, and no job has shown yet that the resource is available again
 */
public record Allocation(
        boolean limited,
        @Nullable Permits permits,
        @Nullable Starts starts,
        Duration held,
        boolean trying) {
    /** There is no limit. */
    public static final Allocation UNLIMITED = new Allocation(false, null, null, Duration.ZERO, false);

    /**
     * Permits for running jobs.
     *
     * @param share how many jobs the worker may run until {@link WorkerHost#LONGEST_PERMIT} after its request
     * @param fair number to which it should reduce its next request, because other workers want permits
     * @param wanted how many more permits other workers want
     */
    public record Permits(int share, int fair, int wanted) {}

    /**
     * Permits for starting jobs.
     *
     * @param now how many starts the worker has
     * @param goodFor how long the starts are valid, counted from the request
     * @param next time until more starts are available to the first worker that requests them
     * @param aSecond starts per second, for all workers together
     * @param most starts per period, which is the largest effective cost of a job
     */
    public record Starts(int now, Duration goodFor, Duration next, double aSecond, int most) {}
}
