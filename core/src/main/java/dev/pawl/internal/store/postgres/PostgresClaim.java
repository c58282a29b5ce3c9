package dev.pawl.internal.store.postgres;

import static dev.pawl.internal.store.postgres.PostgresDialect.bindArray;
import static dev.pawl.internal.store.postgres.PostgresDialect.planned;

import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimedJob;
import dev.pawl.internal.store.sql.ClaimOrder;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sql.JobRows;
import dev.pawl.internal.store.sql.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The {@code skip-locked} claim: one statement, one round trip. */
final class PostgresClaim {
    private final Dialect dialect;
    private final String claim;

    PostgresClaim(Dialect dialect) {
        this.dialect = dialect;
        // 1. level walks from one priority in use to the next, one index probe each, so that jobs delayed at a small
        //    priority are not read on the way to ready jobs behind them.
        // 2. The ids are an array, made once: as a plain sub-select with LIMIT the planner may run it again and lock
        //    and claim more than the limit.
        claim = dialect.sql("""
                WITH RECURSIVE level (priority) AS (
                    (SELECT j.priority FROM pawl_job j WHERE j.state = 0 AND j.queue = ?
                      ORDER BY j.priority LIMIT 1)
                    UNION ALL
                    SELECT (SELECT j.priority FROM pawl_job j
                             WHERE j.state = 0 AND j.queue = ? AND j.priority > level.priority
                             ORDER BY j.priority LIMIT 1)
                      FROM level WHERE level.priority IS NOT NULL
                )
                UPDATE pawl_job
                   SET state = 1, attempt = attempt + 1, lease_token = lease_token + 1, leased_by = ?,
                       started_at = statement_timestamp(), progress = NULL,
                       lease_expires_at = statement_timestamp() + ? * interval '1 microsecond'
                 WHERE state = 0 AND id = ANY (ARRAY(
                    SELECT ready.id
                      FROM level, LATERAL (
                           SELECT j.id FROM pawl_job j
                            WHERE j.state = 0 AND j.queue = ? AND j.priority = level.priority
                              AND j.available_at <= statement_timestamp() AND j.kind = ANY (?)
                            ORDER BY j.available_at, j.id
                            LIMIT ? FOR UPDATE SKIP LOCKED) AS ready
                     WHERE level.priority IS NOT NULL
                       AND NOT EXISTS (SELECT 1 FROM pawl_queue q WHERE q.name = ? AND q.paused_at IS NOT NULL)
                     LIMIT ?))
                RETURNING\s""" + JobRows.LIVE);
    }

    List<ClaimedJob> claim(Connection connection, ClaimRequest request) throws SQLException {
        try (PreparedStatement statement = planned(connection, claim)) {
            statement.setString(1, request.queue());
            statement.setString(2, request.queue());
            statement.setLong(3, request.workerId());
            statement.setLong(4, Micros.of(request.lease()));
            statement.setString(5, request.queue());
            bindArray(statement, 6, "text", request.kinds(), Function.identity());
            statement.setInt(7, request.limit());
            statement.setString(8, request.queue());
            statement.setInt(9, request.limit());
            List<ClaimedJob> claimed = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    claimed.add(new ClaimedJob(JobRows.live(dialect, rows)));
                }
            }
            return ClaimOrder.sort(claimed);
        }
    }
}
