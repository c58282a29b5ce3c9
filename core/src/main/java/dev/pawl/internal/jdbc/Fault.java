package dev.pawl.internal.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * The meaning of an {@link SQLException} for this library, decided only here, by SQLSTATE and vendor code ({@link
 * FaultCodes}) and never by the text of a message.
 */
public enum Fault {
    /** The server broke a deadlock by rolling back this transaction: try again. */
    DEADLOCK,
    /** A lock could not be acquired in time. Always roll back, because InnoDB undoes only the statement; then try again. */
    LOCK_TIMEOUT,
    /** What this transaction read has changed since, here or on another node of the cluster: try again. */
    SERIALIZATION,
    /** Another process is writing to the SQLite file: try again. */
    BUSY,
    /** The connection or the server is lost: try again with a new connection. */
    UNREACHABLE,
    /** The driver has connected to another server; the transaction is lost, or it is unknown whether it has committed: try again. */
    RECONNECTED,
    /** The server, or the session, accepts no writes, as after a failover: try again with a new connection. */
    READ_ONLY,
    /** The server ran out of time, space or memory, or was ordered to stop: try again later. */
    SHORTAGE,
    /** A unique index refused a row. */
    UNIQUE,
    /** The data were refused: too long, malformed, against a constraint. Trying again does not help. */
    REFUSED,
    /** A table does not exist. */
    MISSING_TABLE,
    /** Anything else: trying again does not help. */
    OTHER;

    /**
     * The exception that MySQL's driver throws instead of sending too large a packet. It has no vendor code, and its SQLSTATE is the one
     * for general errors.
     */
    private static final String TOO_BIG = "com.mysql.cj.jdbc.exceptions.PacketTooBigException";

    /**
     * @param error from a driver
     * @return what it means
     */
    public static Fault of(SQLException error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                Fault fault = judge(sql);
                if (fault != OTHER) {
                    return fault;
                }
            }
        }
        return OTHER;
    }

    /** {@return true if the same call may succeed later} */
    public boolean isTransient() {
        return isContention() || isOutage() || this == SHORTAGE;
    }

    /** {@return true if a server was lost, or takes no writes, so that the same call may succeed on another connection} */
    public boolean isOutage() {
        return isConnectionUseless() || this == RECONNECTED;
    }

    /** {@return true if the connection cannot be used for writes any more and has to be replaced} */
    boolean isConnectionUseless() {
        return this == UNREACHABLE || this == READ_ONLY;
    }

    /** {@return true if the database will never accept these data} */
    public boolean isRefusal() {
        return this == REFUSED || this == UNIQUE;
    }

    /** {@return true in case of contention: the whole transaction may be tried again at once} */
    public boolean isContention() {
        return switch (this) {
            case DEADLOCK, LOCK_TIMEOUT, SERIALIZATION, BUSY -> true;
            default -> false;
        };
    }

    private static Fault judge(SQLException error) {
        if (error.getClass().getName().equals("org.sqlite.SQLiteException")) {
            return FaultCodes.ofSqlite(error.getErrorCode());
        }
        Fault byVendor = FaultCodes.ofMySql(error.getErrorCode());
        if (byVendor != OTHER) {
            return byVendor;
        }
        if (error.getClass().getName().equals(TOO_BIG)) {
            return REFUSED;
        }
        Fault byState = FaultCodes.ofState(error.getSQLState());
        if (error instanceof SQLTransientConnectionException && byState != RECONNECTED) {
            return UNREACHABLE;
        }
        return byState;
    }
}
