package dev.pawl.internal.watch;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.Lane;
import dev.pawl.internal.lane.LaneReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the jobs of lanes that were completed between two looks: those of new ranges, and what has been added to ranges that were
 * open at the last look. The first look counts nothing. Bounded: of a lane, the ranges of twenty thousand claims, and a thousand that are
 * open. Not thread-safe.
 */
final class LaneProgress {
    private static final String COLUMNS =
            "SELECT after_id, completed, lease_expires_at FROM pawl_lane_range WHERE lane = ?";

    private static final int MOST_NEW = 20_000;
    private static final int MOST_OPEN = 1_000;

    private final Dialect dialect;
    private final Map<Integer, Seen> seen = new HashMap<>();

    /** A lane at the last look. */
    private static final class Seen {
        /** Zero is the first range's, too. */
        private long last = -1;

        private final TreeMap<Long, Long> open = new TreeMap<>();

        void keep(Ranges.Range range) {
            last = Math.max(last, range.after());
            if (range.isOpen()) {
                open.put(range.after(), range.completed());
            }
        }
    }

    LaneProgress(Dialect dialect) {
        this.dialect = dialect;
    }

    /** {@return how many of each queue} */
    Map<String, Long> count(Connection connection) throws SQLException {
        Map<String, Long> counts = new TreeMap<>();
        List<Lane> lanes = new LaneReads(dialect).lanes(connection);
        seen.keySet().retainAll(lanes.stream().map(Lane::id).toList());
        for (Lane lane : lanes) {
            Seen known = seen.get(lane.id());
            if (known == null) {
                seen.put(lane.id(), begin(connection, lane.id()));
            } else {
                counts.merge(lane.queue(), count(connection, lane.id(), known), Long::sum);
            }
        }
        return counts;
    }

    private Seen begin(Connection connection, int lane) throws SQLException {
        Seen begun = new Seen();
        Ranges.read(
                connection,
                dialect.sql(COLUMNS + " ORDER BY after_id DESC LIMIT " + MOST_OPEN),
                statement -> statement.setInt(1, lane),
                range -> begun.keep(range));
        return begun;
    }

    private long count(Connection connection, int lane, Seen known) throws SQLException {
        LongAdder completed = new LongAdder();
        if (!known.open.isEmpty()) {
            Map<Long, Long> before = Map.copyOf(known.open);
            List<Long> ids = List.copyOf(known.open.keySet());
            known.open.clear();
            Ranges.read(
                    connection,
                    dialect.sql(COLUMNS + " AND " + dialect.anyOf("after_id", ids.size())),
                    statement -> {
                        statement.setInt(1, lane);
                        dialect.bindIds(statement, 2, ids);
                    },
                    range -> {
                        completed.add(range.completed() - before.getOrDefault(range.after(), 0L));
                        known.keep(range);
                    });
        }
        long last = known.last;
        Ranges.read(
                connection,
                dialect.sql(COLUMNS + " AND after_id > ? ORDER BY after_id LIMIT " + MOST_NEW),
                statement -> {
                    statement.setInt(1, lane);
                    statement.setLong(2, last);
                },
                range -> {
                    completed.add(range.completed());
                    known.keep(range);
                });
        while (known.open.size() > MOST_OPEN) {
            known.open.pollFirstEntry();
        }
        return Math.max(0, completed.sum());
    }
}
