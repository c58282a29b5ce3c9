package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.Draw;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation runs once for each of its database calls, and this call fails. The connection breaks before the call, or after it, when
 * the server has executed the call and only the reply is lost. The caller retries, as workers do, or the lease expires. Whichever call
 * fails, every job ends exactly once, is charged only for started attempts, and is listed and counted in its state.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("strategies")
@WhiteBox
abstract class FailingCallsTest extends DatabaseTest {
    /** More calls than any operation has. */
    private static final int MAX = 200;

    private static final Retention NOTHING = Retention.DEFAULTS.completed(Duration.ZERO);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Verdict COMPLETED = new Verdict.Completed();
    private static final Verdict RETRY = new Verdict.Retry(Duration.ZERO, "boom");

    @Parameter
    Strategy strategy = Strategy.ROWS;

    /** The quick tier tests only lanes, which are the default and cover rows, too. */
    static Stream<Strategy> strategies() {
        return Draw.isAll("PAWL_CALLS") ? Stream.of(Strategy.LANES, Strategy.ROWS) : Stream.of(Strategy.LANES);
    }

    @Override
    Strategy strategy() {
        return strategy;
    }

    /** Prepares the jobs of a round; no call fails yet. */
    private interface Scenario {
        /** {@return the operation whose calls fail} */
        FailingRound.Call prepare(FailingRound round) throws Exception;
    }

    /** Runs one round for each call of an operation. */
    private void failEveryCall(Scenario scenario) throws Exception {
        try (HikariDataSource pool = fixture().testDatabase.newDataSource(3)) {
            FailingCalls calls = new FailingCalls(pool);
            JobQueue queue = queueOver(calls);
            DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
            long other = new WorkerRegistry(fixture().database)
                    .register("other", List.of("default"), List.of("k"), 1, 1, Map.of());
            Ledger ledger = new Ledger(fixture());
            for (FailingCalls.When when : FailingCalls.When.values()) {
                boolean failed = true;
                for (int call = 1; failed; call++) {
                    assertThat(call).isLessThan(MAX);
                    FailingRound round = new FailingRound(fixture(), queue, product, ledger, calls, other);
                    try {
                        FailingRound.Call operation = scenario.prepare(round);
                        calls.arm(call, when);
                        operation.run();
                        calls.disarm();
                        round.finish();
                    } catch (Exception | AssertionError e) {
                        throw new AssertionError(
                                when + " call " + call + ", " + calls.lost() + ": " + e.getMessage(), e);
                    } finally {
                        calls.disarm();
                    }
                    failed = round.hasFailed();
                }
            }
        }
    }

    private JobQueue queueOver(FailingCalls calls) {
        return JobQueue.builder(calls.dataSource())
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .notifications(false)
                .open();
    }

    private void assumeLanes() {
        assumeTrue(strategy instanceof Strategy.Lanes, "without lanes there is nothing more to see");
    }

    @Test
    void claim() throws Exception {
        failEveryCall(round -> {
            round.enqueue("other", EnqueueOptions.DEFAULTS);
            round.enqueue(2);
            round.enqueueRow();
            round.enqueueRow();
            return () -> {
                round.patiently(() -> round.claim(3));
                if (fixture().product != Product.POSTGRESQL) { // there a claim is one statement, without a read-back
                    assertThat(running(JobFilter.ALL.kind("greet")))
                            .as("a claim whose reply was lost is read back")
                            .isEqualTo(idsOf(round));
                }
            };
        });
    }

    private Set<Long> running(JobFilter filter) {
        Set<Long> running = new TreeSet<>();
        fixture().admin.jobs().list(filter.state(JobState.RUNNING)).forEach(job -> running.add(job.id()));
        return running;
    }

    private static Set<Long> idsOf(FailingRound round) {
        Set<Long> ids = new TreeSet<>();
        round.granted().forEach(lease -> ids.add(lease.jobId()));
        return ids;
    }

    @Test
    void completed() throws Exception {
        failEveryCall(round -> {
            List<Long> plain = round.enqueue(3);
            round.enqueueRow();
            List<Lease> leases = round.start(4);
            return () -> assertCompleted(round, plain, leases);
        });
    }

    @Test
    void completedOneAfterTheOther() throws Exception {
        assumeLanes();
        failEveryCall(round -> {
            List<Long> plain = round.enqueue(3);
            List<Lease> leases = round.start(3);
            return () -> {
                assertCompleted(round, plain, leases.subList(1, 2));
                assertCompleted(round, plain, leases.subList(0, 1));
                assertCompleted(round, plain, leases.subList(2, 3));
            };
        });
    }

    /** The cancel changes the range while a worker holds it. */
    @Test
    void completedBesideACancelledOne() throws Exception {
        failEveryCall(round -> {
            List<Long> plain = round.enqueue(3);
            List<Lease> leases = round.start(3);
            assertThat(fixture().admin.jobs().cancel(plain.get(1))).isEqualTo(CancelResult.REQUESTED);
            return () -> assertCompleted(round, List.of(plain.get(0), plain.get(2)), leases);
        });
    }

    private void assertCompleted(FailingRound round, List<Long> plain, List<Lease> leases) throws SQLException {
        Set<Lease> accepted = round.settle(FailingRound.all(leases, COMPLETED));
        for (Lease lease : leases) {
            assertThat(fixture().job(lease.jobId()).state()).isEqualTo(JobState.COMPLETED);
            if (!round.hasFailed() || (round.hasLanes() && plain.contains(lease.jobId()))) {
                assertThat(accepted).as("a range knows its owner again").contains(lease);
            }
        }
    }

    @Test
    void failedSnoozedAndDiscarded() throws Exception {
        failEveryCall(round -> {
            round.enqueue(5);
            List<Lease> leases = round.start(4);
            return () -> {
                round.settle(List.of(
                        new Settlement(leases.get(0), COMPLETED),
                        new Settlement(leases.get(1), RETRY),
                        new Settlement(leases.get(2), new Verdict.Snooze(Duration.ZERO)),
                        new Settlement(leases.get(3), new Verdict.Discarded("never", "boom"))));
                assertThat(leases)
                        .extracting(lease -> fixture().job(lease.jobId()).state())
                        .containsExactly(
                                JobState.COMPLETED, JobState.AVAILABLE, JobState.AVAILABLE, JobState.DISCARDED);
            };
        });
    }

    /** A stopping worker tries only once to release its jobs. If the database cannot be reached, their leases expire. */
    @Test
    void release() throws Exception {
        failEveryCall(round -> {
            round.enqueue(4);
            round.enqueueRow();
            List<Lease> leases = round.claim(4).stream().map(Grant::lease).toList();
            return () -> {
                try {
                    assertThat(round.strategy().release(leases)).hasSize(4);
                } catch (SQLException e) {
                    round.assertFailed(e);
                }
            };
        });
    }

    @Test
    void renew() throws Exception {
        failEveryCall(round -> {
            round.enqueue(4);
            round.enqueueRow();
            List<Lease> leases = round.start(5);
            List<LeaseRenewal> renewals = new ArrayList<>();
            leases.forEach(lease -> renewals.add(new LeaseRenewal(lease, renewals.size() == 1 ? 50 : null)));
            return () -> {
                round.patiently(() -> {
                    Renewal renewal = round.strategy().renew(renewals, MINUTE);
                    assertThat(renewal.taken()).isEmpty();
                    assertThat(renewal.gone()).as("leases are valid").isEmpty();
                    assertThat(renewal.renewed()).containsExactlyInAnyOrderElementsOf(leases);
                });
                round.nothingElseFails();
                assertThat(round.settle(FailingRound.all(leases, COMPLETED))).hasSize(5);
            };
        });
    }

    /** Completes a job as {@code run.transaction} in a handler does. If that throws, the run has failed. */
    @Test
    void completedInATransactionOfItsHandler() throws Exception {
        failEveryCall(round -> {
            round.enqueue(3);
            List<Lease> leases = round.start(2);
            return () -> {
                Lease lease = leases.get(0);
                try {
                    assertThat(round.strategy().detach(lease)).isTrue();
                    boolean completed = round.store()
                            .inTransaction(connection -> round.store().lock(connection, lease)
                                    && round.store()
                                            .complete(connection, new Settlement(lease, new Verdict.Completed())));
                    assertThat(completed).isTrue();
                    round.ledger().accepted(lease, COMPLETED, "its transaction");
                } catch (SQLException e) {
                    round.assertFailed(e);
                    if (fixture().job(lease.jobId()).state() != JobState.COMPLETED) {
                        assertThat(round.settle(FailingRound.all(List.of(lease), RETRY)))
                                .containsExactly(lease);
                    } else {
                        assertThat(round.strategy()
                                        .settle(FailingRound.all(List.of(lease), RETRY))
                                        .accepted())
                                .as("its commit took effect")
                                .isEmpty();
                    }
                }
            };
        });
    }

    @Test
    void rescue() throws Exception {
        failEveryCall(round -> {
            List<Long> plain = round.enqueue(5);
            round.enqueueRow();
            List<Lease> leases = round.start(2);
            round.claim(3);
            round.letLeasesExpire();
            return () -> {
                round.patiently(() -> round.rescue(round.store()));
                assertThat(running(JobFilter.ALL)).isEmpty();
                assertThat(round.ledger().ids()).containsAll(plain);
                assertThat(fixture().admin.runs().failedAttempts(leases.get(0).jobId(), Admin.UNLIMITED))
                        .hasSize(1);
            };
        });
    }

    /** If a worker dies, exactly the jobs whose starts it reported count as started. */
    @Test
    void announce() throws Exception {
        failEveryCall(round -> {
            round.enqueue(4);
            List<Lease> leases =
                    round.claim(4).stream().map(Grant::lease).sorted().toList();
            return () -> {
                round.patiently(() -> round.announce(leases.subList(0, 1)));
                round.patiently(() -> round.announce(leases.subList(2, 3)));
            };
        });
    }

    @Test
    void recountOfLateJobs() throws Exception {
        assumeLanes();
        assumeTrue(fixture().database.dialect().mayCommitLate());
        failEveryCall(round -> {
            fixture().execute("UPDATE pawl_lane_range SET recount_at = NULL"); // the ranges of earlier rounds
            try (Connection open = fixture().dataSource().getConnection()) {
                open.setAutoCommit(false);
                for (int i = 0; i < 2; i++) {
                    round.ledger()
                            .enqueued(fixture()
                                    .queue
                                    .within(open)
                                    .enqueue(new JobRequest("greet", "\"late\"", EnqueueOptions.DEFAULTS))
                                    .jobId());
                }
                round.enqueue(2);
                round.start(2);
                open.commit();
            }
            fixture()
                    .execute("UPDATE pawl_lane_range SET recount_at = "
                            + fixture().database.dialect().now() + " WHERE recount_at IS NOT NULL");
            return () -> {
                round.patiently(() -> round.store().sweep());
                assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_job")).isEqualTo(2);
            };
        });
    }

    @Test
    void recountOfJobsOlderThanAllKeptRanges() throws Exception {
        assumeLanes();
        assumeTrue(fixture().database.dialect().mayCommitLate());
        failEveryCall(round -> {
            try (Connection open = fixture().dataSource().getConnection()) {
                open.setAutoCommit(false);
                round.ledger()
                        .enqueued(fixture()
                                .queue
                                .within(open)
                                .enqueue(new JobRequest("greet", "\"late\"", EnqueueOptions.DEFAULTS))
                                .jobId());
                round.enqueue(2);
                round.settle(FailingRound.all(round.start(1), COMPLETED));
                round.settle(FailingRound.all(round.start(1), COMPLETED));
                fixture().admin.maintenance().prune(NOTHING);
                open.commit();
            }
            round.ledger().completedMayBeGone();
            round.ledger().countAgain();
            return () -> {
                round.patiently(() -> round.store().sweep());
                assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_job")).isEqualTo(1);
            };
        });
    }

    @Test
    void prune() throws Exception {
        assumeLanes();
        failEveryCall(round -> {
            round.enqueue(3);
            round.enqueueRow();
            round.settle(FailingRound.all(round.start(4), COMPLETED));
            List<Long> kept = round.enqueue(3);
            round.start(2);
            Admin admin = round.queue().admin();
            return () -> {
                round.patiently(() -> admin.maintenance().prune(NOTHING));
                round.ledger().completedMayBeGone();
                round.ledger().countAgain();
                assertThat(round.ledger().listed().keySet()).containsAll(kept);
            };
        });
    }

    @Test
    void cancelOfAnAvailableJob() throws Exception {
        failEveryCall(round -> {
            List<Long> ids = round.enqueue(4);
            round.start(1);
            Admin admin = round.queue().admin();
            return () -> {
                round.patiently(() -> assertThat(admin.jobs().cancel(ids.get(2)))
                        .isIn(
                                round.hasFailed()
                                        ? List.of(CancelResult.CANCELLED, CancelResult.ALREADY_FINISHED)
                                        : List.of(CancelResult.CANCELLED)));
                round.ledger().endsAs(ids.get(2), JobState.CANCELLED);
                assertThat(fixture().job(ids.get(2)).state()).isEqualTo(JobState.CANCELLED);
            };
        });
    }

    @Test
    void cancelOfARunningJob() throws Exception {
        failEveryCall(round -> {
            round.enqueue(3);
            List<Lease> leases = round.start(2);
            Admin admin = round.queue().admin();
            return () -> {
                Lease lease = leases.get(1);
                round.patiently(
                        () -> assertThat(admin.jobs().cancel(lease.jobId())).isEqualTo(CancelResult.REQUESTED));
                round.nothingElseFails();
                Renewal renewal = round.strategy()
                        .renew(
                                leases.stream()
                                        .map(one -> new LeaseRenewal(one, null))
                                        .toList(),
                                MINUTE);
                assertThat(renewal.renewed()).containsExactlyInAnyOrderElementsOf(leases);
                assertThat(renewal.cancelRequested()).containsExactly(lease);
                round.settle(FailingRound.all(List.of(lease), new Verdict.Cancelled("as asked")));
                assertThat(fixture().job(lease.jobId()).state()).isEqualTo(JobState.CANCELLED);
            };
        });
    }

    @Test
    void retryByHand() throws Exception {
        failEveryCall(round -> {
            round.enqueue(3);
            List<Lease> leases = round.start(3);
            round.settle(FailingRound.all(leases.subList(0, 1), COMPLETED));
            Admin admin = round.queue().admin();
            return () -> {
                long id = leases.get(0).jobId();
                round.patiently(() -> assertThat(admin.jobs().retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW));
                assertThat(fixture().job(id).state()).isEqualTo(JobState.AVAILABLE);
            };
        });
    }

    /** All jobs are enqueued or none; a retry may duplicate jobs without a unique key, but not a job with one. */
    @Test
    void enqueue() throws Exception {
        failEveryCall(round -> {
            JobQueue queue = round.queue();
            List<JobRequest> requests = List.of(
                    new JobRequest("greet", "\"plain\"", EnqueueOptions.DEFAULTS),
                    new JobRequest("greet", "\"other\"", EnqueueOptions.DEFAULTS),
                    new JobRequest("greet", "\"delayed\"", EnqueueOptions.DEFAULTS.delay(Duration.ofMillis(1))),
                    new JobRequest("greet", "\"key\"", EnqueueOptions.DEFAULTS.uniqueKey("key")));
            return () -> {
                round.patiently(() -> queue.enqueueAll(requests));
                Map<String, Integer> written = new TreeMap<>();
                for (Job job : fixture().admin.jobs().list(JobFilter.ALL)) {
                    if (job.state() == JobState.AVAILABLE) {
                        round.ledger().enqueued(job.id());
                        written.merge(job.payload(), 1, Integer::sum);
                    }
                }
                int times = round.lostTheReplyTo("commit") ? 2 : 1;
                assertThat(written)
                        .isEqualTo(Map.of("\"plain\"", times, "\"other\"", times, "\"delayed\"", times, "\"key\"", 1));
            };
        });
    }

    @Test
    void drainOfLanesByAnotherStrategy() throws Exception {
        assumeLanes();
        failEveryCall(round -> {
            round.enqueue(4);
            ClaimStrategy rows = round.store().strategy(Strategy.ROWS);
            return () -> round.patiently(() -> round.claimBy(rows, 3));
        });
    }
}
