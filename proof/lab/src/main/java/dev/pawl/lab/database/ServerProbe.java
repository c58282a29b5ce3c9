package dev.pawl.lab.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads a server's product, settings and counters. Null means unknown. */
public final class ServerProbe {
    private static final List<String> POSTGRES = List.of(
            "server_version",
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "shared_buffers",
            "max_connections",
            "default_transaction_isolation",
            "deadlock_timeout",
            "lock_timeout",
            "autovacuum",
            "autovacuum_naptime",
            "wal_level",
            "max_wal_size",
            "checkpoint_timeout",
            "jit");
    private static final List<String> MYSQL = List.of(
            "version",
            "innodb_flush_log_at_trx_commit",
            "sync_binlog",
            "log_bin",
            "innodb_doublewrite",
            "innodb_buffer_pool_size",
            "transaction_isolation",
            "tx_isolation",
            "innodb_deadlock_detect",
            "innodb_lock_wait_timeout",
            "innodb_rollback_on_timeout",
            "innodb_snapshot_isolation",
            "autocommit",
            "max_connections",
            "binlog_format",
            "innodb_redo_log_capacity",
            "innodb_log_file_size");
    private static final List<String> SQLITE = List.of("page_size", "auto_vacuum", "encoding");

    private final Scratch scratch;
    private final DataSource pool;

    /**
     * @param scratch the database
     * @param pool connections to it
     */
    public ServerProbe(Scratch scratch, DataSource pool) {
        this.scratch = scratch;
        this.pool = pool;
    }

    /**
     * A server's counters; null if unknown.
     *
     * @param deadlocks broken by the server
     * @param lockTimeouts lock waits that timed out
     * @param logBytes written to the recovery log
     * @param deadRows obsolete row versions that are still stored
     */
    public record Counters(
            @Nullable Long deadlocks,
            @Nullable Long lockTimeouts,
            @Nullable Long logBytes,
            @Nullable Long deadRows) {}

    /** {@return product and version, as reported by the server} */
    public String version() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connection.getMetaData().getDatabaseProductName() + " "
                    + connection.getMetaData().getDatabaseProductVersion() + ", driver "
                    + connection.getMetaData().getDriverVersion();
        }
    }

    /** {@return the settings that affect results} */
    public Map<String, String> variables() throws SQLException {
        Map<String, String> found = new TreeMap<>();
        try (Connection connection = pool.getConnection()) {
            switch (scratch.dialect()) {
                case "postgresql" ->
                    pairs(connection, "SELECT name, current_setting(name) FROM pg_settings", POSTGRES, found);
                case "mysql" -> pairs(connection, "SHOW GLOBAL VARIABLES", MYSQL, found);
                default -> {
                    for (String pragma : SQLITE) {
                        String value = text(connection, "PRAGMA " + pragma);
                        if (value != null) {
                            found.put(pragma, value);
                        }
                    }
                }
            }
        }
        return found;
    }

    private static void pairs(Connection connection, String sql, List<String> wanted, Map<String, String> into)
            throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                if (wanted.contains(rows.getString(1))) {
                    into.put(rows.getString(1), rows.getString(2));
                }
            }
        }
    }

    /** {@return the current counters} */
    public Counters read() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return switch (scratch.dialect()) {
                case "postgresql" -> {
                    number(connection, "SELECT 1 FROM pg_stat_force_next_flush()"); // since PostgreSQL 15
                    yield new Counters(
                            number(
                                    connection,
                                    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"),
                            null,
                            number(connection, "SELECT CAST(pg_current_wal_lsn() - '0/0' AS bigint)"),
                            number(
                                    connection,
                                    "SELECT sum(n_dead_tup) FROM pg_stat_user_tables"
                                            + " WHERE schemaname = current_schema()"));
                }
                case "mysql" ->
                    new Counters(
                            deadlocks(connection),
                            metric(connection, "lock_timeouts"),
                            logPosition(connection),
                            historyLength(connection));
                default -> new Counters(null, null, null, null);
            };
        }
    }

    /** MariaDB has a status variable; MySQL a metric that is on by default. */
    private static @Nullable Long deadlocks(Connection connection) {
        Long status = status(connection, "Innodb_deadlocks");
        return status != null ? status : metric(connection, "lock_deadlocks");
    }

    private static @Nullable Long historyLength(Connection connection) {
        Long status = status(connection, "Innodb_history_list_length");
        return status != null ? status : metric(connection, "trx_rseg_history_len");
    }

    private static @Nullable Long status(Connection connection, String name) {
        return orNull(connection, "SHOW GLOBAL STATUS LIKE '" + name + "'", 2);
    }

    private static @Nullable Long metric(Connection connection, String name) {
        return orNull(
                connection,
                "SELECT count FROM information_schema.innodb_metrics WHERE name = '" + name
                        + "' AND status = 'enabled'",
                1);
    }

    /** Tries several names, because MySQL and MariaDB name the variable differently. */
    private static @Nullable Long logPosition(Connection connection) {
        for (String name :
                new String[] {"Innodb_redo_log_current_lsn", "Innodb_lsn_current", "Innodb_os_log_written"}) {
            Long found = status(connection, name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Without the required privilege the counter is unknown, but the measurement continues. */
    private static @Nullable Long orNull(Connection connection, String sql, int column) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) {
                return null;
            }
            long value = row.getLong(column);
            return row.wasNull() ? null : Long.valueOf(value);
        } catch (SQLException refused) {
            return null;
        }
    }

    private static @Nullable Long number(Connection connection, String sql) {
        return orNull(connection, sql, 1);
    }

    private static @Nullable String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }
}
