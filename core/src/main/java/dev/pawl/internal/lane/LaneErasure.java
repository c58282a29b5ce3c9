package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Deletes completed jobs of a lane before their retention ends. Their range stays. Once it is closed, it marks
 * them as moved, although they have no rows, so that they are not counted any more. A range is skipped while its
 * jobs are still counted to detect jobs that were committed late, because a deletion would make the count wrong.
 */
final class LaneErasure {
    /** The range is no longer counted, or was counted so often that its ids are now checked one by one. */
    private static final String COUNTED = "(recount_at IS NULL OR recounts >= " + LateJobs.COUNTS + ")";
    /** The range is no longer counted, or it is closed. A closed range with moved jobs is checked id by id. */
    private static final String NOT_COUNTED = "(recount_at IS NULL OR lease_expires_at IS NULL)";

    private final Dialect dialect;

    LaneErasure(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * @param connection in a transaction
     * @param lane of the jobs
     * @param ids ascending; jobs that are not completed, or not in this lane, are skipped
     * @return the ids of the deleted jobs
     * @throws SQLException from the driver
     */
    List<Long> erase(Connection connection, int lane, List<Long> ids) throws SQLException {
        return delete(connection, lane, ids, COUNTED, RangeRow::done, true);
    }

    /**
     * Deletes the copies that a lane still has of jobs with rows of their own. They are never read, but contain payloads.
     *
     * @param connection in a transaction
     * @param lane to search
     * @param ids ascending
     * @return the ids of the jobs of which the lane still has a copy
     * @throws SQLException from the driver
     */
    List<Long> eraseCopies(Connection connection, int lane, List<Long> ids) throws SQLException {
        List<Long> left = there(connection, lane, ids);
        left.removeAll(Set.copyOf(delete(connection, lane, left, NOT_COUNTED, RangeRow::moved, false)));
        return left;
    }

    private List<Long> there(Connection connection, int lane, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned(
                "SELECT id FROM pawl_lane_job WHERE lane = ? AND " + dialect.anyOf("id", ids.size()) + " ORDER BY id");
        return sql.on(connection, lane, ids).longs();
    }

    private List<Long> delete(
            Connection connection,
            int lane,
            List<Long> ids,
            String condition,
            Function<RangeRow, BitSet> which,
            boolean forgets)
            throws SQLException {
        List<Long> erased = new ArrayList<>();
        int next = 0;
        while (next < ids.size()) {
            long id = ids.get(next);
            long after = before(connection, lane, id);
            // locks the range first, as do all transactions that delete its jobs
            RangeRow range = after < 0
                    ? null
                    : RangeRow.read(
                            connection,
                            dialect,
                            new RangeKey(lane, after),
                            "AND " + condition + " " + dialect.skipLocked());
            if (range == null) { // the range is locked, or still counted
                next++;
                continue;
            }
            List<Long> deleted = new ArrayList<>();
            BitSet places = which.apply(range);
            do {
                int place = range.ids().positionOf(ids.get(next));
                if (place >= 0 && places.get(place)) {
                    deleted.add(ids.get(next));
                }
                next++;
            } while (next < ids.size() && ids.get(next) <= range.ids().last());
            if (!deleted.isEmpty()) {
                int unused = LaneLog.delete(connection, dialect, lane, deleted);
                if (forgets && !range.isOpen()) { // the worker that holds an open range would overwrite the marks
                    forget(connection, range, deleted);
                }
                erased.addAll(deleted);
            }
        }
        return erased;
    }

    private void forget(Connection connection, RangeRow range, List<Long> deleted) throws SQLException {
        for (long id : deleted) {
            int place = range.ids().positionOf(id);
            range.done().clear(place);
            range.moved().set(place);
        }
        range.write(connection, dialect);
    }

    /** {@return the key of the range to which a job may belong; negative if there is none} */
    private long before(Connection connection, int lane, long id) throws SQLException {
        Sql sql =
                dialect.statement("SELECT MAX(starts_after) FROM pawl_lane_range WHERE lane = ? AND starts_after < ?");
        return sql.on(connection, lane, id).one(row -> {
            long after = row.getLong(1);
            return row.wasNull() ? -1 : after;
        });
    }
}
