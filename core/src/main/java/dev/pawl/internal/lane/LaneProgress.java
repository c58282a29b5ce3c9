package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.PlaceProgress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the jobs of lanes that were completed since the last count: those of new ranges, and those added to ranges
 * that were open at the last count. The first call counts nothing. For each lane, at most twenty thousand new ranges
 * and a thousand open ones are counted. Not thread-safe.
 */
final class LaneProgress implements PlaceProgress {
    private static final String COLUMNS =
            "SELECT starts_after, completed, lease_expires_at FROM pawl_lane_range WHERE lane = ?";

    private static final int MAX_NEW = 20_000;
    private static final int MAX_OPEN = 1_000;

    private final Dialect dialect;
    private final Map<Integer, LaneState> byLane = new HashMap<>();

    /** State of a lane at the last count. */
    private static final class LaneState {
        /** The key of the newest range; the first range of a lane has key 0. */
        private long last = -1;

        private final TreeMap<Long, Long> open = new TreeMap<>();

        /** {@return how many jobs of the range have completed} */
        long keep(ResultSet range) throws SQLException {
            long completed = range.getLong(2);
            last = Math.max(last, range.getLong(1));
            if (range.getObject(3) != null) { // the range has a lease, so more jobs may complete
                open.put(range.getLong(1), completed);
            }
            return completed;
        }
    }

    LaneProgress(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public Map<String, Long> count(Connection connection) throws SQLException {
        Map<String, Long> counts = new TreeMap<>();
        List<Lane> lanes = new LaneReads(dialect).lanes(connection);
        byLane.keySet().retainAll(lanes.stream().map(Lane::id).toList());
        for (Lane lane : lanes) {
            LaneState known = byLane.get(lane.id());
            if (known == null) {
                byLane.put(lane.id(), begin(connection, lane.id()));
            } else {
                counts.merge(lane.queue(), count(connection, lane.id(), known), Long::sum);
            }
        }
        return counts;
    }

    private LaneState begin(Connection connection, int lane) throws SQLException {
        LaneState begun = new LaneState();
        Sql newest = dialect.statement(COLUMNS + " ORDER BY starts_after DESC LIMIT " + MAX_OPEN);
        newest.on(connection, lane).each(begun::keep);
        return begun;
    }

    private long count(Connection connection, int lane, LaneState known) throws SQLException {
        LongAdder completed = new LongAdder();
        if (!known.open.isEmpty()) {
            Map<Long, Long> before = Map.copyOf(known.open);
            List<Long> ids = List.copyOf(known.open.keySet());
            known.open.clear();
            Sql open = dialect.statement(COLUMNS + " AND " + dialect.anyOf("starts_after", ids.size()));
            open.on(connection, lane, ids)
                    .each(range -> completed.add(known.keep(range) - before.getOrDefault(range.getLong(1), 0L)));
        }
        Sql newer = dialect.statement(COLUMNS + " AND starts_after > ? ORDER BY starts_after LIMIT " + MAX_NEW);
        newer.on(connection, lane, known.last).each(range -> completed.add(known.keep(range)));
        while (known.open.size() > MAX_OPEN) {
            known.open.pollFirstEntry();
        }
        return Math.max(0, completed.sum());
    }
}
