package dev.pawl.internal.store.sql;

import dev.pawl.Strategy;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimedJob;
import dev.pawl.internal.store.Lease;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Reads a window without locks, then takes each picked job with an update that names the token it has seen. Every
 * statement commits on its own and the connection goes back to the pool in between.
 */
final class OptimisticClaim implements Claim {
    private final Database database;
    private final Strategy.Optimistic strategy;
    private final ReadyJobs window;
    private final String take;

    OptimisticClaim(Database database, Strategy.Optimistic strategy) {
        this.database = database;
        this.strategy = strategy;
        Dialect dialect = database.dialect();
        this.window = new ReadyJobs(dialect, "id, lease_token", "pawl_job", "");
        take = dialect.sql(ClaimUpdate.SET.formatted(dialect.now(), dialect.nowPlusMicros())
                + " WHERE id = ? AND state = 0 AND lease_token = ?");
    }

    @Override
    public List<ClaimedJob> claim(ClaimRequest request) throws SQLException {
        List<Lease> candidates = database.autocommit(connection -> window.read(
                connection,
                request,
                Math.max(strategy.window(), request.limit()),
                row -> new Lease(row.getLong(1), row.getLong(2))));
        if (strategy.pick() == Strategy.Pick.UNIFORM) {
            candidates = new ArrayList<>(candidates);
            Collections.shuffle(candidates, ThreadLocalRandom.current());
        }
        List<Long> won = new ArrayList<>();
        for (Lease candidate : candidates) {
            if (take(candidate, request)) {
                won.add(candidate.jobId());
            }
            if (won.size() == request.limit()) {
                break;
            }
        }
        return won.isEmpty()
                ? List.of()
                : database.autocommit(connection -> ClaimUpdate.claimed(connection, database.dialect(), won));
    }

    /** False if another worker was faster, however the server says so: no row, or an error of its own. */
    private boolean take(Lease seen, ClaimRequest request) throws SQLException {
        try {
            return database.autocommit(connection -> {
                try (PreparedStatement statement = connection.prepareStatement(take)) {
                    statement.setLong(1, request.workerId());
                    statement.setLong(2, Micros.of(request.lease()));
                    statement.setLong(3, seen.jobId());
                    statement.setLong(4, seen.token());
                    return statement.executeUpdate() == 1;
                }
            });
        } catch (SQLException e) {
            if (Fault.of(e) == Fault.CONTENTION) {
                return false;
            }
            throw e;
        }
    }
}
