package dev.pawl.servers;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A supported database: its capabilities, and its statements where dialects differ. */
public enum Product {
    /** PostgreSQL. */
    POSTGRESQL,
    /** MariaDB. */
    MARIADB,
    /** MySQL. */
    MYSQL,
    /** SQLite. */
    SQLITE;

    /** {@return whether it has the capability} */
    public boolean can(Capability capability) {
        return capabilities().contains(capability);
    }

    private Set<Capability> capabilities() {
        return switch (this) {
            case POSTGRESQL -> EnumSet.allOf(Capability.class);
            case MARIADB -> EnumSet.complementOf(EnumSet.of(Capability.WRITE_RETURNS_ROWS));
            case MYSQL -> EnumSet.of(Capability.ROW_LOCKS, Capability.SESSIONS, Capability.MISSING_TABLE_IS_NAMED);
            case SQLITE -> EnumSet.noneOf(Capability.class);
        };
    }

    /** {@return postgresql, mariadb, mysql or sqlite} */
    public String lowerCaseName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return the prefix of a statement to get its plan} */
    public String explain() {
        return switch (this) {
            case POSTGRESQL, MARIADB, MYSQL -> "EXPLAIN ";
            case SQLITE -> "EXPLAIN QUERY PLAN ";
        };
    }

    /** {@return the statement that updates a table's statistics} */
    public String analyze(String table) {
        return switch (this) {
            case POSTGRESQL, SQLITE -> "ANALYZE " + table;
            case MARIADB, MYSQL -> "ANALYZE TABLE " + table;
        };
    }

    /** {@return the statement that drops an index of a table} */
    public String dropIndex(String index, String table) {
        return switch (this) {
            case POSTGRESQL, SQLITE -> "DROP INDEX " + index;
            case MARIADB, MYSQL -> "DROP INDEX " + index + " ON " + table;
        };
    }

    /** {@return a query for the current time in microseconds, not the start time of the statement or transaction} */
    public String clockMicros() {
        return switch (this) {
            case POSTGRESQL -> "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)";
            case MARIADB, MYSQL -> "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)";
            case SQLITE -> "SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000";
        };
    }

    /** {@return a moment as the tables store it} */
    public String moment(long micros) {
        return switch (this) {
            case POSTGRESQL -> "TIMESTAMPTZ '1970-01-01 00:00:00+00' + " + micros + " * INTERVAL '1 microsecond'";
            case MARIADB, MYSQL -> "TIMESTAMP '1970-01-01 00:00:00' + INTERVAL " + micros + " MICROSECOND";
            case SQLITE -> Long.toString(micros);
        };
    }

    /** {@return an expression for the given moment minus a number of seconds} */
    public String earlier(String moment, long seconds) {
        return switch (this) {
            case POSTGRESQL -> moment + " - INTERVAL '" + seconds + " seconds'";
            case MARIADB, MYSQL -> moment + " - INTERVAL " + seconds + " SECOND";
            case SQLITE -> moment + " - " + seconds * 1_000_000;
        };
    }

    /** {@return a query for the id of the current session; only with {@link Capability#SESSIONS}} */
    public String sessionId() {
        return switch (this) {
            case POSTGRESQL -> "SELECT pg_backend_pid()";
            case MARIADB, MYSQL -> "SELECT CONNECTION_ID()";
            case SQLITE -> throw new UnsupportedOperationException("SQLite has no sessions");
        };
    }

    /** {@return the statement that ends a session; only with {@link Capability#SESSIONS}} */
    public String endSession(long id) {
        return switch (this) {
            case POSTGRESQL -> "SELECT pg_terminate_backend(" + id + ", 5000)";
            case MARIADB, MYSQL -> "KILL CONNECTION " + id;
            case SQLITE -> throw new UnsupportedOperationException("SQLite has no sessions");
        };
    }

    /** {@return a query that takes this many seconds; only with {@link Capability#SESSIONS}} */
    public String sleep(int seconds) {
        return switch (this) {
            case POSTGRESQL -> "SELECT pg_sleep(" + seconds + ")";
            case MARIADB, MYSQL -> "SELECT SLEEP(" + seconds + ")";
            case SQLITE -> throw new UnsupportedOperationException("SQLite has no sessions");
        };
    }

    /** {@return the statement that gives the session a very short lock timeout} */
    public String shortLockTimeout() {
        return switch (this) {
            case POSTGRESQL -> "SET lock_timeout = 50";
            case MARIADB, MYSQL -> "SET SESSION innodb_lock_wait_timeout = 1";
            case SQLITE -> "PRAGMA busy_timeout = 0";
        };
    }
}
