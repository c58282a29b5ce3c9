package dev.pawl.importer;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Another queue, accessed through its tables. */
interface Peer {
    /** {@return its name as a value of --from} */
    String word();

    /** {@return the waiting jobs and the rows that cannot be mapped; only reads} */
    List<PeerRow> read(Connection connection) throws SQLException;

    /**
     * Removes a row as the peer itself does after the last run of a job, if the row is unchanged and not running.
     *
     * @return false, without any change, if the row was changed, claimed or removed in the meantime
     */
    boolean take(Connection connection, PeerRow found) throws SQLException;
}
