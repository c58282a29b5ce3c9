package dev.pawl.internal.store;

import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Deals out what limits allow. What a worker has is a property of its leases: its share is as good as its lease on it, and
 * if that ends, what it still holds of jobs counts until their leases are over. No number is counted up and down.
 * Thread-safe; all time is the database's.
 */
public interface LimitSource {
    /** How long a share is good for, from when it was asked for. */
    Duration SHARE = Duration.ofSeconds(10);

    /**
     * Renews a worker's share, and changes it as the worker asks and the others allow. One transaction.
     *
     * @param workerId the worker
     * @param ask what it wants
     * @param latest what the worker knows of the database's clock, in microseconds since 1970: shares that last for longer are not over,
     *     though that clock may say so
     * @return what it gets
     * @throws SQLException from the driver; then it may have got it all the same
     */
    Allocation allocate(long workerId, Request ask, long latest) throws SQLException;

    /**
     * Gives back all shares of a worker that stops. What it has not ended counts on, until its leases are over.
     *
     * @param workerId the worker
     * @throws SQLException from the driver
     */
    void release(long workerId) throws SQLException;

    /**
     * Holds the jobs back: what they need is not available.
     *
     * @param subject which jobs
     * @param wait for how long, if they are not held for longer already
     * @param reason for people
     * @throws SQLException from the driver
     */
    void unavailable(Subject subject, Duration wait, String reason) throws SQLException;

    /**
     * Ends a hold whose time is over, because a job that was tried has found everything available.
     *
     * @param subject which jobs
     * @throws SQLException from the driver
     */
    void available(Subject subject) throws SQLException;

    /**
     * What a worker wants.
     *
     * @param subject of which limit
     * @param share how many it wants to run at once: it never runs more from now on, unless it gets more
     * @param hungry whether it would use them at once, so that others should give it some of theirs
     * @param starts how many starts it would use now
     * @param largest how many of them a single job takes at most, 1 or more
     * @param goodFor for how long the starts must be good, if that is longer than usual: answers may take their time
     */
    record Request(Subject subject, int share, boolean wantsMore, int starts, int largest, Duration goodFor) {
        /** For starts that are good for as long as usual. */
        public Request(Subject subject, int share, boolean wantsMore, int starts, int largest) {
            this(subject, share, wantsMore, starts, largest, Duration.ZERO);
        }

        /** {@return the same for starts that are good for so long, if it is for any} */
        public Request goodFor(Duration length) {
            return starts == 0 ? this : new Request(subject, share, wantsMore, starts, largest, length);
        }
    }

    /**
     * What a worker gets.
     *
     * @param limited whether there is such a limit at all
     * @param places how many jobs may run at once; null for any number
     * @param starts how many may start; null for as many as come
     * @param held how long the jobs are held back; zero if they are not
     * @param trying whether jobs are or were held back, and nobody has found out yet whether the reason is gone
     */
    record Allocation(
            boolean limited,
            @Nullable Permits places,
            @Nullable Starts starts,
            Duration held,
            boolean trying) {
        /** There is no such limit, or not any more. */
        public static final Allocation UNLIMITED = new Allocation(false, null, null, Duration.ZERO, false);
    }

    /**
     * Jobs that run at once.
     *
     * @param share how many the worker may run until {@link #SHARE} after it asked
     * @param fair how many it should go down to, because others want some; it says so with its next ask
     * @param wanted how many more the others would use
     */
    record Permits(int share, int fair, int wanted) {}

    /**
     * Jobs that start.
     *
     * @param now how many the worker may start
     * @param goodFor for how long, from when it asked
     * @param next how long until there are more, for whoever asks first
     * @param aSecond how many there are in a second, for all workers
     * @param most how many there are in a span: a job that costs more costs that
     */
    record Starts(int now, Duration goodFor, Duration next, double aSecond, int most) {}
}
