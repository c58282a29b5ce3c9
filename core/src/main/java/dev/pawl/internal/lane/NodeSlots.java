package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Determines when a node of a cluster may claim from a lane that other nodes claim from as well. A lock is valid on one node only, and if
 * two nodes claim the same jobs, one commit fails. So each node has a time slot, by the clocks of the servers, and claims begin only in the
 * first part of this slot. Slots only avoid conflicts, and claims are correct without them. Thread-safe.
 */
final class NodeSlots {
    private static final long LONGEST_SLOT_MICROS = 100_000;
    /** Maximum time in which each node has one slot: shorter than a second, because a worker claims up to a second's work at a time. */
    private static final long LONGEST_CYCLE_MICROS = 600_000;
    /** A claim begins in the first two fifths of its node's slot, and reaches the other nodes in the rest. */
    private static final int PARTS = 5;

    private static final int BEGIN_PARTS = 2;

    private static final int NEWEST_RANGES = 20;
    private static final long RECENT_MICROS = 2_000_000;
    /** How long a lane counts as shared after the last known claim of another node. */
    private static final long SHARED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Dialect dialect;
    private final Lanes lanes;
    private final Sql claims;
    private final Sql now;
    private final Map<Integer, RecentClaims> byLane = new ConcurrentHashMap<>();
    private volatile boolean seesOtherNodes = true;

    /**
     * Recent claims of a lane, without the jobs that users have cancelled or moved.
     *
     * @param byThisNode number of claims on this node
     * @param byLaneNode number of claims on the node that the lane belongs to
     * @param byOthers whether other nodes have claimed from the lane in the last ten seconds
     * @param byOthersNanos when claims of other nodes were last found
     * @param nanos when the claims were read
     */
    private record RecentClaims(int byThisNode, int byLaneNode, boolean byOthers, long byOthersNanos, long nanos) {
        RecentClaims(@Nullable RecentClaims before, int byThisNode, int byLaneNode, int byOthers, long nanos) {
            this(
                    byThisNode,
                    byLaneNode,
                    byOthers > 0 || (before != null && before.byOthers && nanos - before.byOthersNanos < SHARED_NANOS),
                    byOthers > 0 || before == null ? nanos : before.byOthersNanos,
                    nanos);
        }
    }

    NodeSlots(Dialect dialect, Lanes lanes) {
        this.dialect = dialect;
        this.lanes = lanes;
        this.claims = dialect.statement(
                """
                SELECT COALESCE(SUM(CASE WHEN r.node = ? THEN 1 ELSE 0 END), 0),
                       COALESCE(SUM(CASE WHEN r.node = ? THEN 1 ELSE 0 END), 0),
                       COALESCE(SUM(CASE WHEN r.node = ? THEN 0 ELSE 1 END), 0)
                  FROM (SELECT node, leased_by, claimed_at FROM pawl_lane_range WHERE lane = ? ORDER BY starts_after DESC LIMIT %s) r
                 WHERE r.leased_by <> 0 AND %s - %s < ?
                """.formatted(NEWEST_RANGES, dialect.micros(dialect.now()), dialect.micros("r.claimed_at")));
        this.now = dialect.statement("SELECT " + dialect.micros(dialect.now()));
    }

    /** {@return whether the database is a cluster whose nodes all take writes} */
    boolean areInUse() {
        return lanes.node() != 0;
    }

    /** {@return whether this node alone has claimed from the lane of another node in the last seconds} */
    boolean isTakenOver(Connection connection, Lane lane) throws SQLException {
        RecentClaims known = known(connection, lane);
        return known.byThisNode > 0 && !known.byOthers;
    }

    /** {@return whether workers of the lane's own node have claimed from it in the last seconds} */
    boolean hasWorkers(Connection connection, Lane lane) throws SQLException {
        return known(connection, lane).byLaneNode > 0;
    }

    /** {@return whether other nodes claim from the lane} */
    boolean isShared(Connection connection, Lane lane) throws SQLException {
        return areInUse() && (lanes.isOfNode(lane) ? known(connection, lane).byOthers : !isTakenOver(connection, lane));
    }

    private RecentClaims known(Connection connection, Lane lane) throws SQLException {
        RecentClaims before = byLane.get(lane.id());
        long nanos = System.nanoTime();
        if (before != null && nanos - before.nanos < FRESH_NANOS) {
            return before;
        }
        int node = lanes.node();
        RecentClaims known = claims.on(connection, node, lane.node(), node, lane.id(), RECENT_MICROS)
                .one(row -> new RecentClaims(before, row.getInt(1), row.getInt(2), row.getInt(3), nanos));
        byLane.put(lane.id(), known);
        return known;
    }

    /** Waits for the slot of this node, and until this node sees what other nodes have claimed in their slots. */
    void await(Connection connection, Lane lane) throws SQLException {
        int[] nodes = lanes.nodes(lane);
        int place = Math.max(0, Arrays.binarySearch(nodes, lanes.node()));
        long wait = wait(now.on(connection).one(row -> row.getLong(1)), place, Math.max(1, nodes.length));
        if (wait > 0) {
            try {
                TimeUnit.MICROSECONDS.sleep(wait);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted while waiting to claim", "57014", e);
            }
        }
        if (seesOtherNodes) {
            seesOtherNodes = LaneDatabase.of(dialect).seeOtherNodes(connection);
        }
    }

    /**
     * {@return microseconds until the node may begin a claim}
     *
     * @param now by the server's clock, in microseconds since 1970
     * @param place of the node among those that may claim, from 0
     * @param nodes how many may claim
     */
    static long wait(long now, int place, int nodes) {
        long slot = Math.min(LONGEST_SLOT_MICROS, LONGEST_CYCLE_MICROS / nodes);
        long cycle = slot * nodes;
        long since = Math.floorMod(now - place * slot, cycle);
        return since < slot * BEGIN_PARTS / PARTS ? 0 : cycle - since;
    }
}
