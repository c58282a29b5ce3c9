package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.Worker;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.lane.LanePlace;
import dev.pawl.internal.place.PlaceRuns;
import dev.pawl.internal.place.QueueCount;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.RunFence;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Jobs that handlers' transactions complete in their lane. The guards that comments name are those of the model {@code fences.als}.
 */
@WhiteBox
interface LaneTransactionContract extends Contract {
    Duration SHORT = Duration.ofMillis(10);
    Verdict RETRY = new Verdict.Retry(Duration.ZERO, "failed");

    private ClaimStrategy lanes() throws SQLException {
        fixture().admin.queues().setStrategy("default", Strategy.LANES);
        return fixture().store.strategy(Strategy.LANES);
    }

    private List<Lease> claim(ClaimStrategy lanes, int jobs) throws SQLException {
        return claim(lanes, jobs, Fixture.LEASE);
    }

    private List<Lease> claim(ClaimStrategy lanes, int jobs, Duration lease) throws SQLException {
        IntStream.range(0, jobs).forEach(i -> fixture().enqueue());
        return lanes.claim(new ClaimRequest("default", List.of("greet"), jobs, fixture().worker, lease, false)).stream()
                .map(Grant::lease)
                .toList();
    }

    private static RunFence fence(ClaimStrategy lanes, Lease lease) {
        return Objects.requireNonNull(lanes.fence(lease), "a fence");
    }

    /** {@return whether the transaction has written the fence, and was committed} */
    private boolean commit(RunFence fence) throws SQLException {
        boolean[] written = new boolean[1];
        try (Connection connection = fixture().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            written[0] = fence.write(connection);
            if (written[0]) {
                connection.commit();
            } else {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
        return written[0];
    }

    private void complete(ClaimStrategy lanes, Lease lease) throws SQLException {
        RunFence fence = fence(lanes, lease);
        assertThat(commit(fence)).isTrue();
        fence.end(true);
    }

    private JobState state(Lease lease) {
        return fixture().job(lease.jobId()).state();
    }

    private long fences() throws SQLException {
        return fixture().count("pawl_lane_fence");
    }

    private void noRows() throws SQLException {
        assertThat(fixture().count("pawl_job")).isZero();
        assertThat(fixture().count("pawl_job_history")).isZero();
    }

    private void bits(int completed, int moved, boolean open) throws SQLException {
        assertThat(fixture().longOf("SELECT SUM(completed) FROM pawl_lane_range"))
                .isEqualTo(completed);
        assertThat(fixture().longOf("SELECT SUM(moved_count) FROM pawl_lane_range"))
                .isEqualTo(moved);
        assertThat(fixture().count("pawl_lane_range WHERE lease_expires_at IS NOT NULL"))
                .isEqualTo(open ? 1 : 0);
    }

    @Test
    default void aTransactionCompletesItsJobInTheLane() throws Exception {
        lanes();
        fixture().execute("CREATE TABLE pawl_effect (job_id bigint PRIMARY KEY)");
        String insert = fixture().database.dialect().sql("INSERT INTO pawl_effect VALUES (?)");
        try (Worker worker = fixture()
                .newWorker()
                .handle(
                        Fixture.GREET,
                        (name, run) -> run.transaction(connection -> {
                            try (var statement = connection.prepareStatement(insert)) {
                                statement.setLong(1, run.job().id());
                                statement.executeUpdate();
                            }
                        }))
                .start()) {
            fixture()
                    .queue
                    .enqueueAll(
                            Fixture.GREET,
                            IntStream.range(0, 50).mapToObj(i -> "n" + i).toList());
            assertThat(worker.awaitIdle(Fixture.SOON)).isTrue();
        }
        assertThat(fixture().count("pawl_effect")).isEqualTo(50);
        noRows();
    }

    /**
     * Regression: MySQL and MariaDB end a deadlock by rolling back the transaction, and with it the fence. A handler that continued after
     * that wrote its effect, but did not complete the job.
     */
    @Test
    @RunsOn({Product.MYSQL, Product.MARIADB, Product.SQLITE})
    default void whatFollowsASilentRollbackIsNotCommitted() throws Exception {
        assumeTrue(fixture().product != Product.POSTGRESQL);
        lanes();
        fixture().execute("CREATE TABLE pawl_effect (job_id bigint, attempt int)");
        String insert = fixture().database.dialect().sql("INSERT INTO pawl_effect VALUES (?, ?)");
        AtomicInteger runs = new AtomicInteger();
        try (Worker worker = fixture()
                .newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(
                        Fixture.GREET,
                        (name, run) -> run.transaction(connection -> {
                            if (runs.incrementAndGet() == 1) {
                                connection.rollback(); // like a rollback by the server
                            }
                            try (var statement = connection.prepareStatement(insert)) {
                                statement.setLong(1, run.job().id());
                                statement.setInt(2, runs.get());
                                statement.executeUpdate();
                            }
                        }))
                .start()) {
            long job = fixture().enqueue();
            fixture().awaitState(job, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(runs).hasValue(2);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_effect")).isEqualTo(1);
        assertThat(fixture().longOf("SELECT MAX(attempt) FROM pawl_effect")).isEqualTo(2);
    }

    @Test
    default void theBitsOfARangeAreSetOnceItsLastJobIsCommitted() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 3);
        complete(lanes, leases.get(2));
        complete(lanes, leases.get(0));
        bits(0, 0, true);
        assertThat(fences()).isEqualTo(2);
        complete(lanes, leases.get(1));
        bits(3, 0, false);
        assertThat(fences()).isZero();
        noRows();
    }

    @Test
    default void aCommittedJobIsCompletedForReadersBeforeItsBitIsSet() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 2);
        complete(lanes, leases.get(0));
        bits(0, 0, true);
        Job job = fixture().job(leases.get(0).jobId());
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.finishedAt()).isNotNull();
        assertThat(job.leaseExpiresAt()).isNull();
        assertThat(state(leases.get(1))).isEqualTo(JobState.RUNNING);
        var dialect = fixture().database.dialect();
        QueueCount count = Objects.requireNonNull(fixture()
                .database
                .autocommit(connection -> new LanePlace().counts(dialect).counts(connection, 1_000))
                .get("default"));
        assertThat(count.running()).isEqualTo(1);
        PlaceRuns runs = new LanePlace().runs(dialect);
        PlaceRuns.Runs running = fixture()
                .database
                .autocommit(connection -> runs.running(connection, Instant.parse("2999-01-01T00:00:00Z"), 10));
        assertThat(running.jobs())
                .extracting(Job::id)
                .containsExactly(leases.get(1).jobId());
        lanes.tidy();
        bits(1, 0, true);
        assertThat(fences()).isZero();
        assertThat(state(leases.get(0))).isEqualTo(JobState.COMPLETED);
        assertThat(lanes.settle(List.of(new Settlement(leases.get(1), new Verdict.Completed())))
                        .accepted())
                .hasSize(1);
        bits(2, 0, false);
    }

    @Test
    default void otherJobsOfTheRangeAreSettledAsUsual() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 4);
        complete(lanes, leases.get(0));
        assertThat(lanes.settle(List.of(new Settlement(leases.get(1), new Verdict.Completed())))
                        .accepted())
                .hasSize(1);
        assertThat(lanes.settle(List.of(new Settlement(leases.get(2), RETRY))).accepted())
                .hasSize(1);
        bits(2, 1, true);
        assertThat(lanes.release(List.of(leases.get(3)))).hasSize(1);
        bits(2, 2, false);
        assertThat(fixture().count("pawl_job")).isEqualTo(2);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobInAnOpenTransactionIsNeitherRescuedNorMoved() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 5, SHORT);
        Lease open = leases.get(2);
        fixture().letLeasesExpire(SHORT);
        RunFence fence = fence(lanes, open);
        boolean committed = fixture().store.inTransaction(connection -> {
            assertThat(fence.write(connection)).isTrue();
            assertThat(fixture().store.abandoned(10, 0))
                    .extracting(found -> found.lease().jobId())
                    .hasSize(4)
                    .doesNotContain(open.jobId());
            assertThat(state(open)).isEqualTo(JobState.RUNNING);
            LeaseRenewal withProgress = new LeaseRenewal(open, 50);
            assertThat(lanes.renew(List.of(withProgress), Fixture.LEASE).renewed())
                    .containsExactly(open);
            assertThat(fixture().admin.jobs().cancel(open.jobId())).isEqualTo(CancelResult.IN_TRANSACTION);
            return true;
        });
        fence.end(committed);
        assertThat(state(open)).isEqualTo(JobState.COMPLETED);
        lanes.tidy();
        bits(1, 4, false);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void onlyJobsInOpenTransactionsAreLeftOutOfAMove() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        ClaimStrategy lanes = lanes();
        List<Lease> leases = new ArrayList<>(claim(lanes, 12, SHORT));
        fixture().letLeasesExpire(SHORT);
        List<Lease> open = Stream.of(0, 5, 6, 11).map(leases::get).toList();
        leases.removeAll(open);
        fixture().store.inTransaction(connection -> {
            for (Lease lease : open) {
                assertThat(fence(lanes, lease).write(connection)).isTrue();
            }
            assertThat(fixture().store.abandoned(20, 0))
                    .extracting(found -> found.lease().jobId())
                    .containsExactlyInAnyOrderElementsOf(
                            leases.stream().map(Lease::jobId).toList());
            return true;
        });
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void openTransactionsInManyExpiredRangesDoNotDelayOthers() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        ClaimStrategy lanes = lanes();
        List<Lease> open = new ArrayList<>();
        for (int ranges = 0; ranges < 20; ranges++) { // as many ranges as are read at once
            open.addAll(claim(lanes, 1, SHORT));
        }
        Lease last = claim(lanes, 1, SHORT).get(0);
        fixture().letLeasesExpire(SHORT);
        fixture().store.inTransaction(connection -> {
            for (Lease lease : open) {
                assertThat(fence(lanes, lease).write(connection)).isTrue();
            }
            assertThat(fixture().store.abandoned(30, 0))
                    .extracting(found -> found.lease().jobId())
                    .containsExactly(last.jobId());
            return true;
        });
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobInAnOpenTransactionIsReportedAsLeft() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 3);
        Lease open = leases.get(1);
        RunFence fence = fence(lanes, open);
        fixture().store.inTransaction(connection -> {
            assertThat(fence.write(connection)).isTrue();
            assertThat(fixture().admin.jobs().edit(open.jobId(), JobEdit.NOTHING.priority(1), "ada"))
                    .isEqualTo(EditResult.RUNNING);
            assertThat(changeAll(new JobChange.Cancel())).isEqualTo(new ChangeResult(2, 1));
            assertThat(changeAll(new JobChange.Erase())).isEqualTo(new ChangeResult(0, 3));
            return true;
        });
    }

    private ChangeResult changeAll(JobChange change) {
        return fixture().admin.jobs().changeAll(JobFilter.ALL, change, changed -> {});
    }

    /** A move changes the lock timeout for one insert, and then restores it for the rest of the transaction. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void aMoveKeepsTheLockTimeout() throws Exception {
        assumeTrue(fixture().product == Product.POSTGRESQL);
        ClaimStrategy lanes = lanes();
        Lease lease = claim(lanes, 1).get(0);
        var dialect = fixture().database.dialect();
        String timeout = fixture().database.transaction(connection -> {
            fixture().execute(connection, "SET LOCAL lock_timeout = '7s'");
            assertThat(new LanePlace().commands(dialect).giveRow(connection, lease.jobId()))
                    .isEqualTo(JobState.RUNNING);
            return dialect.statement("SELECT current_setting('lock_timeout')")
                    .on(connection)
                    .one(row -> row.getString(1));
        });
        assertThat(timeout).isEqualTo("7s");
    }

    /** Without guard {@code LookAtRange}, the fence would be written without a look at the range. */
    @Test
    default void theTransactionOfARescuedJobIsRefused() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 2, SHORT);
        RunFence fence = fence(lanes, leases.get(0));
        fixture().letLeasesExpire(SHORT);
        assertThat(fixture().store.abandoned(10, 0)).hasSize(2);
        assertThat(commit(fence)).isFalse();
        fence.end(false);
        fixture().execute("DELETE FROM pawl_lane_fence"); // as when the range is pruned
        assertThat(commit(fence(lanes, leases.get(1)))).isFalse();
        assertThat(state(leases.get(0))).isEqualTo(JobState.RUNNING);
    }

    /**
     * The range does not show a move that is not committed. Without guard {@code MoveFences}, the move would write no key of its own.
     */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aTransactionWaitsForAMoveThatIsNotCommitted() throws Exception {
        ClaimStrategy lanes = lanes();
        Lease lease = claim(lanes, 2).get(0);
        try (Connection mover = fixture().dataSource().getConnection()) {
            mover.setAutoCommit(false);
            fixture().execute(mover, "INSERT INTO pawl_lane_fence (id, token) VALUES (" + lease.jobId() + ", 0)");
            CompletableFuture<Boolean> written = CompletableFuture.supplyAsync(() -> {
                try {
                    return commit(fence(lanes, lease));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            mover.commit();
            mover.setAutoCommit(true);
            assertThat(written).succeedsWithin(Fixture.SOON).isEqualTo(false);
        }
    }

    @Test
    default void aJobThatIsRescuedAfterItsCommitIsCompleted() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 3, SHORT);
        RunFence fence = fence(lanes, leases.get(1));
        assertThat(commit(fence)).isTrue(); // its worker dies now
        fixture().letLeasesExpire(SHORT);
        assertThat(fixture().store.abandoned(10, 0)).hasSize(2);
        bits(1, 2, false);
        assertThat(state(leases.get(1))).isEqualTo(JobState.COMPLETED);
    }

    @Test
    default void aCommittedJobIsNotCancelled() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 2);
        complete(lanes, leases.get(0));
        assertThat(fixture().admin.jobs().cancel(leases.get(0).jobId())).isEqualTo(CancelResult.ALREADY_FINISHED);
        assertThat(fixture().admin.jobs().cancel(leases.get(1).jobId())).isEqualTo(CancelResult.REQUESTED);
        bits(1, 1, false);
        assertThat(state(leases.get(0))).isEqualTo(JobState.COMPLETED);
        RunFence fence = fence(lanes, leases.get(1));
        assertThat(commit(fence))
                .as("it has a row, which its transaction locks")
                .isFalse();
        fence.end(false);
        assertThat(lanes.detach(leases.get(1))).isTrue();
        boolean locked =
                fixture().database.transaction(connection -> fixture().store.lock(connection, leases.get(1)));
        assertThat(locked).isTrue();
    }

    @Test
    default void aCommittedJobIsRetriedByAPerson() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 2);
        complete(lanes, leases.get(0));
        fixture().admin.jobs().retry(leases.get(0).jobId());
        assertThat(state(leases.get(0))).isEqualTo(JobState.AVAILABLE);
        assertThat(fences()).isZero();
        bits(0, 1, true);
    }

    /** The commit has taken effect, but its reply was lost: the run has failed, and its outcome changes nothing. */
    @Test
    default void aCommitWithoutAReplyCompletesTheJob() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 2);
        RunFence fence = fence(lanes, leases.get(0));
        assertThat(commit(fence)).isTrue();
        fence.end(false);
        assertThat(lanes.settle(List.of(new Settlement(leases.get(0), RETRY))).accepted())
                .isEmpty();
        assertThat(state(leases.get(0))).isEqualTo(JobState.COMPLETED);
        bits(1, 0, true);
        assertThat(fences()).isZero();
        noRows();
    }

    /** Without guard {@code OneTransaction}, a run could have two transactions with fences. */
    @Test
    default void aSecondTransactionOfARunNeedsARow() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 3);
        RunFence fence = fence(lanes, leases.get(0));
        assertThat(commit(fence)).isTrue();
        fence.end(false);
        assertThat(lanes.fence(leases.get(0))).isNull();
        assertThat(lanes.detach(leases.get(0))).isFalse();
        fence(lanes, leases.get(1)).end(false); // rolled back
        assertThat(lanes.fence(leases.get(1))).isNull();
        assertThat(lanes.detach(leases.get(1))).isTrue();
        assertThat(fixture().count("pawl_job")).as("and no other of its kind").isEqualTo(1);
        bits(1, 1, true);
    }

    /**
     * The database has lost the commit and the effect. Without guard {@code BitsFromFences}, the worker would set the bit all the same.
     */
    @Test
    default void aCompletionThatTheDatabaseHasLostIsNotSet() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 2);
        complete(lanes, leases.get(0));
        fixture().execute("DELETE FROM pawl_lane_fence");
        lanes.tidy();
        bits(0, 0, true);
        assertThat(state(leases.get(0))).isEqualTo(JobState.RUNNING);
    }

    /** Without guard {@code PruneLate}, the range could be pruned while a transaction that has read it may still write its fence. */
    @Test
    default void theFencesOfMovedJobsAreDeletedWithTheirRange() throws Exception {
        ClaimStrategy lanes = lanes();
        Lease moved = claim(lanes, 1).get(0);
        lanes.settle(List.of(new Settlement(moved, new Verdict.Retry(Duration.ofDays(1), "failed"))));
        complete(lanes, claim(lanes, 1).get(0));
        assertThat(fences()).isEqualTo(1);
        Retention none = Retention.DEFAULTS.completed(Duration.ZERO);
        fixture().admin.maintenance().prune(none);
        assertThat(fixture().count("pawl_lane_range")).isEqualTo(2);
        backdateRanges(fixture());
        fixture().admin.maintenance().prune(none);
        assertThat(fixture().count("pawl_lane_range")).isEqualTo(1);
        assertThat(fences()).isZero();
    }

    /** Makes all ranges old, because fences of moved jobs are kept for a minute. */
    static void backdateRanges(Fixture fixture) throws SQLException {
        var dialect = fixture.database.dialect();
        int unused = fixture.database.transaction(
                connection -> dialect.statement("UPDATE pawl_lane_range SET finished_at = " + dialect.moment())
                        .on(connection, Instant.parse("2026-01-01T00:00:00Z"))
                        .update());
    }

    private Settled completed(ClaimStrategy lanes, Lease lease) throws SQLException {
        return lanes.settle(List.of(new Settlement(lease, new Verdict.Completed())));
    }

    /** The handler has caught the exception of the commit, and returns normally. */
    @Test
    default void aCompletedRunWhoseCommitHadNoReplyIsNotCompletedTwice() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 3);
        RunFence fence = fence(lanes, leases.get(0));
        assertThat(commit(fence)).isTrue();
        fence.end(false);
        fence(lanes, leases.get(1)).end(false); // the transaction was rolled back
        assertThat(completed(lanes, leases.get(0)).locked()).isEmpty();
        assertThat(fences()).as("its bit is set from its fence").isZero();
        bits(1, 0, true);
        noRows();
        assertThat(completed(lanes, leases.get(1)).accepted()).hasSize(1);
        bits(1, 1, true);
        assertThat(state(leases.get(1))).isEqualTo(JobState.COMPLETED);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aCompletedRunWaitsForItsCommitInProgress() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 2);
        RunFence fence = fence(lanes, leases.get(0));
        boolean unused = fixture().store.inTransaction(connection -> {
            assertThat(fence.write(connection)).isTrue();
            fence.end(false); // the client has given up
            assertThat(completed(lanes, leases.get(0)).locked()).containsExactly(leases.get(0));
            return true;
        });
        assertThat(completed(lanes, leases.get(0)).locked()).isEmpty();
        assertThat(fences()).isZero();
        bits(1, 0, true);
        noRows();
    }

    @Test
    default void aFailedOutcomeIsNotAcceptedForACommittedJob() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 3);
        RunFence fence = fence(lanes, leases.get(0));
        assertThat(commit(fence)).isTrue();
        fence.end(false);
        complete(lanes, leases.get(1));
        lanes.tidy();
        bits(2, 0, true);
        assertThat(lanes.settle(List.of(new Settlement(leases.get(0), RETRY))).accepted())
                .isEmpty();
        bits(2, 0, true);
    }

    /** After a failover, the table may have as many bits as the worker believes, but different ones. */
    @Test
    default void bitsThatOthersHaveSetAreKept() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 4);
        assertThat(completed(lanes, leases.get(0)).accepted()).hasSize(1);
        fixture().execute("UPDATE pawl_lane_range SET done = NULL, completed = 0"); // the database has lost the bit
        complete(lanes, leases.get(1));
        var dialect = fixture().database.dialect();
        int bit = fixture()
                .database
                .transaction(connection -> dialect.statement(
                                "UPDATE pawl_lane_range SET completed = 1, done = " + dialect.bytes())
                        .on(connection, new Object[] {new byte[] {2}})
                        .update());
        assertThat(bit).isEqualTo(1);
        fixture().execute("DELETE FROM pawl_lane_fence"); // as another process does when it has read the range
        assertThat(completed(lanes, leases.get(2)).accepted()).hasSize(1);
        bits(2, 0, true);
        assertThat(state(leases.get(1))).isEqualTo(JobState.COMPLETED);
        assertThat(state(leases.get(0))).isEqualTo(JobState.RUNNING);
    }

    /**
     * A job's transaction has written its fence after a move has looked for fences, and is still open. The move holds the lock of the range
     * while it waits.
     */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aMoveDoesNotWaitLongForAnInsertedKey() throws Exception {
        var dialect = fixture().database.dialect();
        assumeTrue(dialect.product().equals("mysql"));
        String timeout = "SELECT @@SESSION.innodb_lock_wait_timeout";
        int[] seen = new int[2];
        boolean unused = fixture().database.transaction(connection -> {
            dialect.statement("SET SESSION innodb_lock_wait_timeout = 7")
                    .on(connection)
                    .run();
            int inserted = LaneDatabase.of(dialect)
                    .insertFences(connection, dialect, List.of(1L), Duration.ofMillis(50), () -> {
                        seen[0] = dialect.statement(timeout).on(connection).one(row -> row.getInt(1));
                        return 1;
                    });
            seen[1] = dialect.statement(timeout).on(connection).one(row -> row.getInt(1));
            dialect.statement("SET SESSION innodb_lock_wait_timeout = DEFAULT")
                    .on(connection)
                    .run();
            return inserted == 1;
        });
        assertThat(seen).containsExactly(1, 7);
    }

    @Test
    default void theTransactionOfAMovedJobMovesNoOther() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Lease> leases = claim(lanes, 3);
        assertThat(fixture().admin.jobs().cancel(leases.get(0).jobId())).isEqualTo(CancelResult.REQUESTED);
        List<LeaseRenewal> all =
                leases.stream().map(lease -> new LeaseRenewal(lease, null)).toList();
        assertThat(lanes.renew(all, Fixture.LEASE).gone()).isEmpty();
        assertThat(lanes.fence(leases.get(0))).isNull();
        assertThat(lanes.detach(leases.get(0))).isTrue();
        assertThat(fixture().count("pawl_job")).isEqualTo(1);
    }
}
