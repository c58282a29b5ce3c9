package dev.pawl.internal.admin;

import dev.pawl.admin.Finding;
import dev.pawl.admin.Finding.Level;
import dev.pawl.admin.StalledJob;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.SchemaName;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.StrategyChoice;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks the server's settings, the indexes, and the state of schedules, limits and workers, and reports problems. */
final class Doctor {
    /**
     * Columns that claims, renewals and settlements update. With an index on such a column, each update would also write the index, and
     * InnoDB might deadlock.
     */
    private static final Set<String> CHANGING = Set.of(
            "attempt", "lease_token", "leased_by", "started_at", "progress", "cancel_requested", "lease_expires_at");

    private static final int MAX_NAMED = 10;

    private final Connection connection;
    private final Dialect dialect;
    private final Findings findings = new Findings();

    private Doctor(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /**
     * State that was read before.
     *
     * @param unattended jobs that no live worker handles
     * @param stalled runs that take far too long
     * @param ofFeatures the findings of features
     * @param unsuited settings of the pool's sessions that do not suit our statements; null if all do
     */
    record Known(
            List<UnattendedJobs> unattended,
            List<StalledJob> stalled,
            List<Finding> ofFeatures,
            @Nullable String unsuited) {}

    /**
     * @param connection to read on
     * @param dialect the product
     * @param tables checks the product's own settings
     * @param choice the strategy that suits the database
     * @param known state that was read before
     * @return the findings
     */
    static List<Finding> examine(
            Connection connection, Dialect dialect, TableCare tables, StrategyChoice choice, Known known)
            throws SQLException {
        Doctor doctor = new Doctor(connection, dialect);
        doctor.findings.say(Level.OK, "database", dialect.server());
        doctor.findings.say(Level.OK, "strategy", choice.describe());
        tables.examine(connection, doctor.findings);
        doctor.indexes(tables.indexes());
        doctor.schema();
        doctor.paused();
        IdCounter.examine(connection, dialect, tables, doctor.findings);
        if (known.unsuited != null) {
            doctor.findings.say(
                    Level.ADVICE,
                    "sessions",
                    "the pool sets " + known.unsuited
                            + ", under which statements of Pawl would fail or miss rows. So each transaction of Pawl"
                            + " changes and restores the settings, which costs two statements: leave them at the"
                            + " server's defaults for this pool");
        }
        known.unattended.forEach(doctor::unattended);
        known.stalled.stream().limit(MAX_NAMED).forEach(doctor::stalled);
        known.ofFeatures.forEach(doctor.findings::add);
        return doctor.findings.all();
    }

    private void indexes(Map<String, List<String>> wanted) throws SQLException {
        Map<String, List<String>> found = found();
        found.forEach((index, columns) -> {
            if (!wanted.containsKey(index)) {
                columns.stream().filter(CHANGING::contains).forEach(column -> harmful(index, column));
            }
        });
        new TreeMap<>(wanted).forEach((usual, columns) -> {
            String name = dialect.name(usual);
            List<String> present = found.getOrDefault(usual, List.of());
            findings.expect(
                    "index " + name,
                    present.isEmpty() ? "missing" : "on (" + String.join(", ", present) + ")",
                    present.equals(columns),
                    Level.WARNING,
                    "create it " + (present.isEmpty() ? "" : "again ") + "on (" + String.join(", ", columns) + ")");
        });
    }

    private void harmful(String index, String column) {
        findings.say(
                Level.WARNING,
                "index " + dialect.name(index),
                "holds " + column + ", which every claim changes: slow, and on InnoDB it deadlocks; drop it");
    }

    /** The columns of each index, in order, by the name of the index, in which {@code pawl_} replaces the configured prefix. */
    private Map<String, List<String>> found() throws SQLException {
        Map<String, List<String>> found = new TreeMap<>();
        DatabaseMetaData meta = connection.getMetaData();
        String table = dialect.name("pawl_job");
        SchemaName schema = dialect.schema();
        String own = schema == null ? null : schema.name();
        boolean isCatalog = dialect.schemaIsCatalog();
        try (ResultSet rows = meta.getIndexInfo(
                isCatalog && own != null ? own : connection.getCatalog(),
                isCatalog || own == null ? connection.getSchema() : own,
                table,
                false,
                true)) {
            while (rows.next()) {
                String index = rows.getString("INDEX_NAME");
                String column = rows.getString("COLUMN_NAME");
                if (index != null && column != null) {
                    String usual = index.startsWith(dialect.prefix())
                            ? "pawl_" + index.substring(dialect.prefix().length())
                            : index;
                    found.computeIfAbsent(usual, name -> new ArrayList<>()).add(column);
                }
            }
        }
        return found;
    }

    private void unattended(UnattendedJobs jobs) {
        findings.say(
                Level.WARNING,
                "queue " + jobs.queue(),
                (jobs.isAtLeast() ? "at least " : "") + jobs.jobs() + " job(s) of kind " + jobs.kind()
                        + " wait, and no live worker handles them; start a worker with this queue and a handler for this kind");
    }

    private void stalled(StalledJob job) {
        findings.say(
                Level.WARNING,
                "job " + job.jobId(),
                "of kind " + job.kind() + " has been running for " + words(job.running())
                        + ", where others of its kind took " + words(job.usual())
                        + " at most; see 'pawl job " + job.jobId() + "' and the stack of its worker, or cancel it");
    }

    private static String words(Duration time) {
        return time.compareTo(Duration.ofMinutes(2)) > 0
                ? String.format(Locale.ROOT, "%,d min", time.toMinutes())
                : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }

    private void paused() throws SQLException {
        new Queues(dialect)
                .allPausedSince(connection)
                .ifPresent(since -> findings.say(
                        Level.WARNING,
                        "pause",
                        "all queues are paused since " + since + ", so no worker claims a job: pawl resume all"));
    }

    private void schema() throws SQLException {
        Sql version = dialect.statement("SELECT MAX(version) FROM pawl_schema");
        findings.say(Level.OK, "schema", "version " + version.on(connection).one(row -> row.getInt(1)) + place());
    }

    /**
     * Names the schema of the tables, because sessions of the pool may have another default schema, which is used when people read tables
     * by hand.
     */
    private String place() throws SQLException {
        SchemaName schema = dialect.schema();
        if (schema == null) {
            return "";
        }
        String what = dialect.schemaIsCatalog() ? "database " : "schema ";
        String current = dialect.schemaIsCatalog() ? connection.getCatalog() : connection.getSchema();
        return ", in the " + what + schema.name()
                + (schema.name().equals(current)
                        ? ""
                        : "; connections of this pool are in "
                                + (current == null || current.isEmpty() ? "none" : current)
                                + ", so name the " + what.strip() + " when you read tables by hand");
    }
}
