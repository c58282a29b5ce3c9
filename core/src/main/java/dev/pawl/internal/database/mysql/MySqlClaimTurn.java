package dev.pawl.internal.database.mysql;

import dev.pawl.internal.jdbc.ClaimTurn;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A named lock of the session. A lock of a row would be held by a frozen worker for as long as the server waits for locks, usually fifty
 * seconds. On a cluster it holds on one node only, which is where its claims wait for each other.
 */
final class MySqlClaimTurn implements ClaimTurn {
    private static final Logger LOG = LoggerFactory.getLogger(MySqlClaimTurn.class);

    private static final long NOBODY = 0;

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
     * What the server answers.
     *
     * @param before the session that owned the lock before the wait; 0 for none
     * @param ours whether it is ours now
     * @param after the session that owns it now
     */
    private record Seen(long before, boolean ours, long after) {
        boolean isFrozen() {
            return before != NOBODY && before == after;
        }
    }

    @Override
    public boolean isFree(Connection connection, String place) throws SQLException {
        return lock(connection, place, 0).filter(Seen::ours).isPresent();
    }

    @Override
    public Answer await(Connection connection, String place, int seconds) throws SQLException {
        return lock(connection, place, seconds)
                .map(seen -> seen.ours ? Answer.OURS : seen.isFrozen() ? Answer.NONE : Answer.BUSY)
                .orElse(Answer.NONE);
    }

    /** Empty: there are no such locks. */
    private Optional<Seen> lock(Connection connection, String place, int seconds) throws SQLException {
        try {
            String name = prefix + place;
            return Optional.of(lock.on(connection, name, name, seconds, name)
                    .one(row -> new Seen(row.getLong(1), row.getInt(2) == 1, row.getLong(3))));
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            if (Fault.of(e) == Fault.SHORTAGE) { // such as a time limit, which may have struck when the lock was ours
                end(connection, place);
            }
            LOG.debug("this server has no named locks, or interrupts waits for them: claims race", e);
            return Optional.empty();
        }
    }

    /**
     * If it fails, nobody else may get the session from the pool. A cluster reports a conflict of the transaction at the next statement, which
     * may be this one: then the transaction is lost, and the lock is not.
     */
    @Override
    public void end(Connection connection, String place) throws SQLException {
        try {
            unlock(connection, place);
        } catch (SQLException e) {
            if (Fault.of(e).isContention()) {
                unlockAgain(connection, place, e);
            } else {
                connection.abort(Runnable::run);
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
            connection.abort(Runnable::run);
        }
    }
}
