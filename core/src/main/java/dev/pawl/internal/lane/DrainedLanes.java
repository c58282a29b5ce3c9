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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Wraps a strategy that claims only rows: before a claim, it gives rows to as many jobs of the queue's lanes as the
 * claim may take. So no job is stranded when the strategy changes or differs between workers.
 */
public final class DrainedLanes implements ClaimStrategy {
    private static final Duration LANES_AGE = Duration.ofSeconds(2);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Database database;
    private final Lanes lanes;
    private final ClaimStrategy rows;
    private final LaneDrain drain;
    private final LateJobs lateJobs;
    private final Map<Integer, Long> emptyNanos = new ConcurrentHashMap<>();

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
        for (Lane lane : lanes.ofQueue(request.queue())) {
            Long empty = emptyNanos.get(lane.id());
            if (empty == null || System.nanoTime() - empty > LOOK_NANOS) {
                drain(lane, request.limit());
            }
        }
        return rows.claim(request);
    }

    private void drain(Lane lane, int limit) throws SQLException {
        try {
            if (!database.autocommit(connection -> drain.hasMore(connection, lane))
                    || database.transaction(connection -> drain.drain(connection, lane, Long.MAX_VALUE, limit)) == 0) {
                emptyNanos.put(lane.id(), System.nanoTime());
            }
        } catch (SQLException e) {
            if (Fault.of(e) != Fault.UNIQUE) { // else another worker was faster, and its rows can be claimed
                throw e;
            }
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
