package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Gives the next available jobs of a lane rows of their own, for workers that claim only rows. */
final class LaneDrain {
    private final Dialect dialect;
    private final LaneReads reads;
    private final Moves moves;

    LaneDrain(Dialect dialect) {
        this.dialect = dialect;
        this.reads = new LaneReads(dialect);
        this.moves = new Moves(dialect);
    }

    /** {@return whether the lane has available jobs} */
    boolean hasMore(Connection connection, Lane lane) throws SQLException {
        long end = reads.end(connection, lane.id());
        return !LaneLog.ids(connection, dialect, lane.id(), end, Long.MAX_VALUE, 1)
                .isEmpty();
    }

    /**
     * @param connection in a transaction without statements so far
     * @param lane to drain
     * @param last greatest id to move
     * @param limit maximum number of jobs
     * @return how many got rows
     * @throws SQLException from the driver; a violation of a unique index if another worker was faster
     */
    int drain(Connection connection, Lane lane, long last, int limit) throws SQLException {
        dialect.seeLatest(connection);
        long end = reads.end(connection, lane.id());
        List<Long> ids = LaneLog.ids(connection, dialect, lane.id(), end, last, limit);
        if (!ids.isEmpty()) {
            moves.ahead(connection, new RangeKey(lane.id(), end), IdSet.ofOwned(ids));
        }
        return ids.size();
    }
}
