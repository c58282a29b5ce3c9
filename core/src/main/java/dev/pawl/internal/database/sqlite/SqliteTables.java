package dev.pawl.internal.database.sqlite;

import static dev.pawl.internal.admin.Findings.text;

import dev.pawl.admin.Finding.Level;
import dev.pawl.admin.TableSize;
import dev.pawl.admin.Tuning;
import dev.pawl.api.SchemaException;
import dev.pawl.internal.admin.Findings;
import dev.pawl.internal.admin.TableCare;
import dev.pawl.internal.admin.TableSizes;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** SQLite's table maintenance: sizes, ids, and checks of relevant pragmas. */
final class SqliteTables implements TableCare {
    private static final long LARGEST_READ = 32L << 20;

    @Override
    public void tune(Connection connection, Tuning tuning) {
        throw new SchemaException("table tuning is supported on PostgreSQL only");
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

    /** Only reading all pages gives the size of each table, so a large file is reported as a whole. */
    @Override
    public List<TableSize> sizes(Connection connection, Dialect dialect) throws SQLException {
        long page = number(connection, "PRAGMA page_size");
        long bytes = page * number(connection, "PRAGMA page_count");
        List<TableSize> sizes = new ArrayList<>();
        sizes.add(new TableSize("file", null, null, bytes, null, page * number(connection, "PRAGMA freelist_count")));
        if (bytes <= LARGEST_READ) {
            sizes.addAll(TableSizes.read(connection, """
                    SELECT m.tbl_name, NULL AS live_rows, NULL AS dead_rows,
                           SUM(CASE WHEN m.type = 'table' THEN d.pgsize ELSE 0 END) AS table_bytes,
                           SUM(CASE WHEN m.type = 'index' THEN d.pgsize ELSE 0 END) AS index_bytes,
                           SUM(d.unused) AS free_bytes
                      FROM dbstat d JOIN sqlite_master m ON m.name = d.name
                     WHERE d.aggregate = TRUE AND INSTR(m.tbl_name, ?) = 1
                     GROUP BY m.tbl_name ORDER BY SUM(d.pgsize) DESC""", dialect.prefix()));
        }
        return sizes;
    }

    private static long number(Connection connection, String sql) throws SQLException {
        String number = text(connection, sql);
        return number == null ? 0 : Long.parseLong(number);
    }

    @Override
    public OptionalLong lastId(Connection connection, Dialect dialect) throws SQLException {
        String last = text(connection, dialect.sql("SELECT seq FROM sqlite_sequence WHERE name = 'pawl_job'"));
        return OptionalLong.of(last == null ? 0 : Long.parseLong(last));
    }

    @Override
    public String continueIdsAfter(long id) {
        return "UPDATE sqlite_sequence SET seq = " + id + " WHERE name = 'pawl_job' AND seq < " + id;
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
                "a power failure may lose recent commits; use FULL (2)");
        String busy = text(connection, "PRAGMA busy_timeout");
        findings.expect(
                "busy_timeout",
                busy + " ms",
                busy != null && Long.parseLong(busy) >= 1000,
                Level.ADVICE,
                "writers of other processes give up early; set at least 1000");
    }
}
