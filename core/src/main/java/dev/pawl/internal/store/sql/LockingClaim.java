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
 *
 * <p>{@link #skipping} passes by rows that others have locked. {@link #waiting} stands in line for them, which keeps the
 * order strict; when it has waited, the rows that it gets may have been taken meanwhile, and the answer be empty while
 * there is work. So it looks again.
 */
public final class LockingClaim implements Claim {
    /** Whoever finds nothing so often in a row has met as many faster workers; the next poll will do. */
    private static final int LOOKS = 10;

    private final Database database;
    private final ReadyJobs ready;
    private final ReadyJobs look;
    private final int looks;

    private LockingClaim(Database database, String lock, int looks) {
        Dialect dialect = database.dialect();
        this.database = database;
        this.ready = new ReadyJobs(dialect, "id", dialect.readyTable(), lock);
        this.look = new ReadyJobs(dialect, "id", dialect.readyTable(), "");
        this.looks = looks;
    }

    /** {@return the claim that passes by rows that others have locked} */
    public static LockingClaim skipping(Database database) {
        return new LockingClaim(database, database.dialect().skipLocked(), 1);
    }

    /** {@return the claim that waits for rows that others have locked} */
    static LockingClaim waiting(Database database) {
        return new LockingClaim(database, database.dialect().forUpdate(), LOOKS);
    }

    @Override
    public List<ClaimedJob> claim(ClaimRequest request) throws SQLException {
        List<ClaimedJob> claimed = List.of();
        for (int looked = 0; looked < looks && claimed.isEmpty() && isWork(request); looked++) {
            claimed = database.transaction(connection -> claim(connection, request));
        }
        return claimed;
    }

    /** A plain look first: polling an empty queue must not open a writing transaction. */
    private boolean isWork(ClaimRequest request) throws SQLException {
        return database.autocommit(connection ->
                !look.read(connection, request, 1, row -> row.getLong(1)).isEmpty());
    }

    private List<ClaimedJob> claim(Connection connection, ClaimRequest request) throws SQLException {
        Dialect dialect = database.dialect();
        List<Long> ids = ready.read(connection, request, request.limit(), row -> row.getLong(1)).stream()
                .sorted()
                .toList();
        if (ids.isEmpty()) {
            return List.of();
        }
        String sql = dialect.sql(ClaimUpdate.SET.formatted(dialect.jobsById(), dialect.now(), dialect.nowPlusMicros())
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
