package dev.pawl.internal.database.postgres;

import dev.pawl.internal.claim.ClaimById;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.store.ClaimToken;

/**
 * The statements of {@link PostgresClaim}. All of them follow these rules:
 *
 * <ol>
 *   <li>{@code level} iterates over the priorities in use. Each step probes the index once for each kind, so delayed jobs of a smaller
 *       priority and jobs of other kinds are not read.
 *   <li>The outer test of the state is written so that the planner can use no index but the primary key, see {@link PostgresDialect#runs}.
 *   <li>The ids are collected into an array, because a plain sub-select with LIMIT may be executed several times, and would then lock and
 *       claim more jobs than the limit.
 * </ol>
 */
final class ClaimSql {
    private static final String SET = """
            UPDATE pawl_job
               SET state = 1, attempt = attempt + 1, leased_by = :worker,
                   prefetched = (:ahead OR attempt > 0 OR max_attempts = 1), started_at = statement_timestamp(), progress = NULL,
                   lease_expires_at = statement_timestamp() + :lease * interval '1 microsecond',
                   lease_token =\s""" + ClaimToken.sqlAfter(":drawn");

    private static final String UPDATE = SET + "\n WHERE state + 0 = 0 AND id = ANY (ARRAY(\n";

    private static final String RETURNING = "))\nRETURNING " + ClaimedRows.COLUMNS;

    private static final String NOT_PAUSED = QueuePause.isOpen(":queue");

    private static final String READY = "j.state = 0 AND j.queue = :queue AND j.available_at <= statement_timestamp() ";

    /** One kind, all priorities. */
    static final String ONE_KIND = """
            WITH RECURSIVE level (priority) AS (
                (SELECT j.priority FROM pawl_job j WHERE j.state = 0 AND j.queue = :queue AND j.kind = :kind
                    AND j.priority <= :most ORDER BY j.priority LIMIT 1)
                UNION ALL
                SELECT (SELECT j.priority FROM pawl_job j
                         WHERE j.state = 0 AND j.queue = :queue AND j.kind = :kind AND j.priority > level.priority
                           AND j.priority <= :most
                         ORDER BY j.priority LIMIT 1)
                  FROM level WHERE level.priority IS NOT NULL
            )
            """ + UPDATE + """
                SELECT ready.id
                  FROM level, LATERAL (
                       SELECT j.id FROM pawl_job j
                        WHERE\s""" + READY + """
                          AND j.kind = :kind AND j.priority = level.priority
                        ORDER BY j.available_at, j.id
                        LIMIT :limit FOR UPDATE SKIP LOCKED) AS ready
                 WHERE level.priority IS NOT NULL AND\s""" + NOT_PAUSED + " LIMIT :limit" + RETURNING;

    /** One kind, one priority, from a position on. */
    static final String ONE_KIND_FROM = UPDATE + """
                SELECT j.id FROM pawl_job j
                 WHERE\s""" + READY + """
                   AND j.kind = :kind AND j.priority = :priority AND j.available_at >= :from
                   AND\s""" + NOT_PAUSED + """
                 ORDER BY j.available_at, j.id
                 LIMIT :limit FOR UPDATE OF j SKIP LOCKED""" + RETURNING;

    private static final String EVERY_LEVEL = """
            level (priority) AS (
                (SELECT MIN(step.priority)
                   FROM unnest(:kinds::text[]) AS known (kind), LATERAL (
                        SELECT j.priority FROM pawl_job j
                         WHERE j.state = 0 AND j.queue = :queue AND j.kind = known.kind
                           AND j.priority <= :most
                         ORDER BY j.priority LIMIT 1) AS step)
                UNION ALL
                SELECT (SELECT MIN(step.priority)
                          FROM unnest(:kinds::text[]) AS known (kind), LATERAL (
                               SELECT j.priority FROM pawl_job j
                                WHERE j.state = 0 AND j.queue = :queue AND j.kind = known.kind
                                  AND j.priority > level.priority AND j.priority <= :most
                                ORDER BY j.priority LIMIT 1) AS step)
                  FROM level WHERE level.priority IS NOT NULL
            )""";

    private static final String ONE_LEVEL = "level (priority) AS (SELECT CAST(:priority AS smallint))";

    /**
     * Several kinds: {@code head} merges the oldest jobs of each kind without locks, {@code share} counts them by kind, and that many of
     * each kind are locked. So no more rows are locked than claimed, and a claim that finds the first rows of a kind locked moves on within
     * that kind. The first column, in at least one row, is the number of jobs in {@code head}: if fewer were claimed, other workers were
     * faster.
     */
    private static String shares(String level, String from) {
        return "WITH RECURSIVE " + level + """
                , head AS MATERIALIZED (
                    SELECT level.priority, oldest.kind
                      FROM level, LATERAL (
                           SELECT known.kind, ready.available_at, ready.id
                             FROM unnest(:kinds::text[]) AS known (kind), LATERAL (
                                  SELECT j.available_at, j.id FROM pawl_job j
                                   WHERE\s""" + READY + from + """
                                     AND j.kind = known.kind AND j.priority = level.priority
                                   ORDER BY j.available_at, j.id LIMIT :limit) AS ready
                            ORDER BY ready.available_at, ready.id LIMIT :limit) AS oldest
                     WHERE level.priority IS NOT NULL AND\s""" + NOT_PAUSED + """
                     LIMIT :limit
                ), share AS MATERIALIZED (
                    SELECT priority, kind, COUNT(*) AS jobs FROM head GROUP BY priority, kind
                ), claimed AS (
                """ + UPDATE + """
                    SELECT ready.id
                      FROM share, LATERAL (
                           SELECT j.id FROM pawl_job j
                            WHERE\s""" + READY + from
                + """
                              AND j.kind = share.kind AND j.priority = share.priority
                            ORDER BY j.available_at, j.id
                            LIMIT share.jobs FOR UPDATE SKIP LOCKED) AS ready""" + RETURNING + """
                )
                SELECT seen.jobs, claimed.* FROM (SELECT COUNT(*) AS jobs FROM head) AS seen LEFT JOIN claimed ON true
                """;
    }

    /** Several kinds, all priorities. */
    static final String KINDS = shares(EVERY_LEVEL, "");

    /** Several kinds, one priority, from a position on. */
    static final String KINDS_FROM = shares(ONE_LEVEL, "AND j.available_at >= :from ");

    /** All jobs of several kinds, one kind after the other, that are not locked. */
    static final String ANY =
            "WITH RECURSIVE " + EVERY_LEVEL + UPDATE + """
                SELECT ready.id
                  FROM level, LATERAL (
                       SELECT free.id
                         FROM unnest(:kinds::text[]) AS known (kind), LATERAL (
                              SELECT j.id FROM pawl_job j
                               WHERE\s""" + READY + """
                                 AND j.kind = known.kind AND j.priority = level.priority
                               ORDER BY j.available_at, j.id
                               LIMIT :limit FOR UPDATE SKIP LOCKED) AS free
                        LIMIT :limit) AS ready
                 WHERE level.priority IS NOT NULL AND\s""" + NOT_PAUSED + " LIMIT :limit" + RETURNING;

    /**
     * Claims blocked jobs by id, except those whose rows another transaction has locked since they were written (see {@link
     * PostgresComplete}). Skips a job that was run early and waits for a retry.
     */
    static String byId(Dialect dialect) {
        return SET + ", available_at = statement_timestamp() WHERE " + ClaimById.mayBegin(dialect) + """

               AND COALESCE(queue, '') = :queue AND (xmax = xmin OR xmax = 0)
               AND kind = ANY (:kinds::text[]) AND id = ANY (ARRAY(
                   SELECT unnest(:ids::bigint[]) FROM (SELECT set_config('lock_timeout', '500', true)) AS patience))
               AND\s""" + NOT_PAUSED
                + "\nRETURNING " + ClaimedRows.COLUMNS;
    }

    private ClaimSql() {}
}
