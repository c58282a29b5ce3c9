package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.PlacePruner;
import dev.pawl.internal.place.RetentionTerms;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Deletes jobs of kinds that are kept for a shorter time than their ranges. The range stays and marks these jobs as moved, although they
 * have no rows. This class keeps its position in each lane, so that no range is read twice. Not thread-safe.
 */
final class PartialPrune {
    private static final int SLICE = 100;

    private final Database database;
    private final Dialect dialect;
    private final Map<Place, Long> places = new HashMap<>();

    PartialPrune(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    private record Place(int lane, Duration length) {}

    /** A range, whether its retention has expired, and whether its jobs have been deleted. */
    private record Next(RangeRow row, boolean isReady, boolean isEmptied) {}

    void startOver() {
        places.clear();
    }

    /**
     * @param mostSlices maximum number of slices of a hundred ranges; the next call continues after them
     * @return how many jobs were deleted
     */
    long prune(int lane, RetentionTerms.Shorter terms, PlacePruner.LinkedDeletion linked, int mostSlices)
            throws SQLException {
        Place place = new Place(lane, terms.length());
        long pruned = 0;
        for (int slices = 0; slices < mostSlices && !Thread.currentThread().isInterrupted(); slices++) {
            long after = places.getOrDefault(place, -1L);
            List<Next> slice = database.autocommit(connection -> next(connection, lane, after, terms.last()));
            for (Next next : slice) {
                Integer some = next.isReady ? deleteOfKinds(next, terms, linked) : null;
                if (some == null) {
                    return pruned;
                }
                pruned += some;
                places.put(place, next.row.key().after());
            }
            if (slice.size() < SLICE) {
                break;
            }
        }
        return pruned;
    }

    /** {@return how many jobs were deleted; null if the range is locked} */
    private @Nullable Integer deleteOfKinds(Next next, RetentionTerms.Shorter terms, PlacePruner.LinkedDeletion linked)
            throws SQLException {
        if (next.isEmptied
                || database.autocommit(connection -> LaneLog.ofKinds(connection, dialect, next.row, terms.kinds()))
                        .isEmpty()) {
            return 0;
        }
        int deleted = database.transaction(connection -> {
            RangeRow row = RangeRow.read(connection, dialect, next.row.key(), dialect.skipLocked());
            return row == null ? -1 : deleteOfKinds(connection, row, terms, linked);
        });
        return deleted < 0 ? null : deleted;
    }

    private int deleteOfKinds(
            Connection connection, RangeRow row, RetentionTerms.Shorter terms, PlacePruner.LinkedDeletion linked)
            throws SQLException {
        List<Long> ids = LaneLog.ofKinds(connection, dialect, row, terms.kinds());
        if (ids.isEmpty()) {
            return 0;
        }
        BitSet deleted = new BitSet();
        ids.forEach(id -> deleted.set(row.ids().positionOf(id)));
        deleted.and(row.done()); // of a moved job only the copy in the lane is deleted
        if (!deleted.isEmpty()) {
            linked.delete(connection, Moves.at(row.ids(), deleted));
            row.done().andNot(deleted);
            row.moved().or(deleted);
            row.write(connection, dialect);
        }
        int unused = LaneLog.delete(connection, dialect, row.key().lane(), ids);
        return deleted.cardinality();
    }

    private List<Next> next(Connection connection, int lane, long after, Instant last) throws SQLException {
        Sql sql = dialect.planned("SELECT " + RangeRow.COLUMNS + ", jobs_deleted, CASE WHEN lease_expires_at IS NULL"
                + " AND (jobs_deleted = TRUE OR finished_at <= " + dialect.moment() + ") THEN 1 ELSE 0 END AS is_ready"
                + " FROM pawl_lane_range WHERE lane = ? AND starts_after > ? ORDER BY starts_after LIMIT " + SLICE);
        return sql.on(connection, last, lane, after)
                .list(rows ->
                        new Next(RangeRow.of(rows), rows.getInt("is_ready") == 1, rows.getBoolean("jobs_deleted")));
    }
}
