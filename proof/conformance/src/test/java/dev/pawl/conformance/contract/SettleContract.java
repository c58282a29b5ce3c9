package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Settling while others have rows locked, and claims whose replies are lost. */
@WhiteBox
interface SettleContract extends Contract {
    static Stream<Strategy> settling() {
        return Stream.of(Strategy.ROWS, new Strategy.Pessimistic(0, true));
    }

    private static Settlement completed(Lease lease) {
        return new Settlement(lease, new Verdict.Completed());
    }

    private List<Lease> claimed(int jobs) throws SQLException {
        for (int i = 0; i < jobs; i++) {
            fixture().enqueue();
        }
        return claimAgain(jobs);
    }

    private List<Lease> claimAgain(int jobs) throws SQLException {
        List<Lease> leases = claims(Strategy.ROWS)
                .claim(new ClaimRequest("default", List.of("greet"), jobs, fixture().worker, Fixture.LEASE, true))
                .stream()
                .map(Grant::lease)
                .toList();
        assertThat(leases).hasSize(jobs);
        return leases;
    }

    private ClaimStrategy claims(Strategy strategy) {
        return fixture().store.strategy(strategy);
    }

    /** Settles on another thread, so that a settlement that waits for the lock fails the test instead of hanging it. */
    private static Settled promptly(ClaimStrategy strategy, List<Settlement> runs) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return strategy.settle(runs);
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
    }

    interface Locked {
        void run() throws Exception;
    }

    /** Runs an action while a transaction has locked the job; not on SQLite, which locks no rows. */
    private void whileLocked(long job, Locked work) throws Exception {
        assumeThat(fixture().database.dialect().product()).isNotEqualTo("sqlite");
        try (Connection connection = fixture().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            fixture().execute(connection, "SELECT id FROM pawl_job WHERE id = " + job + " FOR UPDATE");
            work.run();
            connection.rollback();
        }
    }

    @ParameterizedTest
    @MethodSource("settling")
    default void aLockedJobIsBusyAndBlocksNoOthers(Strategy strategy) throws Exception {
        List<Lease> leases = claimed(5);
        Lease busy = leases.get(2);
        Lease gone = new Lease(999_999, 1);
        List<Settlement> runs = Stream.concat(leases.stream(), Stream.of(gone))
                .map(SettleContract::completed)
                .toList();
        whileLocked(busy.jobId(), () -> {
            Settled settled = promptly(claims(strategy), runs);
            assertThat(settled.locked()).containsExactly(busy);
            assertThat(settled.accepted()).hasSize(4).doesNotContain(busy, gone);
            settled = promptly(
                    claims(strategy), List.of(new Settlement(busy, new Verdict.Retry(Duration.ZERO, "failed"))));
            assertThat(settled).isEqualTo(new Settled(Set.of(), Set.of(busy)));
        });
        assertThat(claims(strategy).settle(runs)).isEqualTo(new Settled(Set.of(busy), Set.of()));
    }

    /** Otherwise these jobs would wait until their leases expire, unnoticed. */
    @Test
    default void lockedAndCancelledJobsAreReportedAsNotReleased() throws Exception {
        List<Lease> leases = claimed(4);
        fixture().admin.jobs().cancel(leases.get(0).jobId());
        whileLocked(leases.get(1).jobId(), () -> {
            Set<Lease> released = CompletableFuture.supplyAsync(() -> {
                        try {
                            return claims(Strategy.ROWS).release(leases);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(released).containsExactlyInAnyOrder(leases.get(2), leases.get(3));
        });
        assertThat(claims(Strategy.ROWS).release(leases)).containsExactly(leases.get(1));
        assertThat(fixture().job(leases.get(0).jobId()).state()).isEqualTo(JobState.RUNNING);
    }

    @ParameterizedTest
    @MethodSource("settling")
    default void aLateOutcomeDoesNotWaitForTheTransactionOfTheNewOwner(Strategy strategy) throws Exception {
        Lease late = fixture().staleLease();
        Job before = fixture().job(late.jobId());
        whileLocked(late.jobId(), () -> {
            for (Verdict verdict : List.of(new Verdict.Completed(), new Verdict.Snooze(Duration.ZERO))) {
                assertThat(promptly(claims(strategy), List.of(new Settlement(late, verdict))))
                        .isEqualTo(new Settled(Set.of(), Set.of()));
            }
            boolean locked = CompletableFuture.supplyAsync(() -> {
                        try {
                            return fixture()
                                    .database
                                    .transaction(connection -> fixture().store.lock(connection, late));
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(locked).isFalse();
        });
        assertThat(fixture().job(late.jobId())).isEqualTo(before);
    }

    /**
     * A cancel or a renewal may hold the lock of the row. The transaction of the job's own handler then waits for the lock, and is not
     * refused.
     */
    @Test
    default void aTransactionWaitsForARowThatIsLockedForAMoment() throws Exception {
        Lease lease = claimed(1).get(0);
        CompletableFuture<Boolean> waits = new CompletableFuture<>();
        DataSource watched = fixture().at("FOR UPDATE(?!.*SKIP LOCKED)", statement -> waits.complete(true));
        Database database = new Database(watched, fixture().database.dialect());
        List<CompletableFuture<Boolean>> locked = new ArrayList<>();
        whileLocked(lease.jobId(), () -> {
            locked.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return database.transaction(connection -> fixture().store.lock(connection, lease));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }));
            CompletableFuture.anyOf(waits, locked.get(0)).get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
        });
        assertThat(locked.get(0).get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aRenewedJobAndOneWhoseLockIsGoneAreCompletedAtOnce() throws Exception {
        List<Lease> leases = claimed(2);
        claims(Strategy.ROWS).renew(List.of(new LeaseRenewal(leases.get(0), 50)), Fixture.LEASE);
        whileLocked(leases.get(1).jobId(), () -> {});
        assertThat(claims(Strategy.ROWS)
                        .settle(leases.stream().map(SettleContract::completed).toList()))
                .isEqualTo(new Settled(Set.copyOf(leases), Set.of()));
    }

    @ParameterizedTest
    @MethodSource("settling")
    default void aBatchOfManyEndsIsRecordedWhole(Strategy strategy) throws Exception {
        List<Lease> leases = claimed(4);
        List<Settlement> runs = List.of(
                completed(leases.get(0)),
                new Settlement(leases.get(1), new Verdict.Retry(Duration.ZERO, "failed")),
                new Settlement(leases.get(2), new Verdict.Discarded("no", "failed")),
                completed(leases.get(3)));
        assertThat(claims(strategy).settle(runs)).isEqualTo(new Settled(Set.copyOf(leases), Set.of()));
        fixture().sweepMarked();
        assertThat(leases)
                .extracting(lease -> fixture().job(lease.jobId()).state())
                .containsExactly(JobState.COMPLETED, JobState.AVAILABLE, JobState.DISCARDED, JobState.COMPLETED);
        assertThat(claims(strategy).settle(runs)).isEqualTo(new Settled(Set.of(), Set.of()));
    }

    /** A worker sweeps once a second, and completes more in a second than one statement sweeps. */
    @Test
    default void anyNumberOfMarkedJobsIsSweptAtOnce() throws Exception {
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, 1001).mapToObj(i -> "n" + i).toList());
        List<Settlement> runs =
                claimAgain(1001).stream().map(SettleContract::completed).toList();
        ClaimStrategy marking = claims(new Strategy.Pessimistic(0, true));
        assertThat(marking.settle(runs).accepted()).hasSize(1001);
        assertThat(fixture().count("pawl_job")).isEqualTo(1001);
        marking.tidy();
        assertThat(fixture().count("pawl_job")).isZero();
        assertThat(fixture().count("pawl_job_history")).isEqualTo(1001);
    }

    @Test
    default void aReleasedJobIsAsBeforeTheClaim() throws Exception {
        List<Lease> leases = claimed(3);
        List<Job> before =
                leases.stream().map(lease -> fixture().job(lease.jobId())).toList();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_job WHERE prefetched"))
                .isEqualTo(3);
        assertThat(claims(Strategy.ROWS).release(leases.subList(0, 1))).hasSize(1);
        claims(Strategy.ROWS).settle(List.of(new Settlement(leases.get(1), new Verdict.Release())));
        fixture().admin.jobs().cancel(leases.get(2).jobId());
        claims(Strategy.ROWS).settle(List.of(new Settlement(leases.get(2), new Verdict.Release())));
        for (int i = 0; i < 2; i++) {
            Job job = fixture().job(leases.get(i).jobId());
            assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
            assertThat(job.attempt()).isZero();
            assertThat(job.availableAt()).isEqualTo(before.get(i).availableAt());
        }
        assertThat(fixture().job(leases.get(2).jobId()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(fixture().count("pawl_attempt")).isZero();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_job WHERE prefetched"))
                .isZero();
    }

    /** With bulk statements, MariaDB's driver reports for each row of a batch that the number of changes is unknown. */
    @Test
    @RunsOn(Product.MARIADB)
    default void unknownUpdateCountsOfABatchAreNotTrusted() throws Exception {
        assumeThat(testDatabase().jdbcUrl()).startsWith("jdbc:mariadb:");
        String url = testDatabase().jdbcUrl();
        TestDatabase bulky = new TestDatabase(
                url + (url.contains("?") ? "&" : "?") + "useBulkStmts=true&useBulkStmtsForInserts=true", () -> {});
        List<Lease> leases = claimed(6);
        try (HikariDataSource pool = bulky.newDataSource(2)) {
            DatabaseProduct product = Databases.of(pool, fixture().prefix);
            Database database = new Database(pool, product.dialect());
            ClaimStrategy marking =
                    new SqlJobStore(product, database, Retention.DEFAULTS).strategy(new Strategy.Pessimistic(0, true));
            List<Lease> completed = leases.subList(0, 3);
            assertThat(marking.settle(
                            completed.stream().map(SettleContract::completed).toList()))
                    .isEqualTo(new Settled(Set.copyOf(completed), Set.of()));
            assertThat(marking.release(leases.subList(3, 6))).containsExactlyInAnyOrderElementsOf(leases.subList(3, 6));
        }
    }

    /** {@return the pool, with an action right after a call of this name or a commit} The number says which of these calls it is. */
    private DataSource after(String sql, int time, Locked action) {
        AtomicReference<Integer> left = new AtomicReference<>(time);
        ExpectedStatements.Expected expected = fixture().statements.expect(sql);
        Locked happening = () -> {
            boolean unused = expected.isMet(sql, true);
            action.run();
        };
        return proxy(
                DataSource.class,
                fixture().pool,
                (method, answer) -> answer instanceof Connection connection
                        ? proxy(Connection.class, connection, (called, result) -> {
                            if (called.equals("commit") && sql.equals("COMMIT") && left.getAndUpdate(n -> n - 1) == 1) {
                                happening.run();
                            }
                            return result instanceof java.sql.PreparedStatement statement
                                    ? proxy(java.sql.PreparedStatement.class, statement, (executed, count) -> {
                                        if (executed.equals(sql) && left.getAndUpdate(n -> n - 1) == 1) {
                                            happening.run();
                                        }
                                        return count;
                                    })
                                    : result;
                        })
                        : answer);
    }

    interface After {
        Object answer(String method, Object answer) throws Exception;
    }

    private static <T> T proxy(Class<T> type, T real, After after) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            try {
                return after.answer(method.getName(), method.invoke(real, args));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private ClaimStrategy over(DataSource source, Strategy strategy) throws SQLException {
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        return new SqlJobStore(product, new Database(source, product.dialect()), Retention.DEFAULTS).strategy(strategy);
    }

    private List<Lease> claim(ClaimStrategy strategy, int limit) throws SQLException {
        return strategy
                .claim(new ClaimRequest("default", List.of("greet"), limit, fixture().worker, Fixture.LEASE, false))
                .stream()
                .map(Grant::lease)
                .toList();
    }

    SQLException CUT = new SQLException("cut", "08006");

    /** A worker stalls between the update and the read-back of its claim until its lease has expired, and another worker claims the job. */
    @Test
    default void aStalledOptimisticClaimDoesNotGetTheTokenOfTheNextOwner() throws Exception {
        long id = fixture().enqueue();
        AtomicReference<Lease> next = new AtomicReference<>();
        DataSource stalling = after("executeUpdate", 1, () -> {
            claims(Strategy.ROWS)
                    .settle(List.of(new Settlement(present(id), new Verdict.Retry(Duration.ZERO, "lapsed"))));
            next.set(claimAgain(1).get(0));
        });
        assertThat(claim(over(stalling, Strategy.optimistic(10, Strategy.Pick.FIRST)), 1))
                .isEmpty();
        assertThat(next.get()).isEqualTo(present(id));
    }

    private Lease present(long id) {
        return new Lease(id, fixture().job(id).leaseToken());
    }

    @Test
    default void aBrokenOptimisticClaimKeepsItsJobs() throws Exception {
        for (int i = 0; i < 10; i++) {
            fixture().enqueue();
        }
        DataSource cut = after("executeUpdate", 7, () -> {
            throw CUT;
        });
        List<Lease> won = claim(over(cut, Strategy.optimistic(10, Strategy.Pick.FIRST)), 10);
        assertThat(won).as("even the one whose answer was lost").hasSize(7);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_job WHERE state = 1"))
                .isEqualTo(7);
    }

    @Test
    default void aClaimWithoutACommitReplyKeepsItsJobs() throws Exception {
        for (int i = 0; i < 10; i++) {
            fixture().enqueue();
        }
        DataSource cut = after("COMMIT", 1, () -> {
            throw CUT;
        });
        assertThat(claim(over(cut, Strategy.PESSIMISTIC), 10)).hasSize(10);
    }

    /** Clusters may refuse a commit: the whole transaction is retried, and the worker does not own the rows of the first try. */
    @Test
    default void aClaimWhoseCommitIsRefusedReturnsNoJobTwice() throws Exception {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(fixture().enqueue());
        }
        List<Lease> first = new ArrayList<>();
        DataSource refused = after("COMMIT", 1, () -> {
            ids.forEach(id -> first.add(present(id)));
            assertThat(claims(Strategy.ROWS).release(first)).as("rolled back").hasSize(3);
            throw new SQLException("refused", "40001");
        });
        List<Lease> second = claim(over(refused, Strategy.PESSIMISTIC), 10);
        assertThat(second)
                .containsExactlyElementsOf(ids.stream().map(this::present).toList());
        assertThat(second).doesNotContainAnyElementsOf(first);
    }

    /** Hundreds of workers poll empty queues, and SQLite has one writer. */
    @Test
    default void anEmptyQueueIsPolledWithoutWriting() throws Exception {
        try (Connection writer = fixture().dataSource().getConnection()) {
            writer.setAutoCommit(false);
            fixture().execute(writer, "DELETE FROM pawl_job WHERE id = 0");
            List<Lease> none = CompletableFuture.supplyAsync(() -> {
                        try {
                            return claim(claims(Strategy.ROWS), 10);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(none).isEmpty();
            writer.rollback();
        }
    }
}
