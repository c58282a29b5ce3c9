package dev.pawl.internal.database.postgres;

import static dev.pawl.internal.admin.Findings.text;

import dev.pawl.admin.Finding.Level;
import dev.pawl.admin.TableSize;
import dev.pawl.admin.Tuning;
import dev.pawl.internal.admin.Findings;
import dev.pawl.internal.admin.TableCare;
import dev.pawl.internal.admin.TableSizes;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Checks the settings of PostgreSQL that matter to a queue, and rebuilds its tables. */
final class PostgresTables implements TableCare {
    private static final int SHORTEST_SECONDS = 10;
    private static final String SHORT_TIMEOUTS = "SELECT name, current_setting(name) FROM pg_settings WHERE name IN"
            + " ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')"
            + " AND setting::bigint BETWEEN 1 AND " + SHORTEST_SECONDS + "000 ORDER BY name";
    private static final String PLANNING = "SELECT name, current_setting(name) FROM pg_settings WHERE"
            + " (name IN ('enable_indexscan', 'enable_bitmapscan', 'enable_nestloop') AND setting = 'off')"
            + " OR (name = 'plan_cache_mode' AND setting = 'force_generic_plan') ORDER BY name";

    private final Dialect dialect;

    PostgresTables(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public void tune(Connection connection, Tuning tuning) throws SQLException {
        new PostgresTuning(connection, dialect).apply(tuning);
    }

    @Override
    public Map<String, List<String>> indexes() {
        return Map.of(
                "pawl_job_ready", List.of("queue", "kind", "priority", "available_at", "id"),
                "pawl_job_waiting", List.of("state", "queue", "kind"),
                "pawl_job_running", List.of("lease_expires_at"),
                "pawl_job_marked", List.of("id"),
                "pawl_job_unique_key", List.of("kind", "unique_key"));
    }

    @Override
    public List<TableSize> sizes(Connection connection, Dialect dialect) throws SQLException {
        return TableSizes.read(connection, dialect.sql("""
                SELECT relname, n_live_tup AS live_rows, n_dead_tup AS dead_rows,
                       pg_table_size(relid) AS table_bytes, pg_indexes_size(relid) AS index_bytes,
                       CAST(NULL AS bigint) AS free_bytes
                  FROM pg_stat_user_tables
                 WHERE schemaname = (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                                      WHERE c.oid = to_regclass('pawl_job'))
                   AND starts_with(relname, ?)
                 ORDER BY pg_total_relation_size(relid) DESC"""), dialect.prefix());
    }

    @Override
    public OptionalLong lastId(Connection connection, Dialect dialect) throws SQLException {
        String last = text(connection, dialect.sql("""
                SELECT CASE WHEN has_sequence_privilege('pawl_job_ids', 'USAGE, SELECT')
                            THEN COALESCE(pg_sequence_last_value(CAST('pawl_job_ids' AS regclass)), 0) END"""));
        return last == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(last));
    }

    /**
     * A session that caches ids may use them long after workers have claimed jobs with larger ids. Until then it holds no lock, so a claim
     * cannot notice the cached ids.
     */
    @Override
    public void examineIds(Connection connection, Dialect dialect, Findings findings) throws SQLException {
        String ahead = text(
                connection,
                dialect.sql(
                        "SELECT seqcache FROM pg_sequence WHERE seqrelid = to_regclass('pawl_job_ids') AND seqcache > 1"));
        if (ahead != null) {
            findings.say(
                    Level.WARNING,
                    "ids",
                    "each session draws " + ahead
                            + " at a time, so new jobs may get ids that lie where no claim looks any more, and"
                            + " wait for ever, until the owner of the tables runs: "
                            + dialect.sql("ALTER SEQUENCE pawl_job_ids CACHE 1"));
        }
    }

    @Override
    public String continueIdsAfter(long id) {
        return "SELECT setval('pawl_job_ids', GREATEST(nextval('pawl_job_ids'), " + id + "))";
    }

    @Override
    public void examine(Connection connection, Findings findings) throws SQLException {
        String isolation = setting(connection, "default_transaction_isolation");
        findings.expect(
                "isolation",
                isolation,
                "read committed".equals(isolation),
                Level.ADVICE,
                "claims will meet serialization failures and be retried; use read committed for this pool");
        for (String safe : List.of("fsync", "full_page_writes")) {
            String value = setting(connection, safe);
            findings.expect(
                    safe, value, "on".equals(value), Level.WARNING, "a crash of the server can corrupt all data");
        }
        String commit = setting(connection, "synchronous_commit");
        findings.expect(
                "synchronous_commit",
                commit,
                !"off".equals(commit),
                Level.WARNING,
                "a crash of the server loses the last commits: enqueued jobs may vanish, finished ones run again");
        sessions(connection, findings);
        String autovacuum = setting(connection, "autovacuum");
        findings.expect(
                "autovacuum",
                autovacuum,
                "on".equals(autovacuum),
                Level.WARNING,
                "dead rows will slow the claims down");
        boolean unlogged = isUnlogged(connection);
        findings.expect(
                "live table",
                unlogged ? "unlogged" : "logged",
                !unlogged,
                Level.WARNING,
                "a crash of the server empties it and LOSES EVERY UNFINISHED JOB; 'pawl tune --unlogged no' fixes it");
        HistoryPartitions days = new HistoryPartitions(connection, dialect);
        String missing = days.exist() ? days.missingRights() : null;
        if (missing != null) {
            findings.say(Level.ADVICE, "history by day", missing);
        }
        findings.say(Level.OK, "backends", "oldest transaction " + text(connection, """
                SELECT COALESCE(MAX(EXTRACT(epoch FROM clock_timestamp() - xact_start))::bigint, 0) || ' s old'
                  FROM pg_stat_activity WHERE backend_xmin IS NOT NULL"""));
    }

    /** Settings of roles and pools that slow down or cancel Pawl's statements. */
    private static void sessions(Connection connection, Findings findings) throws SQLException {
        String readOnly = setting(connection, "default_transaction_read_only");
        if ("on".equals(readOnly)) {
            findings.say(
                    Level.WARNING,
                    "default_transaction_read_only",
                    "on: programs on this pool can read, but neither enqueue nor work");
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(SHORT_TIMEOUTS)) {
            while (rows.next()) {
                findings.say(
                        Level.ADVICE,
                        rows.getString(1),
                        rows.getString(2) + ": what takes longer is tried again in smaller parts, or fails; allow "
                                + SHORTEST_SECONDS + " s in this pool");
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(PLANNING)) {
            while (rows.next()) {
                findings.say(
                        Level.ADVICE,
                        rows.getString(1),
                        rows.getString(2)
                                + ": statements of Pawl may read whole tables for a few rows; leave it at its default"
                                + " in this pool");
            }
        }
    }

    private boolean isUnlogged(Connection connection) throws SQLException {
        String unlogged = new Catalog(connection, dialect).tree("pawl_job")
                + "SELECT 1 FROM tree JOIN pg_class USING (oid) WHERE relpersistence = 'u' LIMIT 1";
        return text(connection, unlogged) != null;
    }

    private static @Nullable String setting(Connection connection, String name) throws SQLException {
        return text(connection, "SELECT current_setting('" + name + "')");
    }
}
