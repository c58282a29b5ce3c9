package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Gives the next available jobs of a lane rows of their own, for workers that claim only rows. */
final class LaneDrain {
    private final Dialect dialect;
    private final LaneReads reads;
    private final Moves moves;
    private final Sql free;

    LaneDrain(Dialect dialect) {
        this.dialect = dialect;
        this.reads = new LaneReads(dialect);
        this.moves = new Moves(dialect);
        this.free = dialect.statement("SELECT id FROM pawl_lane WHERE id = ? " + dialect.skipLocked());
    }

    /** {@return whether the lane has available jobs} */
    boolean hasMore(Connection connection, Lane lane) throws SQLException {
        long end = reads.end(connection, lane.id());
        return !LaneLog.ids(connection, dialect, lane.id(), end, Long.MAX_VALUE, 1)
                .isEmpty();
    }

    /**
     * @param connection in a transaction that has executed no statement yet
     * @param lane to drain
     * @param last greatest id to move
     * @param limit maximum number of jobs
     * @return how many got rows
     * @throws SQLException from the driver; a violation of a unique index if another worker was faster
     */
    int drain(Connection connection, Lane lane, long last, int limit) throws SQLException {
        dialect.seeLatest(connection);
        return move(connection, lane, last, limit);
    }

    /**
     * Drains the lane unless another transaction is draining it, because one of the two would write its rows in vain.
     *
     * @return how many jobs got rows; -1 if another transaction drains the lane
     */
    int drainUnlessBusy(Connection connection, Lane lane, int limit) throws SQLException {
        dialect.seeLatest(connection);
        return free.on(connection, lane.id()).exists() ? move(connection, lane, Long.MAX_VALUE, limit) : -1;
    }

    private int move(Connection connection, Lane lane, long last, int limit) throws SQLException {
        long end = reads.end(connection, lane.id());
        List<Long> ids = LaneLog.ids(connection, dialect, lane.id(), end, last, limit);
        if (!ids.isEmpty()) {
            moves.ahead(connection, new RangeKey(lane.id(), end), IdSet.ofOwned(ids));
        }
        return ids.size();
    }
}
