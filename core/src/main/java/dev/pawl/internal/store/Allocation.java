package dev.pawl.internal.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs a worker may run and start: the response to a request.
 *
 * @param limited whether there is a bound
 * @param permits for running jobs; null for any number
 * @param starts for starting jobs; null for any number
 * @param held how long the jobs are held; zero if they are not
 * @param trying whether jobs are or were held, and no job has shown yet that the resource is available again
 */
public record Allocation(
        boolean limited,
        @Nullable Permits permits,
        @Nullable Starts starts,
        Duration held,
        boolean trying) {
    /** There is no bound. */
    public static final Allocation UNLIMITED = new Allocation(false, null, null, Duration.ZERO, false);

    /**
     * Permits for running jobs.
     *
     * @param share how many jobs the worker may run until {@link WorkerHost#LONGEST_PERMIT} after its request
     * @param fair number to which it should reduce its next request, because other workers want some
     * @param wanted how many more other workers want
     */
    public record Permits(int share, int fair, int wanted) {}

    /**
     * Permits for starting jobs.
     *
     * @param now how many jobs the worker may start
     * @param goodFor their validity, from the request
     * @param next time until more are available, to the first worker that requests them
     * @param aSecond rate per second, for all workers
     * @param most number per period, which is the largest cost of a job
     */
    public record Starts(int now, Duration goodFor, Duration next, double aSecond, int most) {}
}
