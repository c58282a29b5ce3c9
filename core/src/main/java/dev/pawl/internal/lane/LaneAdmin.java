package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;

/** Opens and closes the lanes of a queue for new jobs. Workers still run the jobs of a closed lane. */
final class LaneAdmin {
    private final Dialect dialect;

    LaneAdmin(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * Opens all lanes of a queue, and creates the one for the default priority if it is missing. The caller commits.
     */
    void open(Connection connection, String queue) throws SQLException {
        Lanes lanes = new Lanes(dialect);
        lanes.read(connection);
        lanes.open(connection, queue, 0);
        set(connection, queue, true);
    }

    /** Closes all lanes of a queue. */
    void close(Connection connection, String queue) throws SQLException {
        set(connection, queue, false);
    }

    private void set(Connection connection, String queue, boolean open) throws SQLException {
        dialect.statement("UPDATE pawl_lane SET is_open = ? WHERE queue = ?")
                .on(connection, open, queue)
                .run();
    }
}
