package dev.pawl.internal.database.postgres;

import static dev.pawl.internal.database.postgres.PostgresDialect.bindArray;
import static dev.pawl.internal.database.postgres.PostgresDialect.plannedAnew;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.settle.CompleteAll;
import dev.pawl.internal.settle.FencedRow;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Completes a batch in one statement, which deletes the rows whose lease tokens match, and appends the deleted rows to the history.
 *
 * <p>A DELETE waits for rows that other transactions have locked, and locking all rows first with SKIP LOCKED costs about 5 %. But a row
 * records its last lock: {@code xmax} is zero, or the transaction that wrote the row, unless another transaction has locked it since. So
 * the first statement deletes the rows that are unchanged since the claim or the renewal, which are nearly all. Only the remaining rows are
 * locked first. If a row is locked between the test and the delete, the statement waits for the lock for half a second at most. If it fails
 * after that, the retry of the transaction finds the lock by the test.
 */
final class PostgresComplete implements CompleteAll {
    // With a join with unnest, the planner would read the whole table, because it estimates that as cheaper than a
    // thousand probes. Because of IS TRUE, the tokens are tested by a hash lookup for each row that was found by the
    // primary key.
    private static final String OURS =
            " AND ((j.id, j.lease_token) IN (SELECT * FROM unnest(?::bigint[], ?::bigint[])))" + " IS TRUE";

    private static final String UNTOUCHED = " AND (j.xmax = j.xmin OR j.xmax = 0)";
    private static final String UNLOCKED_IDS =
            "SELECT unnest(?::bigint[]) FROM (SELECT set_config('lock_timeout', '500', true)) AS patience";

    /** Only these columns are returned, because the server keeps a copy of all returned values until the statement ends. */
    private static final String KEPT = """
            id, lease_token, leased_by, created_at, available_at, started_at, expires_at, batch_id, cost, priority, attempt, \
            max_attempts, progress, queue, kind, unique_key, unindexed_key, job_key, tags, headers, payload""";

    private final Dialect dialect;
    private final KeptStates kept;
    private final Statements keeping;
    private final Statements deleting;

    private record Statements(String untouched, String unlocked, Sql own) {}

    PostgresComplete(Dialect dialect, KeptStates kept) {
        this.dialect = dialect;
        this.kept = kept;
        this.keeping = statements(true);
        this.deleting = statements(false);
    }

    private Statements statements(boolean keepHistory) {
        String any = dialect.anyOf("j.id", 1);
        String runs = " AND j." + dialect.runs();
        return new Statements(
                dialect.sql(
                        complete("j.id = ANY (ARRAY(" + UNLOCKED_IDS + "))" + runs + OURS + UNTOUCHED, keepHistory)),
                dialect.sql(complete(
                        "j.id = ANY (ARRAY(SELECT j.id FROM pawl_job j WHERE " + any + runs + OURS
                                + " ORDER BY j.id FOR UPDATE SKIP LOCKED))",
                        keepHistory)),
                dialect.statement(complete(
                        "j.id = ? AND j.lease_token = ?" + runs + " AND " + dialect.keepsPlan(), keepHistory)));
    }

    private static String complete(String which, boolean keepHistory) {
        String delete = "DELETE FROM pawl_job j WHERE " + which;
        return keepHistory
                ? "WITH done AS (" + delete + " RETURNING " + KEPT + ")" + """
                        , kept AS (
                            INSERT INTO pawl_job_history (%1$s, finished_at, state)
                            SELECT %1$s, statement_timestamp(), 2 FROM done)
                        SELECT id, lease_token FROM done
                        """.formatted(KEPT)
                : delete + " RETURNING j.id, j.lease_token";
    }

    @Override
    public Settled completeAll(Connection connection, List<Lease> leases) throws SQLException {
        Statements statements = statements(connection);
        Set<Lease> accepted = complete(connection, statements.untouched, leases);
        List<Lease> rest = without(leases, accepted);
        if (rest.isEmpty()) {
            return new Settled(accepted, Set.of());
        }
        accepted.addAll(complete(connection, statements.unlocked, rest));
        return new Settled(accepted, FencedRow.valid(connection, dialect, without(rest, accepted)));
    }

    /**
     * Uses a cached plan, because this statement runs for each job whose handler has a transaction, and planning it takes longer than
     * running it.
     */
    @Override
    public boolean completeOwn(Connection connection, Lease lease) throws SQLException {
        return statements(connection)
                .own
                .on(connection, lease.jobId(), lease.token(), dialect.planAge())
                .exists();
    }

    private Statements statements(Connection connection) throws SQLException {
        return kept.keeps(connection, JobState.COMPLETED) ? keeping : deleting;
    }

    private static List<Lease> without(List<Lease> leases, Set<Lease> accepted) {
        return leases.stream().filter(lease -> !accepted.contains(lease)).toList();
    }

    private static Set<Lease> complete(Connection connection, String sql, List<Lease> leases) throws SQLException {
        try (PreparedStatement statement = plannedAnew(connection, sql)) {
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
