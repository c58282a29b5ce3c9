package dev.pawl.internal.store;

import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Allocates what limits allow. A worker's permits last as long as its lease on them; when that expires, the jobs that it still runs count
 * until their leases expire. No counter is maintained. Thread-safe; all time is the database's.
 */
public interface LimitSource {
    /** Lifetime of permits, counted from their request. */
    Duration SHARE = Duration.ofSeconds(10);

    /**
     * Renews a worker's permits, and changes their number according to its request and those of other workers. One transaction.
     *
     * @param workerId the worker
     * @param request what it wants
     * @param latest upper bound of the database's clock as the worker knows it, in microseconds since 1970: permits that last longer have
     *     not expired, even if that clock says otherwise
     * @return the allocation
     * @throws SQLException from the driver; then it may have been allocated nevertheless
     */
    Allocation allocate(long workerId, Request request, long latest) throws SQLException;

    /**
     * Releases all permits of a worker that stops. Its unfinished jobs count until their leases expire.
     *
     * @param workerId the worker
     * @throws SQLException from the driver
     */
    void release(long workerId) throws SQLException;

    /**
     * Holds jobs, because a resource of theirs is unavailable.
     *
     * @param subject which jobs
     * @param wait length of the hold, if they are not held for longer already
     * @param reason for people
     * @throws SQLException from the driver
     */
    void unavailable(Subject subject, Duration wait, String reason) throws SQLException;

    /**
     * Ends a hold whose time is over, because a trial job has found the resource available.
     *
     * @param subject which jobs
     * @throws SQLException from the driver
     */
    void available(Subject subject) throws SQLException;

    /**
     * A worker's request.
     *
     * @param subject of the limit
     * @param share how many jobs it wants to run at once: it runs no more from now on, unless more are allocated
     * @param wantsMore whether it would use them at once, so that other workers should return some
     * @param starts how many starts it would use now
     * @param largest how many of them a single job takes at most, 1 or more
     * @param goodFor how long the starts must be valid, if longer than usual because responses are slow
     */
    record Request(Subject subject, int share, boolean wantsMore, int starts, int largest, Duration goodFor) {
        /** For starts with the usual validity. */
        public Request(Subject subject, int share, boolean wantsMore, int starts, int largest) {
            this(subject, share, wantsMore, starts, largest, Duration.ZERO);
        }

        /** {@return a copy with this validity of the starts, if it requests any} */
        public Request goodFor(Duration length) {
            return starts == 0 ? this : new Request(subject, share, wantsMore, starts, largest, length);
        }
    }

    /**
     * The response to a request.
     *
     * @param limited whether the limit exists
     * @param permits for running jobs; null for any number
     * @param starts for starting jobs; null for any number
     * @param held how long the jobs are held; zero if they are not
     * @param trying whether jobs are or were held, and no job has shown yet that the resource is available again
     */
    record Allocation(
            boolean limited,
            @Nullable Permits permits,
            @Nullable Starts starts,
            Duration held,
            boolean trying) {
        /** The limit does not exist. */
        public static final Allocation UNLIMITED = new Allocation(false, null, null, Duration.ZERO, false);
    }

    /**
     * Permits for running jobs.
     *
     * @param share how many jobs the worker may run until {@link #SHARE} after its request
     * @param fair number to which it should reduce its next request, because other workers want some
     * @param wanted how many more other workers want
     */
    record Permits(int share, int fair, int wanted) {}

    /**
     * Permits for starting jobs.
     *
     * @param now how many jobs the worker may start
     * @param goodFor their validity, from the request
     * @param next time until more are available, to the first worker that requests them
     * @param aSecond rate per second, for all workers
     * @param most number per period, which is the largest cost of a job
     */
    record Starts(int now, Duration goodFor, Duration next, double aSecond, int most) {}
}
