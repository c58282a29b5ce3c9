package dev.pawl.internal.database.sqlite;

import static dev.pawl.internal.admin.Findings.text;

import dev.pawl.SchemaException;
import dev.pawl.admin.Finding.Level;
import dev.pawl.admin.Tuning;
import dev.pawl.internal.admin.Findings;
import dev.pawl.internal.admin.TableCare;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The pragmas of SQLite that matter to a queue. */
final class SqliteTables implements TableCare {
    @Override
    public void tune(Connection connection, Tuning tuning) {
        throw new SchemaException("these options of tables are PostgreSQL's; there are none for SQLite");
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
        String journal = text(connection, "PRAGMA journal_mode");
        findings.expect(
                "journal_mode",
                journal,
                "wal".equalsIgnoreCase(journal),
                Level.ADVICE,
                "readers and the writer block each other; run 'PRAGMA journal_mode = WAL' once");
        String synchronous = text(connection, "PRAGMA synchronous");
        findings.expect(
                "synchronous",
                synchronous,
                synchronous != null && !synchronous.equals("0") && !synchronous.equals("1"),
                Level.ADVICE,
                "a power failure may lose the last commits; FULL (2) does not");
        String busy = text(connection, "PRAGMA busy_timeout");
        findings.expect(
                "busy_timeout",
                busy + " ms",
                busy != null && Long.parseLong(busy) >= 1000,
                Level.ADVICE,
                "writers of other processes give up early; set at least 3000");
    }
}
