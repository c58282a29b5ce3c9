package dev.pawl.internal.store.sql;

import dev.pawl.Finding;
import dev.pawl.Finding.Level;
import dev.pawl.internal.store.StrategyChoice;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the server's own variables and the table's indexes, and says what they mean for a queue. */
final class Doctor {
    /** A claim, a renewal or a finish changes these; an index on them is rewritten each time, and InnoDB may deadlock. */
    private static final Set<String> CHANGING = Set.of(
            "attempt", "lease_token", "leased_by", "started_at", "progress", "cancel_requested", "lease_expires_at");

    private final Connection connection;
    private final Dialect dialect;
    private final List<Finding> findings = new ArrayList<>();

    private Doctor(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    static List<Finding> examine(Connection connection, Dialect dialect, StrategyChoice choice) throws SQLException {
        Doctor doctor = new Doctor(connection, dialect);
        doctor.say(Level.OK, "database", dialect.product() + " " + dialect.version());
        doctor.say(Level.OK, "strategy", choice.strategy() + ": " + choice.reason());
        switch (dialect.product()) {
            case "postgresql" -> doctor.postgres();
            case "mysql" -> doctor.mySql();
            default -> doctor.sqlite();
        }
        doctor.indexes();
        return doctor.findings;
    }

    private void say(Level level, String topic, String message) {
        findings.add(new Finding(level, topic, message));
    }

    private void expect(String topic, @Nullable String value, boolean good, Level otherwise, String advice) {
        say(good ? Level.OK : otherwise, topic, good ? String.valueOf(value) : value + ": " + advice);
    }

    private void postgres() throws SQLException {
        String isolation = setting("default_transaction_isolation");
        expect(
                "isolation",
                isolation,
                "read committed".equals(isolation),
                Level.ADVICE,
                "claims will meet serialization failures and be retried; use read committed for this pool");
        for (String safe : List.of("fsync", "full_page_writes")) {
            String value = setting(safe);
            expect(safe, value, "on".equals(value), Level.WARNING, "a crash of the server can corrupt all data");
        }
        String commit = setting("synchronous_commit");
        expect(
                "synchronous_commit",
                commit,
                !"off".equals(commit),
                Level.WARNING,
                "a crash of the server loses the last commits: enqueued jobs may vanish, finished ones run again");
        String autovacuum = setting("autovacuum");
        expect("autovacuum", autovacuum, "on".equals(autovacuum), Level.WARNING, "dead rows will slow the claims down");
        expect(
                "live table",
                isUnlogged() ? "unlogged" : "logged",
                !isUnlogged(),
                Level.WARNING,
                "a crash of the server empties it and LOSES EVERY UNFINISHED JOB; 'pawl tune --unlogged no' mends it");
        say(Level.OK, "backends", "oldest transaction " + text("""
                SELECT COALESCE(MAX(EXTRACT(epoch FROM clock_timestamp() - xact_start))::bigint, 0) || ' s old'
                  FROM pg_stat_activity WHERE backend_xmin IS NOT NULL"""));
    }

    private boolean isUnlogged() throws SQLException {
        return text("SELECT 1 FROM pg_partition_tree('" + dialect.sql("pawl_job")
                        + "') t JOIN pg_class c ON c.oid = t.relid WHERE t.isleaf AND c.relpersistence = 'u' LIMIT 1")
                != null;
    }

    private @Nullable String setting(String name) throws SQLException {
        return text("SELECT current_setting('" + name + "')");
    }

    private void mySql() throws SQLException {
        Map<String, String> variables = variables();
        String isolation = variables.getOrDefault("transaction_isolation", variables.get("tx_isolation"));
        say(Level.OK, "isolation", isolation + " (Pawl uses READ COMMITTED in its own transactions)");
        String detect = variables.get("innodb_deadlock_detect");
        expect(
                "innodb_deadlock_detect",
                detect,
                "ON".equals(detect),
                Level.WARNING,
                "a deadlock stalls until innodb_lock_wait_timeout; use the optimistic strategy, which cannot deadlock");
        String wait = variables.get("innodb_lock_wait_timeout");
        expect(
                "innodb_lock_wait_timeout",
                wait,
                wait != null && Long.parseLong(wait) <= 50,
                Level.ADVICE,
                "a stuck transaction can hold up others that long");
        String flush = variables.get("innodb_flush_log_at_trx_commit");
        expect(
                "innodb_flush_log_at_trx_commit",
                flush,
                "1".equals(flush),
                Level.WARNING,
                "a crash of the server loses the last second of commits");
        String snapshot = variables.get("innodb_snapshot_isolation");
        if (snapshot != null) {
            say(
                    Level.OK,
                    "innodb_snapshot_isolation",
                    snapshot + " (it answers 1020 to a transaction that read before it wrote; Pawl takes that as"
                            + " 'another was faster')");
        }
        if ("ON".equals(variables.get("wsrep_on"))) {
            say(
                    Level.ADVICE,
                    "cluster",
                    "Galera: row locks hold on one node only; let all workers use one node, or the optimistic strategy");
        }
    }

    private void sqlite() throws SQLException {
        String journal = text("PRAGMA journal_mode");
        expect(
                "journal_mode",
                journal,
                "wal".equalsIgnoreCase(journal),
                Level.ADVICE,
                "readers and the writer block each other; 'pawl migrate' sets WAL");
        String synchronous = text("PRAGMA synchronous");
        expect(
                "synchronous",
                synchronous,
                synchronous != null && !synchronous.equals("0") && !synchronous.equals("1"),
                Level.ADVICE,
                "a power failure may lose the last commits; FULL (2) does not");
        String busy = text("PRAGMA busy_timeout");
        expect(
                "busy_timeout",
                busy + " ms",
                busy != null && Long.parseLong(busy) >= 1000,
                Level.ADVICE,
                "writers of other processes give up early; set at least 3000");
    }

    private Map<String, String> variables() throws SQLException {
        Map<String, String> variables = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW GLOBAL VARIABLES")) {
            while (rows.next()) {
                variables.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
            }
        }
        return variables;
    }

    private void indexes() throws SQLException {
        Set<String> found = new TreeSet<>();
        DatabaseMetaData meta = connection.getMetaData();
        String table = dialect.sql("pawl_job");
        try (ResultSet rows = meta.getIndexInfo(connection.getCatalog(), connection.getSchema(), table, false, true)) {
            while (rows.next()) {
                String index = rows.getString("INDEX_NAME");
                String column = rows.getString("COLUMN_NAME");
                if (index != null) {
                    found.add(index);
                    if (column != null
                            && CHANGING.contains(column)
                            && !index.startsWith(dialect.sql("pawl_job_running"))) {
                        say(
                                Level.WARNING,
                                "index " + index,
                                "holds " + column + ", which every claim changes: slow, and on InnoDB it deadlocks;"
                                        + " drop it");
                    }
                }
            }
        }
        for (String wanted : List.of("pawl_job_ready", "pawl_job_unique_key")) {
            String name = dialect.sql(wanted);
            expect("index " + name, "index", found.contains(name), Level.WARNING, "missing; create it again");
        }
        try (PreparedStatement statement =
                        connection.prepareStatement(dialect.sql("SELECT MAX(version) FROM pawl_schema"));
                ResultSet row = statement.executeQuery()) {
            row.next();
            say(Level.OK, "schema", "version " + row.getInt(1));
        }
    }

    private @Nullable String text(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }
}
