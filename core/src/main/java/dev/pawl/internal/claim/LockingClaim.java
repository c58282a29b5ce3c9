package dev.pawl.internal.claim;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimToken;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The claim for databases whose UPDATE cannot return rows: locks the ready rows, then updates them by id, in one transaction. The update is
 * conditional nevertheless, because on a cluster a row lock may hold on one node only.
 *
 * <p>{@link #skipping} skips rows that other transactions have locked. {@link #waiting} waits for them, which keeps the order strict; but
 * its rows may be taken during the wait, which leaves the result empty although there are jobs, so it tries again.
 */
public final class LockingClaim implements Claim {
    /** After this many empty results, other workers were faster each time, and the claim can wait for the next poll. */
    private static final int TRIES = 10;

    private final Database database;
    private final ReadyJobs ready;
    private final ReadyJobs probe;
    private final int tries;

    private LockingClaim(Database database, String lock, int tries) {
        Dialect dialect = database.dialect();
        this.database = database;
        this.ready = new ReadyJobs(dialect, "id, lease_token", dialect.readyTable(), lock);
        this.probe = new ReadyJobs(dialect, "id", dialect.readyTable(), "");
        this.tries = tries;
    }

    /** {@return the claim that skips locked rows} */
    public static LockingClaim skipping(Database database) {
        return new LockingClaim(database, database.dialect().skipLocked(), 1);
    }

    /** {@return the claim that waits for locked rows} */
    public static LockingClaim waiting(Database database) {
        return new LockingClaim(database, database.dialect().forUpdate(), TRIES);
    }

    @Override
    public List<Grant> claim(ClaimRequest request) throws SQLException {
        List<Grant> claimed = List.of();
        for (int tried = 0; tried < tries && claimed.isEmpty() && isWork(request); tried++) {
            claimed = claimOnce(request);
        }
        return claimed;
    }

    /** If the reply to the commit is lost, reads the jobs back. */
    private List<Grant> claimOnce(ClaimRequest request) throws SQLException {
        List<Grant> written = new ArrayList<>();
        try {
            return database.transaction(connection -> {
                written.clear();
                written.addAll(claim(connection, request));
                return List.copyOf(written);
            });
        } catch (SQLException e) {
            if (written.isEmpty()) {
                throw e;
            }
            List<Grant> ours = readBack(request, written, e);
            if (ours.isEmpty()) {
                throw e;
            }
            return ours;
        }
    }

    private List<Grant> readBack(ClaimRequest request, List<Grant> written, SQLException failure) throws SQLException {
        try {
            return ReadBack.withRetry(
                    database,
                    request.workerId(),
                    written.stream().map(Grant::lease).toList());
        } catch (SQLException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    /** Reads without a lock first, because polling an empty queue must not open a writing transaction. */
    private boolean isWork(ClaimRequest request) throws SQLException {
        return database.autocommit(connection ->
                !probe.read(connection, request, 1, row -> row.getLong(1)).isEmpty());
    }

    private List<Grant> claim(Connection connection, ClaimRequest request) throws SQLException {
        Dialect dialect = database.dialect();
        long drawn = ClaimToken.draw();
        List<Lease> leases = ready.read(
                connection,
                request,
                request.limit(),
                row -> new Lease(row.getLong(1), ClaimToken.after(row.getLong(2), drawn)));
        List<Long> ids = leases.stream().map(Lease::jobId).sorted().toList();
        if (ids.isEmpty()) {
            return List.of();
        }
        String sql = dialect.sql(ClaimUpdate.SET.formatted(dialect.jobsById(), dialect.now(), dialect.nowPlusMicros())
                + " WHERE " + dialect.isClaimable() + " AND " + dialect.anyOf("id", ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            dialect.bindIds(statement, ClaimUpdate.bind(statement, request, drawn), ids);
            int claimed = statement.executeUpdate();
            if (claimed != ids.size()) {
                throw new SQLException(
                        "claimed " + claimed + " of " + ids.size() + " locked jobs: another node was faster", "40001");
            }
        }
        return ReadBack.ofAll(connection, dialect, request.workerId(), leases);
    }
}
