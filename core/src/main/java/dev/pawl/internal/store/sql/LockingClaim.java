package dev.pawl.internal.store.sql;

import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimedJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The claim where an update cannot answer rows: lock the ready rows, then update them by id, in one transaction. The
 * update is conditional all the same, because on a cluster a row lock may hold on one node only.
 */
public final class LockingClaim implements Claim {
    private final Database database;
    private final ReadyJobs ready;
    private final ReadyJobs look;

    /**
     * @param database the pool and the dialect
     * @param table {@code pawl_job}, perhaps with a hint which index to use
     */
    public LockingClaim(Database database, String table) {
        this.database = database;
        this.ready = new ReadyJobs(
                database.dialect(), "id", table, database.dialect().skipLocked());
        this.look = new ReadyJobs(database.dialect(), "id", table, "");
    }

    @Override
    public List<ClaimedJob> claim(ClaimRequest request) throws SQLException {
        // A plain look first: polling an empty queue must not open a writing transaction.
        boolean any = database.autocommit(connection ->
                !look.read(connection, request, 1, row -> row.getLong(1)).isEmpty());
        return any ? database.transaction(connection -> claim(connection, request)) : List.of();
    }

    private List<ClaimedJob> claim(Connection connection, ClaimRequest request) throws SQLException {
        Dialect dialect = database.dialect();
        List<Long> ids = ready.read(connection, request, request.limit(), row -> row.getLong(1)).stream()
                .sorted()
                .toList();
        if (ids.isEmpty()) {
            return List.of();
        }
        String sql = dialect.sql(ClaimUpdate.SET.formatted(dialect.now(), dialect.nowPlusMicros())
                + " WHERE state = 0 AND " + dialect.anyOf("id", ids.size()));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, request.workerId());
            statement.setLong(2, Micros.of(request.lease()));
            dialect.bindIds(statement, 3, ids);
            int claimed = statement.executeUpdate();
            if (claimed != ids.size()) {
                throw new SQLException(
                        "claimed " + claimed + " of " + ids.size() + " locked jobs: another node was faster", "40001");
            }
        }
        return ClaimUpdate.claimed(connection, dialect, ids);
    }
}
