package dev.pawl.internal.database.mysql;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.lane.ClaimTurn;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A named lock of the session. A lock of a row would be held by a frozen worker for as long as the server waits for locks, usually fifty
 * seconds. On a cluster it holds on one node only, which is where its claims wait for each other.
 */
final class MySqlClaimTurn implements ClaimTurn {
    private static final Logger LOG = LoggerFactory.getLogger(MySqlClaimTurn.class);

    private final Sql lock;
    private final Sql unlock;
    private final String prefix;

    MySqlClaimTurn(Dialect dialect) {
        lock = dialect.statement("SELECT GET_LOCK(?, 1)");
        unlock = dialect.statement("SELECT RELEASE_LOCK(?)");
        // the name of a lock is valid in the whole server, and has up to 64 characters
        prefix = "pawl claim " + Integer.toHexString(dialect.sql("pawl_lane").hashCode()) + " ";
    }

    @Override
    public boolean await(Connection connection, int lane) throws SQLException {
        try {
            return lock.on(connection, prefix + lane).one(row -> row.getInt(1)) == 1;
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            LOG.debug("this server has no named locks, or interrupts waits for them: claims race", e);
            return false;
        }
    }

    /** If it fails, nobody else may get the session from the pool. */
    @Override
    public void end(Connection connection, int lane) throws SQLException {
        try {
            int unused = unlock.on(connection, prefix + lane).one(row -> row.getInt(1));
        } catch (SQLException e) {
            connection.abort(Runnable::run);
            throw e;
        }
    }
}
