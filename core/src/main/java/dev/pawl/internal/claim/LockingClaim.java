package dev.pawl.internal.claim;

import dev.pawl.internal.jdbc.ClaimTurn;
import dev.pawl.internal.jdbc.ContendedPlaces;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The claim for databases whose UPDATE cannot return rows: locks the ready rows, then updates them by id, in one transaction. The update is
 * conditional nevertheless, because on a cluster a row lock may hold on one node only.
 *
 * <p>{@link #skipping} skips rows that other transactions have locked. {@link #waiting} waits for them, which keeps the order strict.
 * During the wait, other workers may take all the rows for which the claim waits. Then the claim tries again, because there may be other
 * jobs. {@link #inTurns} skips locked rows, too, and is for InnoDB, where the searches of many workers block each other on pages of the
 * index.
 */
public final class LockingClaim implements Claim {
    /** After this many tries, in each of which other workers were faster, the claim waits for the next poll. */
    private static final int TRIES = 10;

    /** After a claim that took longer than this, the next claims take turns. */
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The round trips of a claim: search, update, and the end of the turn. */
    private static final int ROUND_TRIPS = 3;

    private final Database database;
    private final ReadyJobs ready;
    private final ReadyJobs probe;
    private final int tries;
    private final @Nullable ClaimTurn turn;
    private final ContendedPlaces contended = new ContendedPlaces();
    /**
     * The time of the last round trip, measured when a turn was free. A claim's time counts without its round trips, so that claims do not
     * count as slow because the server is distant.
     */
    private volatile long roundTripNanos;

    /** Queues whose last claim was full. */
    private final Set<String> full = ConcurrentHashMap.newKeySet();

    private LockingClaim(Database database, String lock, int tries, @Nullable ClaimTurn turn) {
        Dialect dialect = database.dialect();
        this.database = database;
        this.ready = new ReadyJobs(dialect, "id, lease_token", dialect.readyTable(), lock);
        this.probe = new ReadyJobs(dialect, "id", dialect.readyTable(), "");
        this.tries = tries;
        this.turn = turn;
    }

    /** {@return the claim that skips locked rows} */
    public static LockingClaim skipping(Database database) {
        return new LockingClaim(database, database.dialect().skipLocked(), 1, null);
    }

    /** {@return the claim that skips locked rows; where claims are slow, they wait for each other} */
    public static LockingClaim inTurns(Database database, ClaimTurn turn) {
        return new LockingClaim(database, database.dialect().skipLocked(), 1, turn);
    }

    /** {@return the claim that waits for locked rows} */
    public static LockingClaim waiting(Database database) {
        return new LockingClaim(database, database.dialect().forUpdate(), TRIES, null);
    }

    @Override
    public List<Grant> claim(ClaimRequest request) throws SQLException {
        boolean likely = full.remove(request.queue());
        List<Grant> claimed = List.of();
        for (int tried = 0; tried < tries && claimed.isEmpty() && (likely || isWork(request)); tried++) {
            claimed = claimOnce(request);
            likely = false;
        }
        if (claimed.size() == request.limit()) {
            full.add(request.queue());
        }
        return claimed;
    }

    /** Claims once. If the reply to the commit is lost, reads the jobs back. */
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

    /** {@return whether there is a ready job} Read without a lock, because polling an empty queue must not open a writing transaction. */
    private boolean isWork(ClaimRequest request) throws SQLException {
        return database.autocommit(connection ->
                !probe.read(connection, request, 1, row -> row.getLong(1)).isEmpty());
    }

    private List<Grant> claim(Connection connection, ClaimRequest request) throws SQLException {
        List<Lease> leases = turn == null ? take(connection, request) : take(connection, request, turn);
        return leases.isEmpty()
                ? List.of()
                : ReadBack.ofAll(connection, database.dialect(), request.workerId(), leases);
    }

    /**
     * Claims; if claims of this queue take turns, first waits for the turn. The turn ends before the commit, because the next claims skip
     * the rows that this claim has locked.
     */
    private List<Lease> take(Connection connection, ClaimRequest request, ClaimTurn turn) throws SQLException {
        String place = "queue " + Integer.toHexString(request.queue().hashCode());
        contended.addIfUnknown(place);
        boolean ours = contended.takeTurns(place) && await(connection, request, turn, place);
        long begun = System.nanoTime();
        try {
            return take(connection, request);
        } finally {
            if (ours) {
                turn.end(connection, place);
            }
            if (System.nanoTime() - begun - ROUND_TRIPS * roundTripNanos >= SLOW_NANOS) {
                contended.add(place);
            }
        }
    }

    private boolean await(Connection connection, ClaimRequest request, ClaimTurn turn, String place)
            throws SQLException {
        int seconds = ClaimTurn.seconds(request.lease());
        if (seconds == 0) {
            return false;
        }
        long asked = System.nanoTime();
        if (turn.tryTake(connection, place)) {
            roundTripNanos = System.nanoTime() - asked;
            return true;
        }
        ClaimTurn.Answer answer = turn.await(connection, place, seconds);
        if (answer == ClaimTurn.Answer.NONE) {
            contended.noTurn(place);
        }
        return answer == ClaimTurn.Answer.OURS;
    }

    /** Locks the next jobs and makes them running. */
    private List<Lease> take(Connection connection, ClaimRequest request) throws SQLException {
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
        return leases;
    }
}
