package dev.pawl.internal.store;

import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Allocates permits and starts of limits to workers. When a worker's permits expire, the jobs that it still runs count until their leases
 * expire. No counter is maintained. Thread-safe; all time is the database's.
 */
public interface LimitSource {
    /** Lifetime of permits, counted from their request. */
    Duration SHARE = WorkerHost.LONGEST_PERMIT;

    /**
     * Renews a worker's permits, and changes their number according to its request and the requests of other workers. Uses one transaction.
     *
     * @param workerId the worker
     * @param request what the worker wants
     * @param latest the worker's upper bound of the database's time, in microseconds since 1970; permits that end later have not expired,
     *     even if the database's clock was set forward
     * @return the allocation
     * @throws SQLException from the driver; then permits and starts may have been allocated nevertheless
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
     * Pauses jobs, because a resource that they need is unavailable.
     *
     * @param subject which jobs
     * @param wait length of the pause, if they are not paused already
     * @param reason for people
     * @throws SQLException from the driver
     */
    void unavailable(Subject subject, Duration wait, String reason) throws SQLException;

    /**
     * Ends an expired pause, because a trial job has found the resource available.
     *
     * @param subject which jobs
     * @throws SQLException from the driver
     */
    void available(Subject subject) throws SQLException;

    /**
     * A worker's request.
     *
     * @param subject of the limit
     * @param share how many jobs it wants to run at once; from now on it runs no more than that, unless more are
     *     allocated
     * @param wantsMore whether it would use more permits immediately, so that other workers should return some
     * @param starts how many starts it would use now
     * @param largest the largest number of starts that a single job uses; 1 or more
     * @param goodFor how long the starts must be valid, if longer than usual because responses are slow
     */
    record Request(Subject subject, int share, boolean wantsMore, int starts, int largest, Duration goodFor) {
        /** A request for starts with the usual validity. */
        public Request(Subject subject, int share, boolean wantsMore, int starts, int largest) {
            this(subject, share, wantsMore, starts, largest, Duration.ZERO);
        }

        /** {@return a copy with this validity of the starts, if the request is for any} */
        public Request goodFor(Duration length) {
            return starts == 0 ? this : new Request(subject, share, wantsMore, starts, largest, length);
        }
    }
}
