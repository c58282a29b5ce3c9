package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.RunMode;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Wraps a strategy that claims only rows. Before a claim, this class gives rows to jobs of the queue's lanes, some hundred at a time. So no
 * job is stranded when the strategy changes or differs between workers. This class searches the lanes ten times a second, and when there
 * are fewer rows than a claim may take.
 */
public final class DrainedLanes implements ClaimStrategy {
    private static final Duration LANES_AGE = Duration.ofSeconds(2);
    private static final long DRAIN_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int LEAST_MOVED = 500;

    private final Database database;
    private final Lanes lanes;
    private final ClaimStrategy rows;
    private final LaneDrain drain;
    private final LateJobs lateJobs;
    private final Map<Integer, Drained> drained = new ConcurrentHashMap<>();

    /** When a lane was drained, and whether it was empty then. */
    private record Drained(long nanos, boolean wasEmpty) {}

    /**
     * @param database the pool and the dialect
     * @param lanes of the database
     * @param rows the strategy that claims rows
     * @param lateJobs searched every second
     */
    public DrainedLanes(Database database, Lanes lanes, ClaimStrategy rows, LateJobs lateJobs) {
        this.database = database;
        this.lanes = lanes;
        this.rows = rows;
        this.lateJobs = lateJobs;
        this.drain = new LaneDrain(database.dialect());
    }

    @Override
    public List<Grant> claim(ClaimRequest request) throws SQLException {
        if (lanes.isOlderThan(LANES_AGE)) {
            boolean unused = database.autocommit(connection -> {
                lanes.read(connection);
                return true;
            });
        }
        List<Lane> some = lanes.ofQueue(request.queue());
        if (some.isEmpty()) {
            return rows.claim(request);
        }
        drain(some, DRAIN_INTERVAL_NANOS, request.limit());
        List<Grant> claimed = rows.claim(request);
        int missing = request.limit() - claimed.size();
        if (missing == 0 || drain(some, 0, missing) == 0) {
            return claimed;
        }
        List<Grant> all = new ArrayList<>(claimed);
        all.addAll(rows.claim(request.withLimit(missing)));
        return all;
    }

    /**
     * @param some lanes of the queue
     * @param ageNanos minimum time since a lane was last drained; a lane that was empty is skipped for a tenth of
     *     a second
     * @param atLeast how many jobs are wanted
     * @return zero if no jobs got rows, neither by this worker nor by others
     */
    private int drain(List<Lane> some, long ageNanos, int atLeast) throws SQLException {
        int moved = 0;
        for (Lane lane : some) {
            Drained last = drained.get(lane.id());
            long now = System.nanoTime();
            if (last == null || now - last.nanos >= (last.wasEmpty ? DRAIN_INTERVAL_NANOS : ageNanos)) {
                int here = drain(lane, Math.max(atLeast, LEAST_MOVED));
                drained.put(lane.id(), new Drained(now, here == 0));
                moved += here;
            }
        }
        return moved;
    }

    private int drain(Lane lane, int most) throws SQLException {
        if (!database.autocommit(connection -> drain.hasMore(connection, lane))) {
            return 0;
        }
        try {
            return Math.abs(database.transaction(connection -> drain.drainUnlessBusy(connection, lane, most)));
        } catch (SQLException e) {
            if (Fault.of(e) != Fault.UNIQUE) {
                throw e;
            }
            return 1;
        }
    }

    @Override
    public Settled settle(List<Settlement> runs) throws SQLException {
        return rows.settle(runs);
    }

    @Override
    public Renewal renew(Collection<LeaseRenewal> leases, Duration length) throws SQLException {
        return rows.renew(leases, length);
    }

    @Override
    public Set<Lease> release(Collection<Lease> unstarted) throws SQLException {
        return rows.release(unstarted);
    }

    @Override
    public RunMode mode() {
        return rows.mode();
    }

    @Override
    public Duration lease(Duration configured) {
        return rows.lease(configured);
    }

    @Override
    public void tidy() throws SQLException {
        rows.tidy();
        int unused = lateJobs.find();
    }

    @Override
    public long lost() {
        return rows.lost();
    }
}
