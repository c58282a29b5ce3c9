package dev.pawl.internal.database.postgres;

import static dev.pawl.internal.admin.Findings.text;

import dev.pawl.admin.Finding.Level;
import dev.pawl.admin.Tuning;
import dev.pawl.internal.admin.Findings;
import dev.pawl.internal.admin.TableCare;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of PostgreSQL that matter to a queue, and the forms its tables can have. */
final class PostgresTables implements TableCare {
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
                "pawl_job_running", List.of("lease_expires_at"),
                "pawl_job_marked", List.of("id"),
                "pawl_job_unique_key", List.of("kind", "unique_key"));
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

    private boolean isUnlogged(Connection connection) throws SQLException {
        String unlogged = new Catalog(connection, dialect).tree("pawl_job")
                + "SELECT 1 FROM tree JOIN pg_class USING (oid) WHERE relpersistence = 'u' LIMIT 1";
        return text(connection, unlogged) != null;
    }

    private static @Nullable String setting(Connection connection, String name) throws SQLException {
        return text(connection, "SELECT current_setting('" + name + "')");
    }
}
