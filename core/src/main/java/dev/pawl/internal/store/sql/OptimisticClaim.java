package dev.pawl.internal.store.sql;

import dev.pawl.Strategy;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimedJob;
import dev.pawl.internal.store.Lease;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads a window without locks, then takes each picked job with an update that names the token it has seen. Every
 * statement commits on its own and the connection goes back to the pool in between. If others were faster everywhere, it
 * looks again, until it has a job or there is none.
 */
final class OptimisticClaim implements Claim {
    /** Whoever is beaten in so many windows waits for the next poll, as if there were nothing. */
    private static final int WINDOWS = 20;

    private final Database database;
    private final WindowSize size;
    private final Picks picks;
    private final ReadyJobs window;
    private final String take;
    private final LongAdder lost = new LongAdder();

    OptimisticClaim(Database database, Strategy.Optimistic strategy) {
        this.database = database;
        this.size = new WindowSize(strategy.window(), new WorkerRegistry(database));
        this.picks = new Picks(strategy.pick());
        Dialect dialect = database.dialect();
        this.window = new ReadyJobs(dialect, "id, lease_token", dialect.readyTable(), "");
        take = dialect.sql(ClaimUpdate.SET.formatted(dialect.jobsById(), dialect.now(), dialect.nowPlusMicros())
                + " WHERE id = ? AND state = 0 AND lease_token = ?");
    }

    @Override
    public List<ClaimedJob> claim(ClaimRequest request) throws SQLException {
        List<Long> won = new ArrayList<>();
        for (int windows = 0; won.isEmpty() && windows < WINDOWS; windows++) {
            List<Lease> candidates = look(request);
            if (candidates.isEmpty()) {
                break;
            }
            for (Lease candidate : picks.inOrder(candidates)) {
                if (take(candidate, request)) {
                    won.add(candidate.jobId());
                } else {
                    lost.increment();
                }
                if (won.size() == request.limit()) {
                    break;
                }
            }
        }
        return won.isEmpty()
                ? List.of()
                : database.autocommit(connection -> ClaimUpdate.claimed(connection, database.dialect(), won));
    }

    @Override
    public long lost() {
        return lost.sum();
    }

    private List<Lease> look(ClaimRequest request) throws SQLException {
        int width = size.of(request.limit());
        return database.autocommit(connection ->
                window.read(connection, request, width, row -> new Lease(row.getLong(1), row.getLong(2))));
    }

    /** False if another worker was faster, however the server says so: no row, or an error of its own. */
    private boolean take(Lease seen, ClaimRequest request) throws SQLException {
        try {
            return database.autocommitOnce(connection -> {
                try (PreparedStatement statement = connection.prepareStatement(take)) {
                    statement.setLong(1, request.workerId());
                    statement.setLong(2, Micros.of(request.lease()));
                    statement.setLong(3, seen.jobId());
                    statement.setLong(4, seen.token());
                    return statement.executeUpdate() == 1;
                }
            });
        } catch (SQLException e) {
            if (Fault.of(e).isContention()) {
                return false;
            }
            throw e;
        }
    }
}
