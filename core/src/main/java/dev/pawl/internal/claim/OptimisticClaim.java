package dev.pawl.internal.claim;

import dev.pawl.api.Strategy;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimToken;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reads a window, which is the first ready jobs, without locks. Then takes jobs of the window one by one, each with an update that compares
 * the token of the job. Every statement commits on its own, and the connection returns to the pool in between. If other workers took every
 * row first, it reads another window, until it wins a job or none is left.
 */
public final class OptimisticClaim implements Claim {
    /** After this many lost windows, the claim waits for the next poll, as if the queue were empty. */
    private static final int WINDOWS = 20;

    private final Database database;
    private final WindowSize size;
    private final PickOrder picks;
    private final ReadyJobs window;
    private final String take;
    private final LongAdder lost = new LongAdder();

    public OptimisticClaim(Database database, Strategy.Optimistic strategy) {
        this.database = database;
        this.size = new WindowSize(strategy.window(), new WorkerRegistry(database));
        this.picks = new PickOrder(strategy.pick());
        Dialect dialect = database.dialect();
        this.window = new ReadyJobs(dialect, "id, lease_token", dialect.readyTable(), "");
        take = dialect.sql(ClaimUpdate.SET.formatted(dialect.jobsById(), dialect.now(), dialect.nowPlusMicros())
                + " WHERE id = ? AND " + dialect.isClaimable() + " AND lease_token = ?");
    }

    @Override
    public List<Grant> claim(ClaimRequest request) throws SQLException {
        List<Lease> won = new ArrayList<>();
        SQLException failure = null;
        for (int windows = 0; won.isEmpty() && windows < WINDOWS && failure == null; windows++) {
            List<Lease> candidates = readWindow(request);
            if (candidates.isEmpty()) {
                break;
            }
            failure = take(picks.inOrder(candidates), request, won);
        }
        if (won.isEmpty()) {
            return List.of();
        }
        List<Grant> ours = ReadBack.withRetry(database, request.workerId(), won);
        if (ours.isEmpty() && failure != null) {
            throw failure;
        }
        return ours;
    }

    /**
     * Adds the leases that were won. After an error, the list also has the lease of the failed statement, whose reply may be lost. Reading
     * back shows whether it was won.
     *
     * @return the error that ended it early, or null
     */
    private @Nullable SQLException take(List<Lease> candidates, ClaimRequest request, List<Lease> won) {
        for (Lease candidate : candidates) {
            long own = ClaimToken.draw();
            Lease drawn = new Lease(candidate.jobId(), ClaimToken.after(candidate.token(), own));
            try {
                if (take(candidate, request, own)) {
                    won.add(drawn);
                } else {
                    lost.increment();
                }
            } catch (SQLException e) {
                won.add(drawn);
                return e;
            }
            if (won.size() == request.limit()) {
                break;
            }
        }
        return null;
    }

    @Override
    public long lost() {
        return lost.sum();
    }

    private List<Lease> readWindow(ClaimRequest request) throws SQLException {
        int width = size.of(request.limit());
        return database.autocommit(connection ->
                window.read(connection, request, width, row -> new Lease(row.getLong(1), row.getLong(2))));
    }

    /**
     * Takes one job.
     *
     * @return false if another worker was faster, whether the server reports that as no row or as an error
     */
    private boolean take(Lease seen, ClaimRequest request, long drawn) throws SQLException {
        try {
            return database.autocommitOnce(connection -> {
                try (PreparedStatement statement = database.dialect().planned(connection, take)) {
                    int index = ClaimUpdate.bind(statement, request, drawn);
                    statement.setLong(index, seen.jobId());
                    statement.setLong(index + 1, seen.token());
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
