package dev.pawl.internal.database.mysql;

import dev.pawl.admin.Finding.Level;
import dev.pawl.admin.TableSize;
import dev.pawl.admin.Tuning;
import dev.pawl.api.SchemaException;
import dev.pawl.internal.admin.Findings;
import dev.pawl.internal.admin.TableCare;
import dev.pawl.internal.admin.TableSizes;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the variables of MySQL and MariaDB that matter to a queue. */
final class MySqlTables implements TableCare {
    private static final Pattern NEXT_ID = Pattern.compile("\\bAUTO_INCREMENT=(\\d+)");

    @Override
    public void tune(Connection connection, Tuning tuning) {
        throw new SchemaException("table tuning is supported on PostgreSQL only");
    }

    @Override
    public Map<String, List<String>> indexes() {
        return Map.of(
                "pawl_job_ready", List.of("state", "queue", "kind", "priority", "available_at"),
                "pawl_job_unique_key", List.of("kind", "unique_key"));
    }

    /** Reads the statistics of InnoDB, which are approximate. */
    @Override
    public List<TableSize> sizes(Connection connection, Dialect dialect) throws SQLException {
        return TableSizes.read(connection, dialect.sql("""
                SELECT table_name, table_rows AS live_rows, NULL AS dead_rows, data_length AS table_bytes,
                       index_length AS index_bytes, data_free AS free_bytes
                  FROM information_schema.tables
                 WHERE table_schema = DATABASE() AND LOCATE(?, table_name) = 1
                 ORDER BY data_length + index_length DESC"""), dialect.prefix());
    }

    /** Reads the counter from the table itself, because information_schema may be a day old on MySQL. */
    @Override
    public OptionalLong lastId(Connection connection, Dialect dialect) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(dialect.sql("SHOW CREATE TABLE " + JobIds.TABLE))) {
            Matcher next = NEXT_ID.matcher(row.next() ? row.getString(2) : "");
            return OptionalLong.of(next.find() ? Long.parseLong(next.group(1)) - 1 : 0);
        }
    }

    @Override
    public String continueIdsAfter(long id) {
        return "ALTER TABLE " + JobIds.TABLE + " AUTO_INCREMENT = " + (id + 1);
    }

    /** The server commits after each of these statements. */
    @Override
    public List<String> begin(long id, long byHand) {
        return List.of("ALTER TABLE pawl_job AUTO_INCREMENT = " + byHand, continueIdsAfter(id));
    }

    @Override
    public void examine(Connection connection, Findings findings) throws SQLException {
        Map<String, String> variables = variables(connection);
        String isolation = variables.getOrDefault("transaction_isolation", variables.get("tx_isolation"));
        findings.say(Level.OK, "isolation", isolation + " (Pawl uses READ COMMITTED in its own transactions)");
        String detect = variables.get("innodb_deadlock_detect");
        findings.expect(
                "innodb_deadlock_detect",
                detect,
                "ON".equals(detect),
                Level.WARNING,
                "a deadlock stalls until innodb_lock_wait_timeout; use the optimistic strategy, which cannot deadlock");
        String wait = variables.get("innodb_lock_wait_timeout");
        findings.expect(
                "innodb_lock_wait_timeout",
                wait,
                wait != null && Long.parseLong(wait) <= 50,
                Level.ADVICE,
                "a stuck transaction can hold up others that long");
        String flush = variables.get("innodb_flush_log_at_trx_commit");
        findings.expect(
                "innodb_flush_log_at_trx_commit",
                flush,
                "1".equals(flush),
                Level.WARNING,
                "a crash of the server loses the last second of commits");
        String snapshot = variables.get("innodb_snapshot_isolation");
        if (snapshot != null) {
            findings.say(
                    Level.OK,
                    "innodb_snapshot_isolation",
                    snapshot + " (it fails with 1020 in a transaction that read before it wrote; Pawl takes that as"
                            + " 'another was faster')");
        }
        if ("ON".equals(variables.get("wsrep_on"))) {
            findings.say(
                    Level.OK,
                    "cluster",
                    "Galera: row locks hold on one node only, so claims of jobs with a key, a limit or a delay may conflict if"
                            + " workers of several nodes make them at the same time; that is safe, and they are tried again");
        }
    }

    private static Map<String, String> variables(Connection connection) throws SQLException {
        Map<String, String> variables = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW GLOBAL VARIABLES")) {
            while (rows.next()) {
                variables.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
            }
        }
        return variables;
    }
}
