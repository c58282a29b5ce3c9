package dev.pawl.internal.database.mysql;

import dev.pawl.internal.jdbc.ClaimTurn;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.jdbc.UselessConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serializes claims by a named lock of the session. A row lock would make claims wait for a frozen worker until the server's lock timeout,
 * fifty seconds by default. On a cluster a named lock holds on one node only, which is enough: only claims of the same node wait for each
 * other.
 */
final class MySqlClaimTurn implements ClaimTurn {
    private static final Logger LOG = LoggerFactory.getLogger(MySqlClaimTurn.class);

    private static final long NO_OWNER = 0;

    private final Sql lock;
    private final Sql unlock;
    private final String prefix;

    MySqlClaimTurn(Dialect dialect) {
        lock = dialect.statement("SELECT IS_USED_LOCK(?), GET_LOCK(?, ?), IS_USED_LOCK(?)");
        unlock = dialect.statement("SELECT RELEASE_LOCK(?)");
        // the name of a lock is valid in the whole server, and has up to 64 characters
        prefix = "pawl claim " + Integer.toHexString(dialect.sql("pawl_lane").hashCode()) + " ";
    }

    /**
     * The server's answer to an attempt to lock.
     *
     * @param before the session that owned the lock before the wait; 0 for none
     * @param ours whether this session owns it now
     * @param after the session that owns it now
     */
    private record Seen(long before, boolean ours, long after) {
        boolean isFrozen() {
            return before != NO_OWNER && before == after;
        }
    }

    @Override
    public boolean tryTake(Connection connection, String place) throws SQLException {
        return lock(connection, place, 0).filter(Seen::ours).isPresent();
    }

    @Override
    public Answer await(Connection connection, String place, int seconds) throws SQLException {
        return lock(connection, place, seconds)
                .map(seen -> seen.ours ? Answer.OURS : seen.isFrozen() ? Answer.NONE : Answer.BUSY)
                .orElse(Answer.NONE);
    }

    /** {@return the server's answer; empty if it has no named locks} */
    private Optional<Seen> lock(Connection connection, String place, int seconds) throws SQLException {
        try {
            String name = prefix + place;
            return Optional.of(lock.on(connection, name, name, seconds, name)
                    .one(row -> new Seen(row.getLong(1), row.getInt(2) == 1, row.getLong(3))));
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            if (Fault.of(e) == Fault.SHORTAGE) { // such as a time limit that was reached after the lock was acquired
                end(connection, place);
            }
            LOG.debug("this server has no named locks, or interrupts waits for them: claims race", e);
            return Optional.empty();
        }
    }

    /**
     * If the lock cannot be released, aborts the connection, so that the pool cannot lend the session with the lock to another caller. On a
     * cluster, this statement may report a conflict of the transaction. Then the transaction is rolled back, but the session still has the
     * lock, so the release is repeated.
     */
    @Override
    public void end(Connection connection, String place) throws SQLException {
        try {
            unlock(connection, place);
        } catch (SQLException e) {
            if (Fault.of(e).isContention()) {
                unlockAgain(connection, place, e);
            } else if (Fault.of(e) != Fault.RECONNECTED) { // after a reconnect, the session with the lock is gone
                UselessConnections.discard(connection, e);
            }
            throw e;
        }
    }

    private void unlock(Connection connection, String place) throws SQLException {
        int unused = unlock.on(connection, prefix + place).one(row -> row.getInt(1));
    }

    private void unlockAgain(Connection connection, String place, SQLException conflict) throws SQLException {
        try {
            unlock(connection, place);
        } catch (SQLException e) {
            conflict.addSuppressed(e);
            if (Fault.of(e) != Fault.RECONNECTED) {
                UselessConnections.discard(connection, conflict);
            }
        }
    }
}
