package dev.pawl.internal.lane;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.PlaceCommands;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Moves a job from its lane to a row of its own. */
final class LaneJobCommands implements PlaceCommands {
    private final Dialect dialect;
    private final LaneReads reads;
    private final Moves moves;

    LaneJobCommands(Dialect dialect) {
        this.dialect = dialect;
        this.reads = new LaneReads(dialect);
        this.moves = new Moves(dialect);
    }

    /** Where a job was found. */
    private record Place(int lane, long end, @Nullable RangeRow range) {}

    @Override
    public @Nullable JobState giveRow(Connection connection, long id) throws SQLException {
        Place place = locked(connection, id);
        if (place == null) {
            return null;
        }
        RangeRow range = place.range;
        if (range == null) {
            takeAvailable(connection, place.lane, place.end, id);
            return JobState.AVAILABLE;
        }
        int bit = range.ids().positionOf(id);
        if (range.moved().get(bit)) {
            return null;
        }
        if (range.done().get(bit)) {
            return JobState.COMPLETED;
        }
        BitSet wanted = new BitSet();
        wanted.set(bit);
        BitSet unused = moves.running(connection, range, wanted);
        range.write(connection, dialect);
        return range.done().get(bit) ? JobState.COMPLETED : JobState.RUNNING;
    }

    @Override
    public @Nullable JobState revive(Connection connection, long id) throws SQLException {
        Place place = locked(connection, id);
        if (place == null) {
            return null;
        }
        RangeRow range = place.range;
        if (range == null) {
            return JobState.AVAILABLE;
        }
        int bit = range.ids().positionOf(id);
        if (range.moved().get(bit)) {
            return null;
        }
        if (!range.done().get(bit)) {
            return JobState.RUNNING;
        }
        moves.revived(connection, range, id);
        range.moved().set(bit);
        range.done().clear(bit);
        range.write(connection, dialect);
        return JobState.COMPLETED;
    }

    /**
     * Locks the job's range. If the job has no range, locks its row in the lane, so that no two transactions take that row. The end is read
     * before the range, so a claim between the two reads is found as a range. A later claim conflicts with this transaction at the end.
     *
     * <p>To prevent deadlocks, the range is locked first, as in all transactions that delete jobs of a range. So the job may be deleted by
     * the time the range is locked.
     */
    private @Nullable Place locked(Connection connection, long id) throws SQLException {
        for (Lane lane : reads.lanes(connection)) {
            if (isThere(connection, lane.id(), id, "")) {
                long end = reads.end(connection, lane.id());
                RangeRow range = rangeOf(connection, lane.id(), id);
                return isThere(connection, lane.id(), id, range == null ? dialect.forUpdate() : "")
                        ? new Place(lane.id(), end, range)
                        : null;
            }
        }
        return null;
    }

    private boolean isThere(Connection connection, int lane, long id, String lock) throws SQLException {
        Sql sql = dialect.statement("SELECT 1 FROM pawl_lane_job WHERE lane = ? AND id = ? " + lock);
        return sql.on(connection, lane, id).exists();
    }

    private @Nullable RangeRow rangeOf(Connection connection, int lane, long id) throws SQLException {
        Sql last =
                dialect.statement("SELECT MAX(starts_after) FROM pawl_lane_range WHERE lane = ? AND starts_after < ?");
        Optional<RangeKey> key = last.on(connection, lane, id).one(row -> {
            RangeKey found = new RangeKey(lane, row.getLong(1));
            return row.wasNull() ? Optional.empty() : Optional.of(found);
        });
        if (key.isEmpty()) {
            return null;
        }
        RangeRow range = RangeRow.read(connection, dialect, key.get(), dialect.forUpdate());
        return range != null && range.ids().positionOf(id) >= 0 ? range : null;
    }

    /**
     * Takes an available job out of its lane. A claim that has read the job must not win it. So the first job after the end gets a row and
     * becomes a range. Every claim that has read the old end fails at the key of this range (guard {@code CancelKey} of the model {@code
     * lanes.als}). If this is not the wanted job, the wanted job gets a row, too, and its row in the lane is deleted. A late job, before
     * the end and in no range, leaves the lane in the same way, but the end does not move.
     */
    private void takeAvailable(Connection connection, int lane, long end, long id) throws SQLException {
        List<Long> first = id > end ? LaneLog.ids(connection, dialect, lane, end, Long.MAX_VALUE, 1) : List.of();
        if (id > end && first.isEmpty()) {
            throw Moves.lostRace("job " + id + " has left lane " + lane);
        }
        if (!first.contains(id)) {
            moves.available(connection, lane, List.of(id));
            if (LaneLog.delete(connection, dialect, lane, List.of(id)) != 1) {
                throw Moves.lostRace("job " + id + " has left lane " + lane);
            }
        }
        if (id > end) {
            moves.ahead(connection, new RangeKey(lane, end), IdSet.ofOwned(first));
        }
    }
}
