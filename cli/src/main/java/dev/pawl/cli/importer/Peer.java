package dev.pawl.cli.importer;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Another queue, by its tables. */
interface Peer {
    /** {@return by which --from names it} */
    String word();

    /** {@return what waits there, and what was found that cannot be mapped; only reads} */
    List<Found> read(Connection connection) throws SQLException;

    /**
     * Removes a row as the peer itself does after its last run, if it is as it was read and nobody runs it.
     *
     * @return false if it was changed, claimed or removed meanwhile: then nothing is changed
     */
    boolean take(Connection connection, Found found) throws SQLException;
}
