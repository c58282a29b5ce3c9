package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.admin.Finding;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.jdbc.ClaimTurn;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.Lane;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.lane.LaneHeadRead;
import dev.pawl.internal.lane.OneStatementClaim;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Claims of many workers from one lane take turns instead of racing. A claim has its turn while it holds an advisory lock of the server.
 */
@WhiteBox
interface ClaimTurnContract extends Contract {
    /** Waits for a turn. */
    String TURN = "GET_LOCK";

    private Dialect dialect() {
        return fixture().database.dialect();
    }

    private Lane lane() throws SQLException {
        fixture().admin.queues().setStrategy("default", Strategy.LANES);
        int id = Math.toIntExact(fixture().longOf("SELECT id FROM pawl_lane WHERE queue = 'default' AND priority = 0"));
        return new Lane(id, "default", 0, true, 0);
    }

    private void enqueue(int jobs) {
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, jobs).mapToObj(i -> "n" + i).toList());
    }

    private static void take20Millis() {
        try {
            Delay.work(20);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Long> ids(LaneHeadRead read) {
        return read.entries().stream().map(LaneHeadRead.Entry::id).toList();
    }

    /** The claim reads the lane after its wait, so it finds no job that was claimed meanwhile, and wins its range at the first try. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void aClaimInTurnReadsWhatWasClaimedBeforeIt() throws Exception {
        assumeTrue(fixture().product == Product.POSTGRESQL);
        Lane lane = lane();
        enqueue(20);
        OneStatementClaim claim =
                Objects.requireNonNull(LaneDatabase.of(dialect()).claim(dialect()));
        try (Connection first = fixture().pool.getConnection();
                Connection second = fixture().pool.getConnection()) {
            first.setAutoCommit(false);
            LaneHeadRead taken = claim.claim(first, lane, fixture().request(10), true);
            CompletableFuture<LaneHeadRead> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return claim.claim(second, lane, fixture().request(10), true);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> fixture()
                            .longOf("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                                    + " AND objid = " + lane.id())
                    == 1);
            first.commit();
            LaneHeadRead next = waiting.get();
            assertThat(taken.isWon()).isTrue();
            assertThat(next.isWon()).isTrue();
            assertThat(ids(taken)).hasSize(10);
            assertThat(ids(next)).hasSize(10).doesNotContainAnyElementsOf(ids(taken));
        }
    }

    /** No claim waits for long, because the owner of the turn may be frozen. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aTurnIsEndedByItsOwnerAndAWaitForAFrozenOwnerIsShort() throws Exception {
        assumeTrue(LaneDatabase.of(dialect()).turn(dialect()) != null);
        String lane = Integer.toString(lane().id());
        ClaimTurn turn = Objects.requireNonNull(LaneDatabase.of(dialect()).turn(dialect()));
        try (Connection first = fixture().pool.getConnection();
                Connection second = fixture().pool.getConnection()) {
            assertThat(turn.await(first, lane, 1)).isEqualTo(ClaimTurn.Answer.OURS);
            assertThat(turn.await(second, lane + "x", 1)).as("another lane").isEqualTo(ClaimTurn.Answer.OURS);
            turn.end(second, lane + "x");
            assertThat(turn.tryTake(second, lane)).isFalse();
            assertThat(turn.await(second, lane, 1)).as("the first is frozen").isEqualTo(ClaimTurn.Answer.NONE);
            turn.end(first, lane);
            assertThat(turn.await(second, lane, 1)).isEqualTo(ClaimTurn.Answer.OURS);
            turn.end(second, lane);
        }
    }

    /** If another claim gets the turn during a wait, a wait in vain is no sign of a frozen owner. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aWaitDuringWhichTheOwnerChangedDoesNotIndicateAFrozenOwner() throws Exception {
        assumeTrue(LaneDatabase.of(dialect()).turn(dialect()) != null);
        String lane = Integer.toString(lane().id());
        ClaimTurn turn = Objects.requireNonNull(LaneDatabase.of(dialect()).turn(dialect()));
        try (Connection first = fixture().pool.getConnection();
                Connection second = fixture().pool.getConnection();
                Connection third = fixture().pool.getConnection()) {
            assertThat(turn.await(first, lane, 1)).isEqualTo(ClaimTurn.Answer.OURS);
            CompletableFuture<ClaimTurn.Answer> next =
                    CompletableFuture.supplyAsync(() -> answer(turn, second, lane, 5));
            await().until(() -> waiting(first) == 1);
            CompletableFuture<ClaimTurn.Answer> last =
                    CompletableFuture.supplyAsync(() -> answer(turn, third, lane, 1));
            await().until(() -> waiting(first) == 2);
            turn.end(first, lane);
            assertThat(next.get()).isEqualTo(ClaimTurn.Answer.OURS);
            assertThat(last.get()).isEqualTo(ClaimTurn.Answer.BUSY);
            turn.end(second, lane);
        }
    }

    private static ClaimTurn.Answer answer(ClaimTurn turn, Connection connection, String lane, int seconds) {
        try {
            return turn.await(connection, lane, seconds);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return how many sessions of this database wait for a turn} */
    private static int waiting(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM information_schema.processlist"
                        + " WHERE state = 'User lock' AND db = DATABASE()")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** After a turn on MySQL or MariaDB, the connection goes back to the pool without the lock. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void claimsThatHaveLostARaceTakeTurns() throws Exception {
        assumeTrue(LaneDatabase.of(dialect()).turn(dialect()) != null);
        Lane lane = lane();
        enqueue(30);
        int[] turns = new int[1];
        ClaimStrategy claims = inTurns(fixture().statements.at(TURN, statement -> turns[0]++));
        assertThat(claims.claim(fixture().request(10))).hasSize(10);
        assertThat(claims.lost()).isEqualTo(1);
        assertThat(turns[0]).isEqualTo(1);
        assertThat(claims.claim(fixture().request(10))).hasSize(10);
        assertThat(turns[0]).isEqualTo(2);
        ClaimTurn turn = Objects.requireNonNull(LaneDatabase.of(dialect()).turn(dialect()));
        try (Connection other = fixture().pool.getConnection()) {
            assertThat(turn.await(other, Integer.toString(lane.id()), 1))
                    .as("nobody has kept it")
                    .isEqualTo(ClaimTurn.Answer.OURS);
            turn.end(other, Integer.toString(lane.id()));
        }
    }

    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void claimsOfRowsTakeTurnsWhereTheyAreSlow() throws Exception {
        assumeTrue(LaneDatabase.of(dialect()).turn(dialect()) != null);
        for (int i = 0; i < 40; i++) {
            fixture().enqueueRow();
        }
        int[] turns = new int[1];
        DataSource counted = fixture().at(TURN, statement -> turns[0]++);
        DataSource slow = TamperedDataSource.of(
                counted, fixture().statements.at("FOR UPDATE SKIP LOCKED$", statement -> take20Millis()));
        ClaimStrategy rows = fixture().storeOver(slow).strategy(Strategy.ROWS);
        assertThat(fixture().claimBy(rows, 10)).hasSize(10);
        assertThat(turns[0]).as("others may begin at the same time").isEqualTo(1);
        assertThat(fixture().claimBy(rows, 10)).hasSize(10);
        assertThat(turns[0]).isEqualTo(2);
        String place = "queue " + Integer.toHexString("default".hashCode());
        ClaimTurn turn = Objects.requireNonNull(LaneDatabase.of(dialect()).turn(dialect()));
        try (Connection frozen = fixture().pool.getConnection()) {
            assertThat(turn.tryTake(frozen, place))
                    .as("the claims have ended their turns")
                    .isTrue();
            assertThat(fixture().claimBy(rows, 10))
                    .as("it does not wait for long")
                    .hasSize(10);
            int before = turns[0];
            assertThat(fixture().claimBy(rows, 10)).hasSize(10);
            assertThat(turns[0]).as("then claims race").isEqualTo(before);
            turn.end(frozen, place);
        }
    }

    /** A cluster reports a conflict at the next statement. The claim is repeated, on a connection that is still good. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aConflictThatIsReportedAtTheEndOfATurnCostsNoConnection() throws Exception {
        assumeTrue(LaneDatabase.of(dialect()).turn(dialect()) != null);
        for (int i = 0; i < 10; i++) {
            fixture().enqueueRow();
        }
        int[] ends = new int[1];
        ClaimStrategy rows = fixture()
                .storeOver(TamperedDataSource.of(fixture().pool, conflictAtTheFirstEnd(ends)))
                .strategy(Strategy.ROWS);
        assertThat(fixture().claimBy(rows, 10)).hasSize(10);
        assertThat(ends[0]).as("ended again, and by the second claim").isEqualTo(3);
    }

    /** {@return claims of lanes that take turns, because the first one loses a race} */
    private ClaimStrategy inTurns(TamperedDataSource.Tampering tampering) throws SQLException {
        TamperedDataSource.Tampering winner = TamperedDataSource.once(statement ->
                assertThat(fixture().claim(Strategy.LANES, 10, Fixture.LEASE)).hasSize(10));
        DataSource raced = fixture().at(ExpectedStatements.NEW_RANGE, winner);
        return fixture().storeOver(TamperedDataSource.of(raced, tampering)).strategy(Strategy.LANES);
    }

    private static SQLException conflict() {
        return new SQLException("Deadlock found when trying to get lock; try restarting transaction", "40001", 1213);
    }

    private TamperedDataSource.Tampering conflictAtTheFirstEnd(int[] ends) {
        return fixture().statements.at("RELEASE_LOCK", statement -> {
            if (ends[0]++ == 0) {
                throw conflict();
            }
        });
    }

    /** The range is committed, so if the worker did not hold the range, the jobs of the range would wait until the lease expires. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aRangeIsHeldThoughTheEndOfItsTurnReportsAConflict() throws Exception {
        assumeTrue(LaneDatabase.of(dialect()).turn(dialect()) != null);
        lane();
        enqueue(40);
        int[] ends = new int[1];
        ClaimStrategy claims = inTurns(conflictAtTheFirstEnd(ends));
        assertThat(fixture().claimBy(claims, 10)).hasSize(10);
        assertThat(ends[0]).as("ended again, on the same connection").isEqualTo(2);
        assertThat(fixture().count("pawl_lane_range"))
                .as("the one that was faster, and this one")
                .isEqualTo(2);
    }

    /**
     * A cluster reports a lost race as a conflict. The claim gives up after a few turns, because the leases of the worker's other jobs run
     * out.
     */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aConflictIsALostRace() throws Exception {
        assumeTrue(LaneDatabase.of(dialect()).turn(dialect()) != null);
        lane();
        enqueue(40);
        int[] sent = new int[1];
        ClaimStrategy claims = inTurns(fixture().statements.at(ExpectedStatements.NEW_RANGE, statement -> {
            if (sent[0]++ > 0) { // the first one has lost its race
                throw conflict();
            }
        }));
        assertThat(fixture().claimBy(claims, 10)).isEmpty();
        assertThat(sent[0]).isBetween(2, 6);
        assertThat(claims.lost()).isEqualTo(sent[0]);
    }

    /**
     * A claim that takes its turn first sends the statement that waits and then the one that reads. So the two must not share a snapshot,
     * which would be from before the wait.
     */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void aClaimInTurnSeesWhatWasClaimedBeforeItAtEachIsolationLevel() throws Exception {
        assumeTrue(fixture().product == Product.POSTGRESQL);
        Lane lane = lane();
        enqueue(40);
        List<String> claims = new CopyOnWriteArrayList<>();
        DataSource watched = fixture()
                .at(
                        ExpectedStatements.NEW_RANGE,
                        statement -> claims.add(statement.contains("pg_advisory_xact_lock") ? "in turn" : "at once"));
        ClaimStrategy strategy = fixture()
                .storeOver(TamperedDataSource.isolated(watched, Connection.TRANSACTION_REPEATABLE_READ))
                .strategy(Strategy.LANES);
        OneStatementClaim claim =
                Objects.requireNonNull(LaneDatabase.of(dialect()).claim(dialect()));
        try (Connection first = fixture().pool.getConnection();
                Connection second = fixture().pool.getConnection()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            assertThat(claim.claim(first, lane, fixture().request(10), false).isWon())
                    .isTrue();
            CompletableFuture<Integer> beaten = CompletableFuture.supplyAsync(
                    () -> unchecked(() -> fixture().claimBy(strategy, 10).size()));
            await().until(() -> fixture().longOf("SELECT COUNT(*) FROM pg_locks WHERE NOT granted") == 1);
            CompletableFuture<Boolean> before = CompletableFuture.supplyAsync(() -> unchecked(
                    () -> claim.claim(second, lane, fixture().request(10), true).isWon()));
            await().until(() -> fixture().longOf("SELECT COUNT(*) FROM pg_locks WHERE NOT granted") == 2);
            first.commit();
            assertThat(before.get()).isTrue();
            await().until(() -> claims.contains("in turn") && waitsForATurn(lane));
            second.commit();
            assertThat(beaten.get()).isEqualTo(10);
        }
        assertThat(claims).containsExactly("at once", "in turn");
    }

    private boolean waitsForATurn(Lane lane) throws SQLException {
        return fixture()
                        .longOf("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = "
                                + lane.id())
                == 1;
    }

    private static <T> T unchecked(Callable<T> work) {
        try {
            return work.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The claim from a lane may wait for seconds, while handlers are idle and the leases of the claimed rows run down. */
    @Test
    default void claimedRowsArePassedOnBeforeTheLaneIsClaimed() throws Exception {
        lane();
        enqueue(1);
        long row = fixture().enqueueRow();
        List<Long> first = new ArrayList<>();
        List<Long> known = new ArrayList<>();
        DataSource watched = fixture().at(ExpectedStatements.NEW_RANGE, statement -> known.addAll(first));
        ClaimStrategy claims = fixture().storeOver(watched).strategy(Strategy.LANES);
        List<Grant> others = claims.claim(
                fixture().request(10),
                some -> some.forEach(grant -> first.add(grant.job().id())));
        assertThat(first.size() + others.size()).isEqualTo(2);
        assertThat(known).startsWith(row);
    }

    @Test
    default void theDoctorNamesALaneWithTooManySmallClaims() throws Exception {
        Lane lane = lane();
        assertThat(ofLanes()).isEmpty();
        String now = dialect().now();
        String rows = IntStream.range(0, 1_000)
                .mapToObj(i -> "(" + lane.id() + ", " + i + ", " + (i + 1) + ", 1, " + i % 40 + ", 1, FALSE, " + now
                        + ", 1, " + now + ")")
                .collect(Collectors.joining(", "));
        fixture()
                .execute(
                        "INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, leased_by, token, ahead, claimed_at,"
                                + " completed, finished_at) VALUES "
                                + rows); // one statement, so all have the same moment
        assertThat(ofLanes()).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.ADVICE);
            assertThat(finding.message()).contains("queue default: 40 workers claim", "1 job at a time");
        });
    }

    private List<Finding> ofLanes() {
        return fixture().admin.maintenance().diagnose().stream()
                .filter(finding -> finding.topic().equals("claims"))
                .toList();
    }
}
