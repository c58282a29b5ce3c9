package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.StackRequest;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.limit.SqlLimits;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.LimitSource.Request;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.StartedLeases;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import dev.pawl.spi.Leader;
import dev.pawl.spi.Leadership;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRuns;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The database loses its last commits, as in a crash without synchronous commits, a failover, or the restore of a backup. One of these
 * commits was a claim. Its worker is alive, and claims again with the same ids and claim numbers. What the worker does for the lost claim
 * must not change runs of the new claim.
 */
@WhiteBox
interface LostCommitContract extends Contract {
    /** Restores the state before the last claims. */
    private static void loseClaims(Fixture fixture) throws SQLException {
        fixture.execute("DELETE FROM pawl_lane_range");
        fixture.execute(
                "UPDATE pawl_job SET state = 0, attempt = 0, lease_token = 0, leased_by = NULL, started_at = NULL,"
                        + " lease_expires_at = NULL");
    }

    /**
     * Claims until the worker has the jobs. A worker caches the end of a lane for 0.2 s. Jobs that it skips because of that are found as
     * late jobs.
     */
    private static List<Grant> claimAgain(Fixture fixture, int jobs) {
        List<Grant> claimed = new ArrayList<>();
        await().atMost(Fixture.SOON).until(() -> {
            claimed.addAll(fixture.claim(jobs - claimed.size()));
            fixture.rows().tidy();
            return claimed.size() == jobs;
        });
        return claimed;
    }

    /** The lease of a lost claim, and the current lease of the same worker for the same job. */
    record Pair(Lease lost, Lease present) {}

    private static Pair pair(Fixture fixture) throws SQLException {
        fixture.enqueue();
        return again(fixture);
    }

    private static Pair again(Fixture fixture) throws SQLException {
        Lease lost = fixture.claimOne().lease();
        loseClaims(fixture);
        Lease present = claimAgain(fixture, 1).get(0).lease();
        assertThat(present.jobId()).isEqualTo(lost.jobId());
        return new Pair(lost, present);
    }

    private static void runsOn(Fixture fixture, Pair pair) throws SQLException {
        Job job = fixture.job(pair.present.jobId());
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        assertThat(job.leaseToken()).isEqualTo(pair.present.token());
        assertThat(job.attempt()).isEqualTo(1);
        assertThat(fixture.count("pawl_attempt")).isZero();
        assertThat(fixture.finish(pair.present, new Verdict.Completed())).isTrue();
        fixture.sweepMarked();
        assertThat(fixture.job(job.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(fixture.job(job.id()).leaseToken()).isEqualTo(pair.present.token());
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.contract.FenceContract#verdicts")
    default void anOutcomeOfALostClaimIsRefused(Verdict verdict, Fixture fixture) throws Exception {
        Pair pair = pair(fixture);
        assertThat(fixture.finish(pair.lost, verdict)).isFalse();
        runsOn(fixture, pair);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.conformance.contract.FenceContract#verdicts")
    default void anOutcomeOfALostClaimOfARowIsRefused(Verdict verdict, Fixture fixture) throws Exception {
        fixture.enqueueRow();
        Pair pair = again(fixture);
        assertThat(fixture.finish(pair.lost, verdict)).isFalse();
        runsOn(fixture, pair);
    }

    @Test
    default void anOutcomeOfALostClaimIsRefusedAfterTheNewOneHasEnded(Fixture fixture) throws Exception {
        Pair pair = pair(fixture);
        assertThat(fixture.finish(pair.present, new Verdict.Completed())).isTrue();
        assertThat(fixture.finish(pair.lost, new Verdict.Completed())).isFalse();
        assertThat(fixture.finish(pair.lost, new Verdict.Retry(Duration.ZERO, "late")))
                .isFalse();
        fixture.sweepMarked();
        assertThat(fixture.job(pair.lost.jobId()).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    default void outcomesOfALostAndANewClaimInOneCallAreDistinguished(Fixture fixture) throws Exception {
        List<Long> ids = IntStream.range(0, 6).mapToObj(i -> fixture.enqueue()).toList();
        List<Grant> lost = fixture.claim(4);
        loseClaims(fixture);
        List<Grant> present = claimAgain(fixture, 6);
        List<Settlement> together = new ArrayList<>();
        lost.forEach(one -> together.add(new Settlement(one.lease(), new Verdict.Completed())));
        present.subList(0, 3).forEach(one -> together.add(new Settlement(one.lease(), new Verdict.Completed())));
        assertThat(fixture.finish(together))
                .containsExactlyInAnyOrderElementsOf(
                        present.subList(0, 3).stream().map(Grant::lease).toList());
        fixture.sweepMarked();
        Map<Long, JobState> states = new HashMap<>();
        ids.forEach(id -> states.put(id, fixture.job(id).state()));
        for (int i = 0; i < 6; i++) {
            assertThat(states.get(present.get(i).lease().jobId()))
                    .isEqualTo(i < 3 ? JobState.COMPLETED : JobState.RUNNING);
        }
    }

    @Test
    default void aRenewalOfALostClaimRenewsNothingAndThatOfTheNewOneDoes(Fixture fixture) throws Exception {
        Pair pair = pair(fixture);
        Renewal renewal = fixture.rows()
                .renew(
                        List.of(new LeaseRenewal(pair.lost, null), new LeaseRenewal(pair.present, null)),
                        Duration.ofHours(1));
        assertThat(renewal.renewed()).containsExactly(pair.present);
        assertThat(renewal.taken().contains(pair.lost) || renewal.gone().contains(pair.lost))
                .isTrue();
        assertThat(fixture.rows()
                        .renew(List.of(new LeaseRenewal(pair.lost, 70)), Duration.ofHours(1))
                        .renewed())
                .isEmpty();
        assertThat(fixture.job(pair.lost.jobId()).progress()).isNull();
        runsOn(fixture, pair);
    }

    @Test
    default void aReleaseOfALostClaimGivesNothingBack(Fixture fixture) throws Exception {
        Pair pair = pair(fixture);
        assertThat(fixture.rows().release(List.of(pair.lost))).isEmpty();
        runsOn(fixture, pair);
    }

    @Test
    default void aLostClaimCannotLockNorCompleteInATransaction(Fixture fixture) throws Exception {
        Pair pair = pair(fixture);
        boolean unused = fixture.rows().detach(pair.lost);
        fixture.database.transaction(connection -> {
            assertThat(fixture.store.lock(connection, pair.lost)).isFalse();
            assertThat(fixture.store.complete(connection, new Settlement(pair.lost, new Verdict.Completed())))
                    .isFalse();
            return true;
        });
        runsOn(fixture, pair);
    }

    @Test
    default void aRemoteRunOfALostClaimChangesNothing(Fixture fixture) throws Exception {
        Pair pair = pair(fixture);
        boolean unused = fixture.rows().detach(pair.lost);
        assertThat(fixture.store.assign(pair.lost, "remote")).isFalse();
        boolean detached = fixture.rows().detach(pair.present);
        assertThat(detached).isTrue();
        RemoteRun lost = new RemoteRun(pair.lost.jobId(), pair.lost.token(), "remote");
        assertThat(fixture.queue.unwrap(RemoteRuns.class).renew(lost, Duration.ofHours(1), Duration.ofHours(1), 50))
                .isEqualTo(RemoteRun.Renewal.LOST);
        assertThat(fixture.queue.unwrap(RemoteRuns.class).withdraw(lost)).isFalse();
        assertThat(fixture.admin.runs().assignments(pair.lost.jobId(), Admin.UNLIMITED))
                .isEmpty();
        runsOn(fixture, pair);
    }

    @Test
    default void aStackTraceOfALostRunIsNotShownForTheNewOne(Fixture fixture) throws Exception {
        Pair pair = pair(fixture);
        assertThat(fixture.admin.runs().requestStackTrace(pair.present.jobId())).isEqualTo(StackRequest.REQUESTED);
        fixture.store.reportStackTrace(pair.lost, "of a lost run");
        assertThat(fixture.admin
                        .runs()
                        .stackTrace(pair.present.jobId())
                        .orElseThrow()
                        .stack())
                .isNull();
        fixture.store.reportStackTrace(pair.present, "of this run");
        assertThat(fixture.admin
                        .runs()
                        .stackTrace(pair.present.jobId())
                        .orElseThrow()
                        .stack())
                .isEqualTo("of this run");
        runsOn(fixture, pair);
    }

    /** Uses running handlers, and a worker that does not notice the loss. */
    @Test
    default void aWorkerWhoseClaimIsLostRunsTheJobAgainAndOnlyTheNewRunCounts(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch firstGoesOn = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch secondGoesOn = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        try (Worker worker = fixture.newWorker()
                .concurrency(2)
                .pollInterval(Duration.ofMillis(20))
                .lease(Duration.ofMinutes(5))
                .handle(Fixture.GREET, (name, run) -> {
                    boolean isFirst = calls.incrementAndGet() == 1;
                    (isFirst ? first : second).countDown();
                    (isFirst ? firstGoesOn : secondGoesOn).await();
                })
                .start()) {
            long id = fixture.enqueue();
            assertThat(first.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            loseClaims(fixture);
            assertThat(second.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            firstGoesOn.countDown();
            await().atMost(Fixture.SOON).until(() -> worker.stats().leasesLost() == 1);
            assertThat(worker.stats().completed()).isZero();
            assertThat(fixture.job(id).state()).isEqualTo(JobState.RUNNING);
            secondGoesOn.countDown();
            fixture.awaitState(id, JobState.COMPLETED);
            await().atMost(Fixture.SOON).until(() -> worker.stats().completed() == 1);
            assertThat(calls).hasValue(2);
        } finally {
            firstGoesOn.countDown();
            secondGoesOn.countDown();
        }
    }

    /** Steps belong to the job: a run without a valid lease must not write them. */
    @Test
    default void aRunOfALostClaimNeitherWritesStepsNorCommits(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch firstGoesOn = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch secondGoesOn = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        try (Worker worker = fixture.newWorker()
                .concurrency(2)
                .pollInterval(Duration.ofMillis(20))
                .lease(Duration.ofMinutes(5))
                .handle(Fixture.GREET, (name, run) -> {
                    boolean isFirst = calls.incrementAndGet() == 1;
                    (isFirst ? first : second).countDown();
                    (isFirst ? firstGoesOn : secondGoesOn).await();
                    if (isFirst) {
                        run.step("once", () -> {});
                    }
                })
                .start()) {
            long id = fixture.enqueue();
            assertThat(first.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            loseClaims(fixture);
            assertThat(second.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            firstGoesOn.countDown();
            await().atMost(Fixture.SOON).until(() -> worker.stats().leasesLost() == 1);
            assertThat(fixture.count("pawl_step")).isZero();
            secondGoesOn.countDown();
            fixture.awaitState(id, JobState.COMPLETED);
        } finally {
            firstGoesOn.countDown();
            secondGoesOn.countDown();
        }
    }

    /**
     * Both owners believe that they hold the duty's lease. The former one may work for one more round, but only the present owner can save
     * its state.
     */
    @Test
    default void onlyTheLaterOfTwoOwnersOfALostDutyCanSave(Fixture fixture) throws Exception {
        Leadership leadership = fixture.queue.unwrap(Leadership.class);
        Leader lost = leadership.hold("alerts", "one", Duration.ofSeconds(30)).orElseThrow();
        fixture.execute("DELETE FROM pawl_leader");
        Leader present =
                leadership.hold("alerts", "two", Duration.ofSeconds(30)).orElseThrow();
        assertThat(present.token()).as("a number that is counted").isEqualTo(lost.token());
        assertThat(leadership.save(lost, "of one")).isFalse();
        leadership.release(lost);
        assertThat(leadership.hold("alerts", "one", Duration.ofSeconds(30))).isEmpty();
        assertThat(leadership.save(present, "of two")).isTrue();
    }

    /** Permits that another worker got after the loss belong to that worker. The former holder learns of the loss when it reports. */
    @Test
    default void aLostShareOfALimitIsGoneWhenItsWorkerReports(Fixture fixture) throws Exception {
        Subject kind = Subject.kind("greet");
        fixture.queue.limits().set(Limit.kind("greet").atOnce(4));
        SqlLimits limits = new SqlLimits(fixture.database);
        long other = fixture.worker + 1;
        assertThat(share(limits.allocate(fixture.worker, new Request(kind, 4, true, 0, 1))))
                .isEqualTo(4);
        fixture.execute("DELETE FROM pawl_permit");
        assertThat(share(limits.allocate(other, new Request(kind, 3, true, 0, 1))))
                .isEqualTo(3);
        assertThat(share(limits.allocate(fixture.worker, new Request(kind, 4, true, 0, 1))))
                .isEqualTo(1);
    }

    private static int share(Allocation allocation) {
        return Objects.requireNonNull(allocation.permits()).share();
    }

    /** Otherwise another worker could get an id that is in use, and each of the two would overwrite what the other reports of its jobs. */
    @Test
    default void aWorkerWhoseRowIsLostWritesItAgainBeforeItsJobsBegin(Fixture fixture) throws Exception {
        WorkerRegistry registry = new WorkerRegistry(fixture.database);
        long worker = registry.register("lost", List.of("default"), List.of("greet"), 2, 4, Map.of());
        registry.scaled(worker, 3, 3);
        fixture.enqueueRow();
        Duration brief = Duration.ofMillis(50);
        Lease lease = fixture.store
                .strategy(Strategy.AUTO)
                .claim(new ClaimRequest("default", List.of("greet"), 1, worker, brief, true))
                .get(0)
                .lease();
        fixture.execute("DELETE FROM pawl_worker");
        registry.logStarts(worker, StartedLeases.encode(List.of(lease)), Duration.ofSeconds(10));
        fixture.letLeasesExpire(brief);
        assertThat(fixture.store.abandoned(10, 0))
                .singleElement()
                .satisfies(job -> assertThat(job.mayHaveBegun()).isTrue());
        fixture.execute("DELETE FROM pawl_worker");
        registry.heartbeat(worker, null);
        assertThat(fixture.admin.workers().list()).singleElement().satisfies(info -> {
            assertThat(info.id()).isEqualTo(worker);
            assertThat(info.name()).isEqualTo("lost");
            assertThat(info.concurrency()).isEqualTo(3);
            assertThat(info.alive()).isTrue();
        });
        registry.stopped(worker, null);
        assertThat(fixture.admin.workers().list().get(0).stoppedAt()).isNotNull();
        assertThat(worker).as("drawn, and not counted").isGreaterThan(99_999_999);
    }
}
