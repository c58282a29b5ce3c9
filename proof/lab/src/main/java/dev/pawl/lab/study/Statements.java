package dev.pawl.lab.study;

import java.util.ArrayList;
import java.util.List;

/**
 * The historical schema and statements in each database's dialect: identical to the study's, column for column, with the
 * worker's clock in whole seconds.
 */
public final class Statements {
    private static final String CLAIMABLE =
            "queue = ? AND ((reserved_at IS NULL AND available_at <= ?) OR (reserved_at <= ?))";

    private final String product;
    private final Design design;

    /**
     * @param product postgresql, mysql (MariaDB too) or sqlite
     * @param design the design to reproduce
     */
    public Statements(String product, Design design) {
        this.product = product;
        this.design = design;
    }

    /** {@return the statements that recreate the table} */
    public List<String> create() {
        List<String> statements = new ArrayList<>(List.of("DROP TABLE IF EXISTS jobs", table()));
        switch (design.reading().index()) {
            case QUEUE -> statements.add("CREATE INDEX jobs_queue_index ON jobs (queue)");
            case LEGACY_54 -> statements.add("CREATE INDEX jobs_queue_reserved_at_index ON jobs (queue, reserved_at)");
            case NONE -> {}
        }
        return statements;
    }

    /** In the study, pessimistic and optimistic queues have separate tables, which differ in one column. */
    private String table() {
        boolean hasStatistics = design.reading().analyzed();
        return switch (product) {
            case "postgresql" ->
                """
                    CREATE TABLE jobs (
                      id bigserial PRIMARY KEY,
                      queue varchar(255) NOT NULL,
                      payload text NOT NULL,
                      attempts smallint NOT NULL,
                      reserved_at integer NULL,
                      available_at integer NOT NULL,
                      created_at integer NOT NULL,
                      %s)%s""".formatted(
                                design.optimistic()
                                        ? "version integer NOT NULL DEFAULT 0"
                                        : "delete_mark smallint NOT NULL DEFAULT 0",
                                hasStatistics ? "" : " WITH (autovacuum_enabled = false)");
            case "mysql" ->
                """
                    CREATE TABLE jobs (
                      id bigint unsigned NOT NULL AUTO_INCREMENT,
                      queue varchar(255) COLLATE utf8mb4_unicode_ci NOT NULL,
                      payload longtext COLLATE utf8mb4_unicode_ci NOT NULL,
                      attempts tinyint unsigned NOT NULL,
                      reserved_at int unsigned DEFAULT NULL,
                      available_at int unsigned NOT NULL,
                      created_at int unsigned NOT NULL,
                      %s,
                      PRIMARY KEY (id)
                    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci%s""".formatted(
                                design.optimistic()
                                        ? "version int unsigned NOT NULL DEFAULT 0"
                                        : "delete_mark tinyint(1) NOT NULL DEFAULT 0",
                                hasStatistics ? "" : " STATS_AUTO_RECALC=0");
            default ->
                """
                    CREATE TABLE jobs (
                      id integer PRIMARY KEY AUTOINCREMENT,
                      queue varchar NOT NULL,
                      payload text NOT NULL,
                      attempts integer NOT NULL,
                      reserved_at integer NULL,
                      available_at integer NOT NULL,
                      created_at integer NOT NULL,
                      %s)""".formatted(
                                design.optimistic()
                                        ? "version integer NOT NULL DEFAULT 0"
                                        : "delete_mark integer NOT NULL DEFAULT 0");
        };
    }

    /** {@return the insert of one job; parameters: payload, when it is available, now} */
    public String insert() {
        return "INSERT INTO jobs (queue, payload, attempts, available_at, created_at) VALUES ('default', ?, 0, ?, ?)";
    }

    /** {@return the statement that makes all jobs available} */
    public String release() {
        return "UPDATE jobs SET available_at = 0";
    }

    /** {@return the statement that computes the table's statistics} */
    public String analyze() {
        return product.equals("mysql") ? "ANALYZE TABLE jobs" : "ANALYZE jobs";
    }

    /** {@return the query of the next jobs; parameters: queue, now, the latest start time of an expired reservation} */
    public String select() {
        String lock = design.optimistic() || product.equals("sqlite")
                ? ""
                : design.skipLocked() ? " FOR UPDATE SKIP LOCKED" : " FOR UPDATE";
        return "SELECT * FROM jobs" + forcedIndex() + " WHERE " + CLAIMABLE + " ORDER BY id ASC LIMIT "
                + design.window() + lock;
    }

    /** Newer servers may use the primary key for ORDER BY id, which hides the study's observations. */
    private String forcedIndex() {
        if (!product.equals("mysql") || !design.reading().forced()) {
            return "";
        }
        return switch (design.reading().index()) {
            case QUEUE -> " FORCE INDEX (jobs_queue_index)";
            case LEGACY_54 -> " FORCE INDEX (jobs_queue_reserved_at_index)";
            case NONE -> "";
        };
    }

    /** {@return the update that reserves; parameters: now, the id, and for an optimistic design the version} */
    public String reserve() {
        return design.optimistic()
                ? "UPDATE jobs SET reserved_at = ?, attempts = attempts + 1, version = version + 1 WHERE id = ?"
                        + " AND version = ?"
                : "UPDATE jobs SET reserved_at = ?, attempts = attempts + 1 WHERE id = ?";
    }

    /** {@return the update that marks a finished job} */
    public String mark() {
        return "UPDATE jobs SET delete_mark = 1 WHERE id = ?";
    }

    /** {@return the query before the delete} */
    public String fetch() {
        return "SELECT * FROM jobs WHERE id = ?" + (product.equals("sqlite") ? "" : " FOR UPDATE");
    }

    /** {@return the delete} */
    public String delete() {
        return "DELETE FROM jobs WHERE id = ?";
    }
}
