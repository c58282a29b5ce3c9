package dev.pawl.internal.store.postgres;

import static dev.pawl.internal.store.postgres.PostgresDialect.bindArray;
import static dev.pawl.internal.store.postgres.PostgresDialect.planned;

import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.sql.CompleteAll;
import dev.pawl.internal.store.sql.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Completes a batch in one statement: delete under the fence, and append what was deleted to the history. */
final class PostgresComplete implements CompleteAll {
    private final String complete;

    PostgresComplete(Dialect dialect, boolean keepHistory) {
        // A join with unnest would read the whole table: the planner believes that to be cheaper than a thousand
        // probes.
        // IS TRUE keeps the test of the tokens a hash lookup for each row that the primary key has found.
        String delete = """
                DELETE FROM pawl_job j
                 WHERE %s AND j.%s
                   AND ((j.id, j.lease_token) IN (SELECT * FROM unnest(?::bigint[], ?::bigint[]))) IS TRUE
                """.formatted(dialect.anyOf("j.id", 1), dialect.runs());
        complete = dialect.sql(
                keepHistory
                        ? "WITH done AS (" + delete + " RETURNING j.*)" + """
                                , kept AS (
                                    INSERT INTO pawl_job_history
                                        (id, lease_token, leased_by, created_at, available_at, started_at, finished_at,
                                         state, priority, attempt, max_attempts, progress, queue, kind, unique_key,
                                         tags, payload)
                                    SELECT id, lease_token, leased_by, created_at, available_at, started_at,
                                           statement_timestamp(), 2, priority, attempt, max_attempts, progress, queue,
                                           kind, unique_key, tags, payload
                                      FROM done)
                                SELECT id, lease_token FROM done
                                """
                        : delete + " RETURNING j.id, j.lease_token");
    }

    @Override
    public Set<Lease> completeAll(Connection connection, List<Lease> leases) throws SQLException {
        try (PreparedStatement statement = planned(connection, complete)) {
            bindArray(statement, 1, "bigint", leases, Lease::jobId);
            bindArray(statement, 2, "bigint", leases, Lease::jobId);
            bindArray(statement, 3, "bigint", leases, Lease::token);
            Set<Lease> accepted = new HashSet<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    accepted.add(new Lease(rows.getLong(1), rows.getLong(2)));
                }
            }
            return accepted;
        }
    }
}
