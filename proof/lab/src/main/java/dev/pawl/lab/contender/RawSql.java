package dev.pawl.lab.contender;

import java.util.List;

/**
 * The statements of a handwritten queue: one table, one index, claim a batch of rows and delete them. Optimised for speed alone, without
 * expiring leases, retries, history or a fence.
 *
 * @param table its table
 * @param create the table and its index
 * @param columns the columns of a multi-row INSERT
 * @param values the values of one row of that INSERT
 * @param select the ids and payloads of a batch, locked
 * @param update marks the batch as claimed; the list of ids follows it
 */
record RawSql(String table, List<String> create, String columns, String values, String select, String update) {
    private static final String COLUMNS = "(state, priority, run_at, queue, payload)";

    static RawSql of(String product) {
        return switch (product) {
            case "postgresql" ->
                new RawSql(
                        "raw_job",
                        List.of("""
                        CREATE TABLE raw_job (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state smallint NOT NULL,
                            priority smallint NOT NULL, run_at timestamptz NOT NULL, lease_until timestamptz,
                            queue text NOT NULL, payload text NOT NULL)
                        """, "CREATE INDEX raw_ready ON raw_job (queue, priority, run_at, id) WHERE state = 0"),
                        COLUMNS,
                        "(0, 0, now(), 'default', ?)",
                        // On PostgreSQL one statement claims and returns the jobs.
                        """
                    UPDATE raw_job SET state = 1, lease_until = now() + interval '20 s'
                     WHERE id = ANY (ARRAY(SELECT id FROM raw_job WHERE state = 0 AND queue = 'default'
                            AND run_at <= now() ORDER BY priority, run_at, id LIMIT ? FOR UPDATE SKIP LOCKED))
                    RETURNING id, payload
                    """,
                        "");
            case "sqlite" ->
                new RawSql(
                        "raw_job",
                        List.of(
                                "PRAGMA journal_mode = WAL",
                                """
                        CREATE TABLE raw_job (id integer PRIMARY KEY AUTOINCREMENT, state int NOT NULL,
                            priority int NOT NULL, run_at int NOT NULL, lease_until int, queue text NOT NULL,
                            payload text NOT NULL)
                        """,
                                "CREATE INDEX raw_ready ON raw_job (queue, priority, run_at, id) WHERE state = 0"),
                        COLUMNS,
                        "(0, 0, unixepoch(), 'default', ?)",
                        """
                    UPDATE raw_job SET state = 1, lease_until = unixepoch() + 20
                     WHERE id IN (SELECT id FROM raw_job WHERE state = 0 AND queue = 'default'
                            AND run_at <= unixepoch() ORDER BY priority, run_at, id LIMIT ?)
                    RETURNING id, payload
                    """,
                        "");
            default ->
                new RawSql(
                        "raw_job",
                        List.of("""
                        CREATE TABLE raw_job (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, state smallint NOT NULL,
                            priority smallint NOT NULL, run_at datetime(6) NOT NULL, lease_until datetime(6),
                            queue varchar(100) NOT NULL, payload text NOT NULL,
                            KEY raw_ready (state, queue, priority, run_at))
                        """),
                        COLUMNS,
                        "(0, 0, UTC_TIMESTAMP(6), 'default', ?)",
                        """
                    SELECT id, payload FROM raw_job FORCE INDEX (raw_ready) WHERE state = 0 AND queue = 'default'
                       AND priority = 0 AND run_at <= UTC_TIMESTAMP(6) ORDER BY run_at, id LIMIT ?
                       FOR UPDATE SKIP LOCKED
                    """,
                        "UPDATE raw_job SET state = 1, lease_until = UTC_TIMESTAMP(6) + INTERVAL 20 SECOND WHERE id IN ");
        };
    }

    /** The same over Pawl's own table, with its columns, constraints and indexes. Shows what Pawl costs apart from its schema. */
    static RawSql ofPawlTable(String product) {
        String columns = "(available_at, created_at, max_attempts, queue, kind, payload)";
        String claim =
                " SET state = 1, attempt = attempt + 1, lease_token = lease_token + 1, leased_by = 1, started_at = ";
        return switch (product) {
            case "postgresql" ->
                new RawSql(
                        "raw_pawl_job",
                        List.of(),
                        columns,
                        "(now(), now(), 25, 'default', 'work', ?)",
                        "UPDATE raw_pawl_job" + claim + """
                    now(), lease_expires_at = now() + interval '20 s'
                     WHERE id = ANY (ARRAY(SELECT id FROM raw_pawl_job WHERE state = 0 AND queue = 'default' AND kind = 'work'
                            AND available_at <= now() ORDER BY priority, available_at, id LIMIT ?
                            FOR UPDATE SKIP LOCKED))
                    RETURNING id, payload
                    """,
                        "");
            case "sqlite" ->
                new RawSql(
                        "raw_pawl_job",
                        List.of(),
                        columns,
                        "(unixepoch(), unixepoch(), 25, 'default', 'work', ?)",
                        "UPDATE raw_pawl_job" + claim + """
                    unixepoch(), lease_expires_at = unixepoch() + 20
                     WHERE id IN (SELECT id FROM raw_pawl_job WHERE state = 0 AND queue = 'default' AND kind = 'work'
                            AND available_at <= unixepoch() ORDER BY priority, available_at, id LIMIT ?)
                    RETURNING id, payload
                    """,
                        "");
            default ->
                new RawSql(
                        "raw_pawl_job",
                        List.of(),
                        columns,
                        "(UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), 25, 'default', 'work', ?)",
                        """
                    SELECT id, payload FROM raw_pawl_job FORCE INDEX (raw_pawl_job_ready) WHERE state = 0
                       AND queue = 'default' AND kind = 'work' AND priority = 0 AND available_at <= UTC_TIMESTAMP(6)
                     ORDER BY available_at, id LIMIT ? FOR UPDATE SKIP LOCKED
                    """,
                        "UPDATE raw_pawl_job" + claim + """
                    UTC_TIMESTAMP(6), lease_expires_at = UTC_TIMESTAMP(6) + INTERVAL 20 SECOND
                     WHERE id IN\s""");
        };
    }
}
