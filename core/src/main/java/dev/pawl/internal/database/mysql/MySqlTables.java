package dev.pawl.internal.database.mysql;

import dev.pawl.SchemaException;
import dev.pawl.admin.Finding.Level;
import dev.pawl.admin.Tuning;
import dev.pawl.internal.admin.Findings;
import dev.pawl.internal.admin.TableCare;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The variables of MySQL and MariaDB that matter to a queue. */
final class MySqlTables implements TableCare {
    @Override
    public void tune(Connection connection, Tuning tuning) {
        throw new SchemaException("these options of tables are PostgreSQL's; there are none for MySQL and MariaDB");
    }

    @Override
    public Map<String, List<String>> indexes() {
        return Map.of(
                "pawl_job_ready", List.of("state", "queue", "kind", "priority", "available_at"),
                "pawl_job_unique_key", List.of("kind", "unique_key"));
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
                    Level.ADVICE,
                    "cluster",
                    "Galera: row locks hold on one node only; let all workers use one node, or the optimistic strategy");
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
