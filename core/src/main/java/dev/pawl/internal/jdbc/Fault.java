package dev.pawl.internal.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link SQLException} means for us, judged in this one place, by SQLSTATE and vendor code and never by the
 * text of a message.
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
    /** The connection or the server is gone, or the server does not take writes: try again with a new connection. */
    UNREACHABLE,
    /** The server ran out of time, space or memory, or was told to stop: try again later. */
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
        return isContention() || this == UNREACHABLE || this == SHORTAGE;
    }

    /** {@return true if the database will never take what it was given} */
    public boolean isRefusal() {
        return this == REFUSED || this == UNIQUE;
    }

    /** {@return true if others were in the way: the whole transaction may be tried again at once} */
    public boolean isContention() {
        return switch (this) {
            case DEADLOCK, LOCK_TIMEOUT, SERIALIZATION, BUSY -> true;
            default -> false;
        };
    }

    private static Fault judge(SQLException error) {
        if (error.getClass().getName().equals("org.sqlite.SQLiteException")) {
            return ofSqlite(error.getErrorCode());
        }
        Fault byVendor = ofMySql(error.getErrorCode());
        if (byVendor != OTHER) {
            return byVendor;
        }
        if (error instanceof SQLTransientConnectionException) {
            return UNREACHABLE;
        }
        return ofState(error.getSQLState());
    }

    /** MySQL and MariaDB: several of these carry the catch-all SQLSTATE HY000. PostgreSQL's vendor code is always 0. */
    private static Fault ofMySql(int code) {
        return switch (code) {
            case 1213 -> DEADLOCK; // also what Galera reports when certification fails
            case 1205, 3572 -> LOCK_TIMEOUT; // 3572: NOWAIT
            // 1020 snapshot isolation of MariaDB, 1180 and 3101 certification in Group Replication
            case 1020, 1180, 3101 -> SERIALIZATION;
            // 1053 shutdown, 1927/1152/1158..1161 connection cut, 1290/1792/1836 read-only, 1047 node not ready,
            // 1040/1203/1226 too many connections, 2006/2013 gone away
            case 1053, 1927, 1152, 1158, 1159, 1160, 1161, 1290, 1792, 1836, 1047, 1040, 1203, 1226, 2006, 2013 ->
                UNREACHABLE;
            case 1062, 1586 -> UNIQUE;
            case 1146 -> MISSING_TABLE;
            // 1021/1114 disk or table full, 1037/1038/1041 memory, 1206 lock table full, 1317 told to stop,
            // 1969/3024 out of time
            case 1021, 1037, 1038, 1041, 1114, 1206, 1317, 1969, 3024 -> SHORTAGE;
            // 1153 larger than a packet, 1264/1406 out of range or too long, 1366 malformed text, 3819/4025 CHECK
            case 1153, 1264, 1366, 1406, 3819, 4025 -> REFUSED;
            default -> OTHER;
        };
    }

    private static Fault ofSqlite(int code) {
        // The low byte is the primary result code; extended codes add detail above it.
        return switch (code & 0xff) {
            case 5, 6 -> BUSY; // BUSY, LOCKED
            case 10, 14 -> UNREACHABLE; // IOERR, CANTOPEN
            case 7, 9, 13 -> SHORTAGE; // NOMEM, INTERRUPT, FULL
            case 18, 20, 25 -> REFUSED; // TOOBIG, MISMATCH, RANGE
            case 19 -> code == 19 || code == 2067 || code == 1555 ? UNIQUE : REFUSED; // CONSTRAINT_UNIQUE, _PRIMARYKEY
            default -> OTHER;
        };
    }

    private static Fault ofState(@Nullable String state) {
        if (state == null) {
            return OTHER;
        }
        return switch (state) {
            case "40P01" -> DEADLOCK;
            case "40001" -> SERIALIZATION;
            case "55P03" -> LOCK_TIMEOUT;
            case "23505" -> UNIQUE;
            case "42P01", "42S02" -> MISSING_TABLE;
            // 57P01-57P03 shutdown and start-up, 25006 read-only, 53300 too many connections, 25S03 the driver
            // reconnected and the transaction is gone
            case "57P01", "57P02", "57P03", "25006", "53300", "25S03" -> UNREACHABLE;
            case "57014" -> SHORTAGE; // statement_timeout, or cancelled
            default -> ofStateClass(state);
        };
    }

    private static Fault ofStateClass(String state) {
        return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
            case "08" -> UNREACHABLE;
            case "53", "58" -> SHORTAGE; // resources, the server's files
            case "22", "23" -> REFUSED; // data, constraints
            default -> OTHER;
        };
    }
}
