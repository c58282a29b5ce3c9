package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.Finding;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.cluster.UpcomingMoment;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.lane.LanePlace;
import dev.pawl.internal.place.PlaceCounts;
import dev.pawl.internal.place.PlaceRuns;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Subject;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Jobs that are written once and claimed by ranges; other changes move a job to a row. */
@WhiteBox
interface LaneContract extends Contract {
    /** The read of the first jobs behind all ranges. */
    String HEAD_READ = "^SELECT id,.* max_attempts,.* FROM \\w*pawl_lane_job|^WITH present";

    private ClaimStrategy lanes() throws SQLException {
        fixture().admin.queues().setStrategy("default", Strategy.LANES);
        return fixture().store.strategy(Strategy.LANES);
    }

    private List<Long> enqueue(int jobs) {
        return IntStream.range(0, jobs).mapToObj(i -> fixture().enqueue()).toList();
    }

    private static List<Long> ids(Collection<Grant> claimed) {
        return claimed.stream().map(one -> one.job().id()).toList();
    }

    private static List<Settlement> all(List<Grant> claimed, Verdict verdict) {
        return claimed.stream().map(one -> new Settlement(one.lease(), verdict)).toList();
    }

    private static List<Settlement> completed(List<Grant> claimed) {
        return all(claimed, new Verdict.Completed());
    }

    private List<Grant> claim(ClaimStrategy by, int limit) throws SQLException {
        return by.claim(fixture().request(limit));
    }

    @Test
    default void aJobIsWrittenOnceAndAThousandAreClaimedAndCompletedByOneRow() throws Exception {
        ClaimStrategy lanes = lanes();
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, 1000).mapToObj(i -> "n" + i).toList());
        List<Grant> claimed = claim(lanes, 1000);
        assertThat(claimed).hasSize(1000);
        assertThat(ids(claimed)).isSorted();
        assertThat(fixture().count("pawl_lane_range")).isEqualTo(1);
        assertThat(lanes.settle(completed(claimed)).accepted()).hasSize(1000);
        assertThat(fixture().count("pawl_lane_range")).isEqualTo(1);
        assertThat(fixture().count("pawl_lane_job WHERE lane > 0")).isEqualTo(1000);
        assertThat(fixture().count("pawl_job")).isZero();
        assertThat(fixture().count("pawl_job_history")).isZero();
        assertThat(fixture().longOf("SELECT MIN(completed) FROM pawl_lane_range WHERE lease_expires_at IS NULL"))
                .isEqualTo(1000);
    }

    /** For example, a dump was restored without the counter, so ids of new jobs would lie before claimed ranges. */
    @Test
    default void theDoctorSaysWhenTheCounterOfIdsIsBehindTheLanes() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(2);
        lanes.settle(completed(claim(lanes, 2)));
        assertThat(fixture().admin.maintenance().diagnose())
                .filteredOn(finding -> finding.topic().equals("ids"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.OK));
        long ahead = fixture().longOf("SELECT last_id FROM pawl_lane_range") + 1000;
        fixture().execute("UPDATE pawl_lane_range SET last_id = " + ahead);
        Finding behind = fixture().admin.maintenance().diagnose().stream()
                .filter(finding -> finding.topic().equals("ids"))
                .findFirst()
                .orElseThrow();
        assertThat(behind.level()).isEqualTo(Finding.Level.WARNING);
        assertThat(behind.message()).contains("there is a job " + ahead);
        long lost = fixture().enqueue();
        assertThat(claim(lanes, 10)).as("no claim looks there").isEmpty();
        String remedy = behind.message().substring(behind.message().lastIndexOf(": ") + 2);
        fixture().schemaChanges();
        try (Connection connection = fixture().pool.getConnection();
                Statement statement = connection.createStatement()) {
            boolean unused = statement.execute(remedy);
        }
        assertThat(fixture().admin.maintenance().diagnose())
                .filteredOn(finding -> finding.topic().equals("ids"))
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.OK));
        assertThat(fixture().enqueue()).isGreaterThan(ahead);
        assertThat(ids(claim(lanes, 10))).hasSize(1).doesNotContain(lost);
    }

    @Test
    default void jobsOfLanesAreShownLikeAllOthers() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(6);
        List<Grant> claimed = claim(lanes, 4);
        lanes.settle(completed(claimed.subList(0, 3)));
        assertThat(fixture().admin.queues().list(Admin.UNLIMITED))
                .singleElement()
                .satisfies(queue -> {
                    assertThat(queue.available()).isEqualTo(2);
                    assertThat(queue.running()).isEqualTo(1);
                    assertThat(queue.oldestAge()).isNotNull();
                });
        assertThat(fixture().admin.queues().finished(Admin.UNLIMITED))
                .containsExactly(new FinishedJobs("default", 3, 0, 0));
        assertThat(listed(JobFilter.ALL)).isEqualTo(reversed(ids));
        assertThat(listed(JobFilter.ALL.state(JobState.AVAILABLE))).isEqualTo(reversed(ids.subList(4, 6)));
        assertThat(listed(JobFilter.ALL.state(JobState.RUNNING))).isEqualTo(ids.subList(3, 4));
        assertThat(listed(JobFilter.ALL.state(JobState.COMPLETED))).isEqualTo(reversed(ids.subList(0, 3)));
        assertThat(listed(JobFilter.ALL.state(JobState.DISCARDED))).isEmpty();
        assertThat(listed(JobFilter.ALL.kind("other"))).isEmpty();
        assertThat(listed(JobFilter.ALL.text("hello").before(ids.get(2)).limit(1)))
                .containsExactly(ids.get(1));
        Job done = fixture().job(ids.get(0));
        assertThat(done.state()).isEqualTo(JobState.COMPLETED);
        assertThat(done.attempt()).isEqualTo(1);
        assertThat(done.leasedBy()).isEqualTo(fixture().worker);
        assertThat(done.finishedAt()).isAfterOrEqualTo(done.startedAt());
        Job running = fixture().job(ids.get(3));
        assertThat(running).isEqualTo(claimed.get(3).job());
        assertThat(fixture().job(ids.get(5)).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(fixture().admin.queues().unattended())
                .hasSize(1)
                .allSatisfy(jobs -> assertThat(jobs.jobs()).isEqualTo(2));
    }

    private List<Long> listed(JobFilter filter) {
        return fixture().admin.jobs().list(filter).stream().map(Job::id).toList();
    }

    private static List<Long> reversed(List<Long> ids) {
        return new TreeSet<>(ids).descendingSet().stream().toList();
    }

    @Test
    default void aJobThatFailsGetsARowAndItsTokenGrows() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(3);
        List<Grant> claimed = claim(lanes, 3);
        Lease first = claimed.get(1).lease();
        assertThat(lanes.settle(List.of(
                                new Settlement(claimed.get(0).lease(), new Verdict.Completed()),
                                new Settlement(first, new Verdict.Retry(Duration.ZERO, "boom")),
                                new Settlement(claimed.get(2).lease(), new Verdict.Discarded("never", "boom"))))
                        .accepted())
                .hasSize(3);
        assertThat(fixture().admin.runs().failedAttempts(ids.get(1), Admin.UNLIMITED))
                .hasSize(1);
        assertThat(fixture().job(ids.get(2)).state()).isEqualTo(JobState.DISCARDED);
        Grant second = claim(lanes, 1).get(0);
        assertThat(second.job().id()).isEqualTo(ids.get(1));
        assertThat(second.job().attempt()).isEqualTo(2);
        assertThat(second.lease().token()).isGreaterThan(first.token());
        assertThat(lanes.settle(List.of(new Settlement(first, new Verdict.Completed())))
                        .accepted())
                .isEmpty();
        assertThat(lanes.settle(completed(List.of(second))).accepted()).hasSize(1);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_lane_range WHERE lease_expires_at IS NOT NULL"))
                .isZero();
        assertThat(fixture().admin.queues().finished(Admin.UNLIMITED))
                .containsExactly(new FinishedJobs("default", 2, 0, 1));
    }

    @Test
    default void aRangeWhoseLeaseIsOverIsRescuedAndItsOwnerIsRefused() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(4);
        Duration brief = Duration.ofMillis(300);
        List<Grant> claimed =
                lanes.claim(new ClaimRequest("default", List.of("greet"), 4, fixture().worker, brief, false));
        lanes.settle(completed(claimed.subList(0, 1)));
        fixture().letLeasesExpire(brief);
        List<AbandonedJob> abandoned = fixture().store.abandoned(10, 0);
        assertThat(abandoned)
                .extracting(job -> job.lease().jobId())
                .containsExactlyInAnyOrderElementsOf(ids.subList(1, 4));
        assertThat(abandoned).allSatisfy(job -> assertThat(job.mayHaveBegun()).isTrue());
        Set<Lease> rescued = fixture()
                .store
                .rescue(abandoned.stream()
                        .map(job ->
                                new Rescue(job.lease(), job.expiredAt(), new Verdict.Retry(Duration.ZERO, "abandoned")))
                        .toList());
        assertThat(rescued).hasSize(3);
        assertThat(lanes.settle(completed(claimed)).accepted()).isEmpty();
        assertThat(claim(fixture().store.strategy(Strategy.LANES), 10)).hasSize(3);
        assertThat(fixture().job(ids.get(0)).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobThatIsCommittedLateIsFoundAndRunOnce() throws Exception {
        assumeTrue(fixture().database.dialect().mayCommitLate());
        ClaimStrategy lanes = lanes();
        enqueue(1);
        List<Long> later;
        long late;
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            late = fixture().queue.within(open).enqueue(request("greet")).jobId();
            later = enqueue(3);
            assertThat(ids(claim(lanes, 10))).hasSize(4).endsWith(later.get(2)).doesNotContain(late);
            recountNow();
            open.commit();
        }
        assertThat(later.get(0)).isGreaterThan(late);
        assertThat(claim(lanes, 10)).isEmpty();
        assertThat(fixture().job(late).state()).isEqualTo(JobState.AVAILABLE);
        recountNow();
        assertThat(ids(claim(lanes, 10))).containsExactly(late);
        recountNow();
        assertThat(claim(lanes, 10)).isEmpty();
    }

    private void recountNow() throws SQLException {
        fixture()
                .execute("UPDATE pawl_lane_range SET recount_at = "
                        + fixture().database.dialect().now() + " WHERE recount_at IS NOT NULL");
        fixture().store.sweep();
    }

    private static JobRequest request(String kind) {
        return new JobRequest(kind, "\"hello\"", EnqueueOptions.DEFAULTS);
    }

    /** On PostgreSQL a range is counted for the last time when all transactions that were writing at its claim have ended. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aRangeIsNotCountedAfterItsLastWriterHasEnded() throws Exception {
        assumeTrue(fixture().database.dialect().mayCommitLate());
        ClaimStrategy lanes = lanes();
        Dialect dialect = fixture().database.dialect();
        boolean tells = LaneDatabase.of(dialect).openWriters(dialect) != null;
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            fixture().queue.within(open).enqueue(request("greet"));
            enqueue(1);
            assertThat(claim(lanes, 10)).hasSize(1);
            for (int i = 0; i < 3; i++) {
                fixture().store.sweep();
            }
            assertThat(fixture().count("pawl_lane_range WHERE recount_at IS NOT NULL"))
                    .isEqualTo(1);
            open.commit();
        }
        for (int i = 0; i < 3; i++) {
            fixture().store.sweep();
        }
        if (tells) {
            assertThat(fixture().count("pawl_lane_range WHERE recount_at IS NOT NULL"))
                    .isZero();
            assertThat(claim(lanes, 10)).hasSize(1);
        }
    }

    /** The job is run however late its commit is, because an id before the oldest kept range belongs to no range. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobThatIsCommittedAfterItsNeighboursWerePrunedIsStillRun() throws Exception {
        assumeTrue(fixture().database.dialect().mayCommitLate());
        ClaimStrategy lanes = lanes();
        enqueue(1);
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            long late = fixture().queue.within(open).enqueue(request("greet")).jobId();
            enqueue(1);
            lanes.settle(completed(claim(lanes, 10)));
            enqueue(2);
            lanes.settle(completed(claim(lanes, 1)));
            fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO));
            assertThat(fixture().count("pawl_lane_range")).isEqualTo(1);
            open.commit();
            fixture().execute("UPDATE pawl_lane_range SET recount_at = NULL");
            fixture().store.strategy(Strategy.LANES).claim(fixture().request(1));
            fixture().store.sweep();
            assertThat(ids(claim(lanes, 10))).containsExactly(late);
        }
    }

    @Test
    default void finishedRangesArePrunedExceptTheNewest() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(5);
        List<Grant> first = claim(lanes, 2);
        lanes.settle(completed(first));
        List<Grant> second = claim(lanes, 2);
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO)))
                .isEqualTo(2);
        assertThat(fixture().admin.jobs().find(ids.get(0))).isEmpty();
        lanes.settle(completed(second));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO)))
                .as("of the newest range only the jobs")
                .isEqualTo(2);
        assertThat(fixture().count("pawl_lane_range")).isEqualTo(1);
        assertThat(ids(claim(lanes, 10))).containsExactly(ids.get(4));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO)))
                .isZero();
        assertThat(fixture().count("pawl_lane_range")).isEqualTo(1);
        assertThat(fixture().count("pawl_lane_job WHERE lane > 0")).isEqualTo(1);
    }

    @Test
    default void withoutRetentionCompletedJobsAreDeletedAtOnce() throws Exception {
        try (Fixture none = fixture().another(Schemas.CONNECTIONS, Retention.DEFAULTS.completed(Duration.ZERO))) {
            none.admin.queues().setStrategy("default", Strategy.LANES);
            ClaimStrategy lanes = none.store.strategy(Strategy.LANES);
            long id = none.enqueue();
            none.enqueue();
            List<Grant> claimed = lanes.claim(none.request(10));
            lanes.settle(completed(claimed.subList(0, 1)));
            assertThat(none.job(id).state()).isEqualTo(JobState.COMPLETED);
            lanes.settle(completed(claimed.subList(1, 2)));
            assertThat(none.count("pawl_lane_job WHERE lane > 0")).isZero();
            assertThat(none.admin.jobs().find(id)).isEmpty();
            assertThat(none.admin.queues().finished(Admin.UNLIMITED)).isEmpty();
        }
    }

    @Test
    default void availableJobsCanBeCancelledAtAnyPosition() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(5);
        for (int place : new int[] {2, 0, 4}) {
            assertThat(fixture().admin.jobs().cancel(ids.get(place))).isEqualTo(CancelResult.CANCELLED);
            assertThat(fixture().job(ids.get(place)).state()).isEqualTo(JobState.CANCELLED);
            assertThat(fixture().admin.jobs().cancel(ids.get(place))).isEqualTo(CancelResult.ALREADY_FINISHED);
        }
        assertThat(ids(claim(lanes, 10))).containsExactlyInAnyOrder(ids.get(1), ids.get(3));
        assertThat(fixture().admin.jobs().cancel(999_999)).isEqualTo(CancelResult.NOT_FOUND);
    }

    /** The claim has read the job, and writes its range after the cancel. */
    @Test
    default void aClaimThatHasReadACancelledJobDoesNotWinIt() throws Exception {
        lanes();
        List<Long> ids = enqueue(4);
        DataSource tampered = fixture()
                .at(
                        ExpectedStatements.NEW_RANGE,
                        TamperedDataSource.once(
                                statement -> assertThat(cancelled(ids.get(2))).isEqualTo(CancelResult.CANCELLED)));
        ClaimStrategy claims = fixture().storeOver(tampered).strategy(Strategy.LANES);
        List<Long> claimed = new ArrayList<>(ids(claim(claims, 10)));
        claimed.addAll(ids(claim(claims, 10)));
        assertThat(claimed).containsExactlyInAnyOrder(ids.get(0), ids.get(1), ids.get(3));
        assertThat(claims.lost())
                .as("where reading and claiming are one statement, as for few jobs, nothing runs in between")
                .isEqualTo(fixture().product == Product.POSTGRESQL ? 0 : 1);
    }

    /** Another transaction may seal the batch for long, or have locked the key of the job. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aCommandThatMayWaitForLocksBlocksNoClaim() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        ClaimStrategy lanes = lanes();
        enqueue(1);
        Batch batch = fixture().queue.batch("b").open();
        long member = batch.enqueue(Fixture.GREET, "cancelled").jobId();
        DataSource counting = fixture()
                .at("FROM \\w*pawl_batch_count WHERE batch_id = \\? FOR UPDATE", statement -> assertClaims(lanes));
        try (JobQueue queue = queueOver(counting)) {
            assertThat(queue.admin().jobs().cancel(member)).isEqualTo(CancelResult.CANCELLED);
        }
        List<Long> ids = enqueue(2);
        DataSource editing = fixture().at("^UPDATE \\w*pawl_job SET priority", statement -> assertClaims(lanes));
        try (JobQueue queue = queueOver(editing)) {
            assertThat(queue.admin().jobs().edit(ids.get(1), JobEdit.NOTHING.priority(1), "ada"))
                    .isEqualTo(EditResult.CHANGED);
        }
    }

    private JobQueue queueOver(DataSource source) {
        return JobQueue.builder(source)
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open();
    }

    /** Asserts that a claim gets a job although another transaction is open. */
    private void assertClaims(ClaimStrategy lanes) {
        assertThat(CompletableFuture.supplyAsync(() -> {
                    try {
                        return claim(lanes, 1);
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .succeedsWithin(Fixture.SOON)
                .satisfies(claimed -> assertThat(claimed).hasSize(1));
    }

    /** A caller's transaction seals the batch meanwhile. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aRetryThatWaitsForABatchBlocksNoOutcomeOfItsRange() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        assertBlocksNoOutcome((jobs, id) -> jobs.retry(id), RetryResult.AVAILABLE_NOW);
        assertBlocksNoOutcome(
                (jobs, id) -> jobs.changeAll(JobFilter.ALL.id(id), new JobChange.Retry(), changed -> {}),
                new ChangeResult(1, 0));
    }

    private void assertBlocksNoOutcome(BiFunction<JobAdmin, Long, Object> retry, Object result) throws Exception {
        ClaimStrategy lanes = lanes();
        Batch batch = fixture().queue.batch("b").open();
        long id = batch.enqueue(Fixture.GREET, "done").jobId();
        enqueue(1);
        List<Grant> claimed = claim(lanes, 2);
        Settlement member = new Settlement(claimed.get(0).lease(), new Verdict.Completed(), batch.id());
        assertThat(lanes.settle(List.of(member)).accepted()).hasSize(1);
        CountDownLatch tries = new CountDownLatch(2);
        CompletableFuture<Object> retried;
        try (JobQueue queue = queueOver(
                fixture().at("FROM \\w*pawl_lane_range WHERE .* FOR UPDATE", statement -> tries.countDown()))) {
            try (Connection sealing = fixture().pool.getConnection()) {
                sealing.setAutoCommit(false);
                assertThat(batch.seal(sealing)).isTrue();
                retried = CompletableFuture.supplyAsync(
                        () -> retry.apply(queue.admin().jobs(), id));
                assertThat(tries.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                        .as("it tries again")
                        .isTrue();
                await().atMost(Fixture.SOON)
                        .until(() -> !lanes.settle(completed(claimed.subList(1, 2)))
                                .accepted()
                                .isEmpty());
                sealing.commit();
                sealing.setAutoCommit(true);
            }
            assertThat(retried).succeedsWithin(Fixture.SOON).isEqualTo(result);
        }
        assertThat(batch.info().orElseThrow().completed()).isZero();
        assertThat(lanes.settle(completed(claim(lanes, 1))).accepted()).hasSize(1);
    }

    /**
     * The insert of a range commits itself. If a separate commit had to follow, a frozen worker would keep the key of the next range
     * locked, and so block the lane.
     */
    @Test
    default void aWorkerFrozenInAClaimBlocksNoOthers() throws Exception {
        lanes();
        enqueue(4);
        List<String> said = new ArrayList<>();
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        Database tampered = new Database(TamperedDataSource.of(fixture().pool, said::add), product.dialect());
        ClaimStrategy claims = new SqlJobStore(product, tampered, Retention.DEFAULTS).strategy(Strategy.LANES);
        assertThat(claim(claims, 2)).hasSize(2);
        int insert = IntStream.range(0, said.size())
                .filter(at -> said.get(at).contains("INSERT INTO " + fixture().prefix + "lane_range"))
                .findFirst()
                .orElseThrow();
        assertThat(said.subList(insert, said.size())).doesNotContain(TamperedDataSource.COMMIT);
    }

    /** Cancels a job during a claim. */
    private CancelResult cancelled(long id) {
        return fixture().admin.jobs().cancel(id);
    }

    @Test
    default void aRunningJobLearnsThatItIsCancelled() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(2);
        List<Grant> claimed = claim(lanes, 2);
        Lease wanted = claimed.get(0).lease();
        Lease unwanted = claimed.get(1).lease();
        assertThat(fixture().admin.jobs().cancel(unwanted.jobId())).isEqualTo(CancelResult.REQUESTED);
        Renewal renewal = lanes.renew(
                List.of(new LeaseRenewal(wanted, null), new LeaseRenewal(unwanted, null)), Duration.ofMinutes(1));
        assertThat(renewal.renewed()).containsExactlyInAnyOrder(wanted, unwanted);
        assertThat(renewal.cancelRequested()).containsExactly(unwanted);
        assertThat(lanes.settle(List.of(
                                new Settlement(wanted, new Verdict.Completed()),
                                new Settlement(unwanted, new Verdict.Cancelled("as asked"))))
                        .accepted())
                .containsExactlyInAnyOrder(wanted, unwanted);
        assertThat(fixture().job(unwanted.jobId()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(fixture().job(wanted.jobId()).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    default void aCompletedJobCanBeRunAgain() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(2);
        List<Grant> claimed = claim(lanes, 2);
        long id = claimed.get(0).job().id();
        assertThat(fixture().admin.jobs().retry(id)).isEqualTo(RetryResult.RUNNING);
        lanes.settle(completed(claimed));
        assertThat(fixture().admin.jobs().retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
        assertThat(fixture().admin.queues().finished(Admin.UNLIMITED))
                .containsExactly(new FinishedJobs("default", 1, 0, 0));
        Grant again = claim(lanes, 10).get(0);
        assertThat(again.job().id()).isEqualTo(id);
        assertThat(again.lease().token()).isGreaterThan(claimed.get(0).lease().token());
        assertThat(again.job().attempt()).isEqualTo(2);
        assertThat(lanes.settle(completed(claimed)).accepted())
                .as("recorded already, and one of them is another's now")
                .isEmpty();
    }

    /** Guard {@code DoneLessMoved} of the model {@code lanes.als}. The job was completed in the range, and is live again. */
    @Test
    default void aRangeIsNotClosedByAJobThatIsRunAgain() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(3);
        List<Grant> claimed = claim(lanes, 3);
        lanes.settle(completed(claimed.subList(0, 1)));
        assertThat(fixture().admin.jobs().retry(claimed.get(0).job().id())).isEqualTo(RetryResult.AVAILABLE_NOW);
        lanes.renew(List.of(new LeaseRenewal(claimed.get(2).lease(), null)), Duration.ofMinutes(1));
        lanes.settle(completed(claimed.subList(1, 2)));
        assertThat(fixture().job(claimed.get(2).job().id()).state()).isEqualTo(JobState.RUNNING);
    }

    /** Guard {@code PrunedAsksRow} of the model {@code lanes.als}. All jobs of the range have moved, and the range is pruned. */
    @Test
    default void anOutcomeIsAcceptedInItsRowAfterItsRangeIsPruned() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(2);
        List<Grant> claimed = claim(lanes, 1);
        Lease lease = claimed.get(0).lease();
        lanes.renew(List.of(new LeaseRenewal(lease, 50)), Duration.ofMinutes(1));
        claim(lanes, 1);
        LaneTransactionContract.backdateRanges(fixture());
        fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO));
        assertThat(fixture().count("pawl_lane_range")).isEqualTo(1);
        assertThat(lanes.settle(completed(claimed)).accepted()).containsExactly(lease);
    }

    @Test
    default void aRunMayGetARowOfItsOwn() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(2);
        List<Grant> claimed = claim(lanes, 2);
        Lease lease = claimed.get(0).lease();
        assertThat(lanes.detach(lease)).isTrue();
        assertThat(lanes.detach(lease)).isTrue();
        assertThat(fixture().job(lease.jobId())).isEqualTo(claimed.get(0).job());
        boolean committed = fixture()
                .database
                .transaction(connection -> fixture().store.lock(connection, lease)
                        && fixture().store.complete(connection, new Settlement(lease, new Verdict.Completed())));
        assertThat(committed).isTrue();
        Lease other = claimed.get(1).lease();
        assertThat(lanes.settle(completed(claimed.subList(1, 2))).accepted()).containsExactly(other);
    }

    @Test
    default void progressIsReportedInARow() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(2);
        List<Grant> claimed = claim(lanes, 2);
        Lease one = claimed.get(0).lease();
        Renewal renewal = lanes.renew(
                List.of(
                        new LeaseRenewal(one, 50),
                        new LeaseRenewal(claimed.get(1).lease(), null)),
                Duration.ofMinutes(1));
        assertThat(renewal.renewed()).hasSize(2);
        assertThat(fixture().count("pawl_job")).isEqualTo(1);
        assertThat(fixture().job(one.jobId()).progress()).isEqualTo(50);
        assertThat(lanes.settle(completed(claimed)).accepted()).hasSize(2);
    }

    /** If the jobs of such a kind did not move to rows together, each run would move separately, under the lock of the range. */
    @Test
    default void aKindWhoseRunsNeedRowsGetsThemTogether() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(5);
        long other = fixture().queue.enqueue(request("other")).jobId();
        enqueue(3);
        ClaimRequest both =
                new ClaimRequest("default", List.of("greet", "other"), 6, fixture().worker, Fixture.LEASE, false);
        List<Grant> claimed = lanes.claim(both);
        assertThat(claimed).hasSize(6);
        lanes.settle(completed(claimed.subList(0, 1)));
        assertThat(lanes.detach(claimed.get(1).lease())).isTrue();
        assertThat(fixture().count("pawl_job"))
                .as("those of its kind that are not done")
                .isEqualTo(4);
        List<Grant> next = lanes.claim(both);
        assertThat(next).hasSize(3);
        assertThat(fixture().count("pawl_job")).as("at once").isEqualTo(7);
        assertThat(fixture().job(other)).isEqualTo(claimed.get(5).job());
        for (Grant grant : claimed.subList(1, 6)) {
            assertThat(fixture().job(grant.job().id())).isEqualTo(grant.job());
        }
        Set<Lease> accepted = lanes.settle(completed(claimed.subList(1, 6))).accepted();
        assertThat(accepted).hasSize(5);
        assertThat(lanes.settle(completed(next)).accepted()).hasSize(3);
        assertThat(fixture().count("pawl_job")).isZero();
    }

    /** The jobs to drain were claimed, completed and pruned during the stall; only the newest range is left. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aStalledDrainMovesNoFinishedJob() throws Exception {
        assumeTrue(fixture().database.dialect().mayCommitLate());
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(6);
        DataSource tampered = fixture().at(ExpectedStatements.NEW_RANGE, TamperedDataSource.once(statement -> {
            lanes.settle(completed(claim(lanes, 2)));
            lanes.settle(completed(claim(lanes, 2)));
            fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO));
        }));
        ClaimStrategy rows = fixture().storeOver(tampered).strategy(Strategy.PESSIMISTIC);
        assertThat(ids(claim(rows, 10))).containsExactly(ids.get(4), ids.get(5));
    }

    /** Claims move the end of the lane more often than a transaction is repeated after a deadlock. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aCommandMayLoseManyRacesForTheEndOfALane() throws Exception {
        assumeTrue(fixture().database.dialect().mayCommitLate());
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(12);
        AtomicInteger races = new AtomicInteger();
        DataSource beaten = fixture().at(ExpectedStatements.NEW_RANGE, statement -> {
            if (races.incrementAndGet() <= 10) {
                assertThat(claim(lanes, 1)).hasSize(1);
            }
        });
        try (JobQueue queue = queueOver(beaten)) {
            assertThat(queue.admin().jobs().cancel(ids.get(11))).isEqualTo(CancelResult.CANCELLED);
        }
        assertThat(races).hasValue(11);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aDrainThatLosesEveryRaceFailsNoClaim() throws Exception {
        assumeTrue(fixture().database.dialect().mayCommitLate());
        ClaimStrategy lanes = lanes();
        enqueue(12);
        DataSource beaten = fixture().at(ExpectedStatements.NEW_RANGE, statement -> claim(lanes, 1));
        assertThat(claim(fixture().storeOver(beaten).strategy(Strategy.PESSIMISTIC), 1))
                .isEmpty();
    }

    /** {@return the ids that a newly started program claims from a queue} */
    private List<Long> claimedByANewProgram(String queue) throws SQLException {
        ClaimRequest request =
                new ClaimRequest(queue, List.of("greet"), 1, fixture().worker, Duration.ofMinutes(1), false);
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        SqlJobStore store = new SqlJobStore(product, fixture().database, Retention.DEFAULTS);
        return ids(store.strategy(Strategy.LANES).claim(request));
    }

    /** Simulates a crash without synchronous commits, or a failover to a replica. */
    private void loseLanes() throws SQLException {
        fixture().execute("DELETE FROM pawl_lane_range");
        fixture().execute("DELETE FROM pawl_lane_job");
        fixture().execute("DELETE FROM pawl_lane");
    }

    /** A program that knows the lane survives, and the worker that opened it does not. */
    @Test
    default void jobsWrittenToALostLaneRun() throws Exception {
        EnqueueOptions mail = EnqueueOptions.DEFAULTS.queue("mail");
        assertThat(claimedByANewProgram("mail")).isEmpty();
        fixture().enqueue(mail);
        loseLanes();
        long id = fixture().enqueue(mail);
        List<Long> claimed = new ArrayList<>();
        await().atMost(Fixture.SOON).until(() -> claimed.addAll(claimedByANewProgram("mail")));
        assertThat(claimed).containsExactly(id);
        assertThat(fixture().count("pawl_lane WHERE queue = 'mail'")).isEqualTo(1);
    }

    /** Programs may still write to the lost lane; another lane with its number would get their jobs. */
    @Test
    default void aLostLaneGetsItsOldNumberAndNoOtherLaneGetsIt() throws Exception {
        long[] numbers = new long[3];
        for (int i = 0; i < 3; i++) {
            String queue = i == 1 ? "letters" : "mail";
            assertThat(claimedByANewProgram(queue)).isEmpty();
            numbers[i] = fixture().longOf("SELECT id FROM pawl_lane WHERE queue = '" + queue + "'");
            loseLanes();
        }
        assertThat(numbers[2]).isEqualTo(numbers[0]).isNotEqualTo(numbers[1]).isGreaterThan(1_000_000_000);
    }

    /** Here the lane has a priority of its own, for which no worker would open a new lane because of one job. */
    @Test
    default void aWorkerReopensLanesThatItKnew() throws Exception {
        ClaimStrategy lanes = lanes();
        fixture().execute("INSERT INTO pawl_lane (queue, priority, is_open) VALUES ('default', 7, TRUE)");
        long number = fixture().longOf("SELECT id FROM pawl_lane WHERE priority = 7");
        fixture().enqueue(EnqueueOptions.DEFAULTS.priority(7));
        assertThat(claim(lanes, 1)).hasSize(1);
        loseLanes();
        await().atMost(Fixture.SOON)
                .until(() -> claim(lanes, 1).isEmpty() && fixture().count("pawl_lane WHERE priority = 7") == 1);
        assertThat(fixture().longOf("SELECT id FROM pawl_lane WHERE priority = 7"))
                .isEqualTo(number);
    }

    @Test
    default void aPriorityThatManyJobsHaveGetsALane() throws Exception {
        ClaimStrategy lanes = lanes();
        EnqueueOptions urgent = EnqueueOptions.DEFAULTS.priority(-5);
        for (int i = 0; i < 100; i++) {
            fixture().enqueue(urgent);
        }
        assertThat(claim(lanes, 200)).hasSize(100);
        assertThat(fixture().count("pawl_lane WHERE queue = 'default' AND priority = -5"))
                .isEqualTo(1);
    }

    /** The newest jobs of rows and lanes together are kept. A range is kept or deleted as a whole, so up to one range more is kept. */
    @Test
    default void theLastCompletedJobsOfBothPathsAreKept() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ids.addAll(enqueue(2));
            lanes.settle(completed(claim(lanes, 2)));
            fixture().letLeasesExpire(Duration.ZERO); // SQLite's clock counts in milliseconds
            ids.add(fixture().enqueueRow());
            lanes.settle(completed(claim(lanes, 1)));
            fixture().letLeasesExpire(Duration.ZERO);
        }
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.mostCompleted(5)))
                .isEqualTo(6);
        assertThat(listed(JobFilter.ALL.state(JobState.COMPLETED))).isEqualTo(reversed(ids.subList(6, 12)));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.mostCompleted(5)))
                .isZero();
        fixture().admin.maintenance().prune(Retention.DEFAULTS.mostCompleted(1));
        assertThat(listed(JobFilter.ALL.state(JobState.COMPLETED))).isEqualTo(reversed(ids.subList(11, 12)));
    }

    @Test
    default void jobsThatDidNotStartAreGivenBackAsRows() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(3);
        List<Grant> claimed = claim(lanes, 3);
        assertThat(lanes.release(List.of(claimed.get(1).lease(), claimed.get(2).lease())))
                .hasSize(2);
        assertThat(fixture().job(ids.get(1)).attempt()).isZero();
        assertThat(lanes.settle(completed(claimed)).accepted())
                .containsExactly(claimed.get(0).lease());
        assertThat(ids(claim(lanes, 10))).isEqualTo(ids.subList(1, 3));
    }

    /** Jobs of unknown kinds move to rows once, where other workers find them; the claim is full all the same. */
    @Test
    default void unknownKindsDoNotBlockAClaim() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ours = new ArrayList<>();
        List<Long> theirs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            theirs.add(fixture().queue.enqueue(request("other")).jobId());
            ours.add(fixture().enqueue());
        }
        assertThat(ids(claim(lanes, 3))).isEqualTo(ours.subList(0, 3));
        assertThat(ids(claim(lanes, 10))).isEqualTo(ours.subList(3, 5));
        List<Grant> others =
                lanes.claim(new ClaimRequest("default", List.of("other"), 10, fixture().worker, Fixture.LEASE, false));
        assertThat(ids(others)).isEqualTo(theirs);
    }

    /**
     * The worker handles a kind, but not now. If it dies before it has given such a job a row, no attempt is counted. So only logged starts
     * count in the range of such a job.
     */
    @Test
    default void aJobOfAPausedKindHasNotBegunIfItsWorkerDies() throws Exception {
        lanes();
        fixture().queue.limits().pause(Subject.kind("other"), Duration.ofHours(1), "later");
        Worker worker = fixture()
                .newWorker()
                .handle(Fixture.GREET, (text, run) -> {})
                .handle(JobType.of("other", String.class), (text, run) -> {})
                .start();
        try (worker) {
            for (int i = 1; i <= 20; i++) { // the worker does not know at once that the kind is paused
                fixture().queue.enqueueAll(List.of(request("other"), request("greet")));
                int jobs = i;
                await().atMost(Fixture.SOON).until(() -> worker.stats().completed() == jobs);
            }
        }
        for (Job other : fixture().admin.jobs().list(JobFilter.ALL.kind("other"))) {
            assertThat(isClaimedAsBegun(other.id())).isFalse();
        }
    }

    /** The second claim is for one kind, because it fills the call of a handler. */
    @Test
    default void aJobOfAnotherKindThanACallHasNotBegunIfItsWorkerDies() throws Exception {
        lanes();
        enqueue(1);
        long other = fixture().queue.enqueue(request("other")).jobId();
        long ours = fixture().enqueue();
        CompletableFuture<Long> logged = new CompletableFuture<>();
        Worker worker = fixture()
                .newWorker()
                .concurrency(1)
                .handle(JobType.of("other", String.class), (text, run) -> {})
                .handle(Fixture.GREET, Handlers.chunked(2, chunk -> {
                    assertThat(chunk.items()).hasSize(2);
                    logged.complete(fixture().count("pawl_worker WHERE started_leases LIKE '%," + ours + "]%'"));
                }))
                .start();
        try (worker) {
            assertThat(logged).succeedsWithin(Fixture.SOON).isEqualTo(1L);
        }
        assertThat(isClaimedAsBegun(other)).isFalse();
    }

    @Test
    default void jobsOfOtherKindsGetTheirRowsAfterAFailure() throws Exception {
        lanes();
        fixture().queue.enqueue(request("other"));
        long ours = fixture().enqueue();
        DataSource failing = fixture()
                .at("INSERT INTO \\w*pawl_job .*pawl_lane_job", TamperedDataSource.once(statement -> {
                    throw new SQLException("a disk is full", "53100");
                }));
        ClaimStrategy lanes = fixture().storeOver(failing).strategy(Strategy.LANES);
        assertThat(ids(claim(lanes, 2))).containsExactly(ours);
        assertThat(fixture().count("pawl_job")).isZero();
        lanes.tidy();
        assertThat(fixture().count("pawl_job WHERE state = 0 AND kind = 'other'"))
                .isEqualTo(1);
    }

    private boolean isClaimedAsBegun(long job) throws SQLException {
        return fixture().count("pawl_lane_range WHERE NOT ahead AND starts_after < " + job + " AND last_id >= " + job)
                > 0;
    }

    @Test
    default void nothingIsClaimedFromALaneWhileAllQueuesArePaused() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> jobs = enqueue(200);
        assertThat(ids(claim(lanes, 100))).isEqualTo(jobs.subList(0, 100));
        fixture().admin.queues().pauseAll();
        assertThat(claim(lanes, 100))
                .as("where many jobs were found, another statement claims")
                .isEmpty();
        assertThat(claim(lanes, 1)).isEmpty();
        fixture().admin.queues().resumeAll();
        assertThat(ids(claim(lanes, 100))).isEqualTo(jobs.subList(100, 200));
    }

    /** If two services share a queue, the jobs of one must not wait behind thousands of jobs of the other. */
    @Test
    default void manyJobsOfUnknownKindsMoveByTheThousandAndTheClaimIsFullAllTheSame() throws Exception {
        ClaimStrategy lanes = lanes();
        fixture()
                .queue
                .enqueueAll(
                        JobType.of("other", String.class),
                        IntStream.range(0, 2_500).mapToObj(i -> "n" + i).toList());
        long first = fixture().enqueue();
        fixture()
                .queue
                .enqueueAll(
                        JobType.of("other", String.class),
                        IntStream.range(0, 500).mapToObj(i -> "m" + i).toList());
        long second = fixture().enqueue();
        assertThat(ids(claim(lanes, 2))).containsExactly(first, second);
        assertThat(fixture().count("pawl_lane_range"))
                .as("each range moves up to a thousand")
                .isLessThanOrEqualTo(8);
        assertThat(fixture().count("pawl_job WHERE kind = 'other' AND attempt = 0 AND state = 0"))
                .isEqualTo(3_000);
    }

    /** A thousand jobs of maximum size would not fit into a worker's memory. */
    @Test
    default void largeJobsOfUnknownKindsMoveAFewAtATime() throws Exception {
        ClaimStrategy lanes = lanes();
        String large = "x".repeat(1_000_000);
        fixture()
                .queue
                .enqueueAll(
                        JobType.of("other", String.class),
                        IntStream.range(0, 14).mapToObj(i -> large).toList());
        long first = fixture().enqueue();
        assertThat(ids(claim(lanes, 1))).containsExactly(first);
        assertThat(fixture().count("pawl_lane_range WHERE jobs > 9")).isZero();
        assertThat(fixture().count("pawl_job WHERE kind = 'other'")).isEqualTo(14);
    }

    /**
     * Regression: the cancel moved the job out of the range, and the worker that had claimed the job did not notice until the lease
     * expired.
     */
    @Test
    default void aCancelOfAJobOfAnotherKindBeforeItsHandoffTakesEffect() throws Exception {
        lanes();
        fixture().enqueue();
        long other = fixture().queue.enqueue(request("other")).jobId();
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        List<CancelResult> cancels = new ArrayList<>();
        Database gated = new Database(
                TamperedDataSource.before(fixture().pool, () -> {
                    if (cancels.isEmpty() && fixture().job(other).state() == JobState.RUNNING) {
                        cancels.add(cancelled(other));
                    }
                }),
                product.dialect());
        ClaimStrategy claims = new SqlJobStore(product, gated, Retention.DEFAULTS).strategy(Strategy.LANES);
        assertThat(claim(claims, 10)).hasSize(1);
        assertThat(cancels).as("the cancel came before the handoff").containsExactly(CancelResult.REQUESTED);
        assertThat(fixture().job(other).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void bothPathsAreInOneOrder() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> plain = enqueue(40);
        List<Long> rows =
                IntStream.range(0, 20).mapToObj(i -> fixture().enqueueRow()).toList();
        long urgent = fixture().enqueue(EnqueueOptions.DEFAULTS.priority(-1));
        long idle = fixture().enqueue(EnqueueOptions.DEFAULTS.priority(1));
        List<Long> first = ids(claim(lanes, 20));
        assertThat(first).contains(urgent).doesNotContain(idle);
        assertThat(first.stream().filter(rows::contains).count()).isBetween(5L, 11L);
        List<Long> rest = ids(claim(lanes, 100));
        Set<Long> seen = new TreeSet<>(first);
        seen.addAll(rest);
        Set<Long> everything = new TreeSet<>(plain);
        everything.addAll(rows);
        everything.add(urgent);
        everything.add(idle);
        assertThat(seen).isEqualTo(everything);
        assertThat(rest).hasSize(62 - 20).endsWith(idle);
    }

    @Test
    default void idsOfBothPathsComeFromOneSource() throws Exception {
        lanes();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(fixture().enqueue());
            ids.add(fixture().enqueueRow());
            ids.add(fixture().enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1))));
            List<EnqueueResult> many = new ArrayList<>();
            fixture()
                    .database
                    .transaction(connection -> many.addAll(fixture()
                            .queue
                            .within(connection)
                            .enqueueEach(List.of(
                                    request("greet"),
                                    new JobRequest("greet", "1", EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1))),
                                    request("greet")))));
            many.stream().map(EnqueueResult::jobId).sorted().forEach(ids::add);
        }
        assertThat(ids).isSorted().doesNotHaveDuplicates();
        fixture().store.sweep();
        assertThat(fixture().count("pawl_lane_job")).as("no rows but the jobs'").isEqualTo(5 * 3);
    }

    @Test
    default void jobsOfARareKindAreListedThoughManyRangesLieBetween() throws Exception {
        ClaimStrategy lanes = lanes();
        long first = fixture().queue.enqueue(request("rare")).jobId();
        enqueue(420);
        long last = fixture().queue.enqueue(request("rare")).jobId();
        ClaimRequest one = new ClaimRequest(
                "default", List.of("greet", "rare"), 1, fixture().worker, Duration.ofMinutes(1), false);
        for (List<Grant> claimed = lanes.claim(one); !claimed.isEmpty(); claimed = lanes.claim(one)) {
            lanes.settle(completed(claimed));
        }
        assertThat(fixture().count("pawl_lane_range")).isGreaterThan(400);
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.kind("rare")))
                .extracting(Job::id, Job::state)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(last, JobState.COMPLETED),
                        org.assertj.core.groups.Tuple.tuple(first, JobState.COMPLETED));
    }

    @Test
    default void completedJobsOfAllLanesAreDeletedAtOnceUnlessLateJobsMayCome() throws Exception {
        ClaimStrategy lanes = lanes();
        fixture().execute("INSERT INTO pawl_lane (queue, priority) VALUES ('mail', 0)");
        enqueue(150);
        long before = fixture().queue.enqueue(request("rare")).jobId();
        lanes.settle(completed(claim(lanes, 150)));
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, 150).mapToObj(i -> "n" + i).toList(),
                        name -> EnqueueOptions.DEFAULTS.queue("mail"));
        ClaimRequest mail =
                new ClaimRequest("mail", List.of("greet"), 150, fixture().worker, Duration.ofMinutes(1), false);
        lanes.settle(completed(lanes.claim(mail)));
        fixture().execute("UPDATE pawl_lane_range SET recount_at = NULL");
        assertThat(fixture()
                        .admin
                        .jobs()
                        .count(JobFilter.ALL, new JobChange.Delete(), Admin.NO_TIMEOUT)
                        .jobs())
                .isEqualTo(300);
        assertThat(fixture().admin.jobs().changeAll(JobFilter.ALL.uniqueKey("k"), new JobChange.Delete(), count -> {}))
                .isEqualTo(new ChangeResult(0, 0));
        assertThat(fixture().admin.jobs().changeAll(JobFilter.ALL, new JobChange.Delete(), count -> {}))
                .isEqualTo(new ChangeResult(300, 0));
        assertThat(listed(JobFilter.ALL)).containsExactly(before);
        assertThat(fixture().admin.queues().finished(Admin.UNLIMITED))
                .allSatisfy(each -> assertThat(each.completed()).isZero());
        enqueue(2);
        lanes.settle(completed(claim(lanes, 2)));
        fixture()
                .execute("UPDATE pawl_lane_range SET recount_at = "
                        + fixture().database.dialect().now());
        ChangeResult late = fixture().admin.jobs().changeAll(JobFilter.ALL, new JobChange.Delete(), count -> {});
        assertThat(late.changed()).isZero();
        assertThat(late.left()).isPositive();
    }

    /** A range has only the time of its last outcome, which may be after the begin of the call. */
    @Test
    default void completedJobsOfABusyRangeAreChangedTogether() throws Exception {
        ClaimStrategy lanes = lanes();
        assertChangesThoseOfABusyRange(lanes, 3, new JobChange.Delete());
        assertChangesThoseOfABusyRange(lanes, 203, new JobChange.Retry()); // more than a page
    }

    /** One job is completed during the call, and one still runs. */
    private void assertChangesThoseOfABusyRange(ClaimStrategy lanes, int jobs, JobChange change) throws Exception {
        enqueue(jobs);
        List<Grant> claimed = claim(lanes, jobs);
        lanes.settle(completed(claimed.subList(0, jobs - 2)));
        fixture().execute("UPDATE pawl_lane_range SET recount_at = NULL"); // otherwise no job may be deleted yet
        DataSource busy = fixture().at("FROM \\w*pawl_lane_job", TamperedDataSource.once(statement -> {
            fixture().letTheClockTick();
            lanes.settle(completed(claimed.subList(jobs - 2, jobs - 1)));
        }));
        JobFilter done = JobFilter.ALL.state(JobState.COMPLETED);
        try (JobQueue queue = queueOver(busy)) {
            assertThat(queue.admin().jobs().changeAll(done, change, count -> {}))
                    .isEqualTo(new ChangeResult(jobs - 1, 0));
        }
    }

    @Test
    default void anotherStrategyFindsTheJobsInLanes() throws Exception {
        lanes();
        List<Long> ids = enqueue(30);
        fixture().admin.queues().setStrategy("default", Strategy.ROWS);
        ClaimStrategy rows = fixture().store.strategy(Strategy.optimistic(1, Strategy.Pick.FIRST));
        List<Long> claimed = new ArrayList<>(ids(claim(rows, 7)));
        assertThat(claimed).isEqualTo(ids.subList(0, 7));
        claimed.addAll(ids(claim(rows, 100)));
        assertThat(claimed).isEqualTo(ids);
        assertThat(fixture().job(ids.get(0)).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    default void anOutcomeWhoseReplyWasLostIsRecognizedAsRecorded() throws Exception {
        lanes();
        enqueue(3);
        AtomicBoolean cut = new AtomicBoolean();
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        Database tampered = new Database(
                TamperedDataSource.of(fixture().pool, statement -> {
                    if (statement.equals(TamperedDataSource.COMMIT) && cut.compareAndSet(true, false)) {
                        throw new SQLException("cut", "08006");
                    }
                }),
                product.dialect());
        SqlJobStore store = new SqlJobStore(product, tampered, Retention.DEFAULTS);
        ClaimStrategy lanes = store.strategy(Strategy.LANES);
        List<Grant> claimed = claim(lanes, 3);
        List<Settlement> outcomes = List.of(
                new Settlement(claimed.get(0).lease(), new Verdict.Completed()),
                new Settlement(claimed.get(1).lease(), new Verdict.Retry(Duration.ofHours(1), "boom")));
        cut.set(true);
        assertThatThrownBy(() -> lanes.settle(outcomes)).hasMessageContaining("cut");
        assertThat(lanes.settle(outcomes).accepted()).hasSize(2);
        assertThat(lanes.settle(completed(claimed.subList(2, 3))).accepted()).hasSize(1);
        assertThat(fixture().admin.queues().finished(Admin.UNLIMITED))
                .containsExactly(new FinishedJobs("default", 2, 0, 0));
    }

    /** This holds on tables that were never analysed, like most new tables while they fill up, and on analysed tables. */
    @Test
    default void aClaimReadsOnlyTheJobsThatItTakes() throws Exception {
        fixture().schemaChanges(); // a table too large to share with other tests
        ClaimStrategy before = lanes();
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, 20_000).mapToObj(i -> "n" + i).toList());
        for (int ranges = 0;
                ranges < 120;
                ranges++) { // from a hundred ranges on, MariaDB does not look up their end while it plans
            claim(before, 1);
        }
        ExplainingDataSource source =
                new ExplainingDataSource(fixture().pool, fixture().product.explain());
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        Database explained = new Database(source.dataSource(), product.dialect());
        ClaimStrategy lanes = new SqlJobStore(product, explained, Retention.DEFAULTS).strategy(Strategy.LANES);
        claim(lanes, 1);
        for (boolean analyzed : new boolean[] {false, true}) {
            if (analyzed) {
                fixture().execute(fixture().product.analyze("pawl_lane_job"));
                fixture().execute(fixture().product.analyze("pawl_lane_range"));
            }
            for (int limit : new int[] {1, 10, 1000}) {
                source.clear();
                List<Grant> claimed = claim(lanes, limit);
                assertThat(claimed).hasSize(limit);
                List<ExplainingDataSource.Plan> plans = source.takePlans("pawl_lane_job\\b");
                assertGood(plans);
                ExplainingDataSource.matching(plans, HEAD_READ).forEach(LaneContract::assertBeginsBehindWhatIsClaimed);
                lanes.settle(all(claimed.subList(0, 1), new Verdict.Retry(Duration.ofHours(1), "boom")));
                lanes.renew(
                        List.of(new LeaseRenewal(claimed.get(claimed.size() - 1).lease(), null)),
                        Duration.ofMinutes(1));
                lanes.settle(completed(claimed));
                assertGood(source.takePlans("pawl_lane_job\\b"));
            }
        }
    }

    /**
     * A slow queue keeps a range per job, so the table has many ranges. On SQLite it has no statistics, because SQLite never analyses its
     * tables.
     */
    @Test
    default void openAndNewestRangesAreFoundWithoutScanningTheHistory() throws Exception {
        ClaimStrategy lanes = lanes();
        String now = fixture().database.dialect().now();
        fixture()
                .execute("INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, leased_by, ahead, claimed_at,"
                        + " finished_at, completed) WITH RECURSIVE numbers AS (SELECT 1 AS n UNION ALL SELECT n +"
                        + " 1 FROM numbers WHERE n < 900) SELECT id, n, n + 1, 1, 1, FALSE, " + now + ", " + now
                        + ", 1 FROM numbers, pawl_lane WHERE queue = 'default'");
        if (fixture().product == Product.POSTGRESQL) { // PostgreSQL analyses its tables automatically
            fixture().execute(fixture().product.analyze("pawl_lane_range"));
        }
        claim(lanes, 1);
        ExplainingDataSource source =
                new ExplainingDataSource(fixture().pool, fixture().product.explain());
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        Database explained = new Database(source.dataSource(), product.dialect());
        boolean unused = explained.autocommit(connection -> {
            PlaceCounts counts = new LanePlace().counts(product.dialect());
            return counts.counts(connection, 1_000_000).isEmpty()
                    || counts.completedLately(connection, "default", Duration.ofMinutes(1)) < 0
                    || new LanePlace()
                            .runs(product.dialect())
                            .running(connection, Instant.now(), 10)
                            .jobs()
                            .isEmpty();
        });
        new UpcomingMoment(explained, Features.installed())
                .until(List.of("default"), List.of("greet"), List.of(), List.of());
        List<ExplainingDataSource.Plan> plans = source.takePlans("pawl_lane_range\\b");
        assertThat(ExplainingDataSource.matching(plans, "lane \\+ 0"))
                .hasSize(2)
                .allSatisfy(plan -> assertThat(String.join("\n", plan.lines()))
                        .as(plan.sql())
                        .contains("pawl_lane_range_open"));
        assertThat(plans).allSatisfy(plan -> assertThat(plan.toString()).doesNotContain("Sort: r.starts_after"));
        assertThat(ExplainingDataSource.matching(plans, "lately"))
                .allSatisfy(plan -> assertThat(plan.sql())
                        .as("bounded before it is filtered")
                        .contains(") lately WHERE"));
    }

    private static void assertGood(List<ExplainingDataSource.Plan> plans) {
        assertThat(plans)
                .allSatisfy(plan -> assertThat(plan.toString())
                        .doesNotContainPattern("Seq Scan on \\w*pawl_lane_job\\b")
                        .doesNotContainPattern("SCAN " + plan.names("pawl_lane_job"))
                        .doesNotContainPattern("table=" + plan.names("pawl_lane_job") + " .*type=ALL"));
    }

    private static void assertBeginsBehindWhatIsClaimed(ExplainingDataSource.Plan plan) {
        assertThat(plan.toString())
                .doesNotContain("filesort", "TEMP B-TREE FOR ORDER BY")
                .doesNotContainPattern("table=" + plan.names("pawl_lane_job") + " .*type=ref\\b")
                .doesNotContainPattern("Sort Key: \\w*pawl_lane_job");
    }

    /** Three thousand jobs, some of which fail once: each completes, and each attempt runs once. */
    @Test
    default void workersShareLanesAndRunEveryJobOnce() throws Exception {
        lanes();
        int jobs = 3_000;
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Set<String> twice = ConcurrentHashMap.newKeySet();
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, jobs).mapToObj(i -> "n" + i).toList());
        List<Worker> workers = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                workers.add(Worker.on(fixture().queue)
                        .strategy(Strategy.LANES)
                        .concurrency(4)
                        .retryPolicy(attempt -> Duration.ZERO)
                        .handle(Fixture.GREET, (name, run) -> {
                            if (!seen.add(name + "/" + run.attempt())) {
                                twice.add(name + "/" + run.attempt());
                            }
                            if (name.endsWith("00") && run.attempt() == 1) {
                                throw new IllegalStateException("once");
                            }
                        })
                        .start());
            }
            for (Worker worker : workers) {
                assertThat(worker.awaitIdle(Fixture.SOON)).isTrue();
            }
        } finally {
            workers.forEach(Worker::close);
        }
        assertThat(twice).isEmpty();
        assertThat(seen)
                .hasSize(jobs
                        + (int) IntStream.range(0, jobs)
                                .filter(i -> ("n" + i).endsWith("00"))
                                .count());
        assertThat(fixture().admin.queues().finished(Admin.UNLIMITED))
                .containsExactly(new FinishedJobs("default", jobs, 0, 0));
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_lane_range WHERE lease_expires_at IS NOT NULL"))
                .isZero();
    }

    /** The run is as old as the claim of its range; finished jobs give the usual run time. */
    @Test
    default void anUnusuallyLongRunInALaneIsReported(Fixture fixture) throws Exception {
        fixture.enqueue(EnqueueOptions.DEFAULTS);
        assertThat(fixture.finish(fixture.claimOne().lease(), new Verdict.Completed()))
                .isTrue();
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS);
        assertThat(fixture.claim(1)).hasSize(1);
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_job")).isZero();
        assertThat(fixture.admin.runs().stalled().jobs()).isEmpty();
        var dialect = fixture.database.dialect();
        int moved = fixture.database.transaction(connection -> {
            try (var statement = connection.prepareStatement(dialect.sql("UPDATE pawl_lane_range SET claimed_at = "
                    + dialect.moment() + " WHERE lease_expires_at IS NOT NULL"))) {
                dialect.bind(statement, 1, Instant.parse("2026-01-01T00:00:00Z"));
                return statement.executeUpdate();
            }
        });
        assertThat(moved).isEqualTo(1);
        assertThat(fixture.admin.runs().stalled().jobs()).singleElement().satisfies(job -> {
            assertThat(job.jobId()).isEqualTo(id);
            assertThat(job.running()).isGreaterThan(Duration.ofDays(1));
        });
        PlaceRuns runs = new LanePlace().runs(dialect);
        Instant before = Instant.parse("2026-02-01T00:00:00Z");
        PlaceRuns.Runs none = fixture.database.autocommit(connection -> runs.running(connection, before, 0));
        assertThat(none).as("no more than it may hold").isEqualTo(new PlaceRuns.Runs(List.of(), true));
        Map<String, Duration> longest =
                fixture.database.autocommit(connection -> runs.longest(connection, Set.of("greet", "other")));
        assertThat(longest).containsOnlyKeys("greet");
    }

    @Test
    default void aSearchOfManyRangesSaysThatThereMayBeMoreRuns(Fixture fixture) throws Exception {
        List<Job> running = new ArrayList<>();
        for (int claimed = 1; claimed <= 21; claimed++) {
            fixture.enqueue(EnqueueOptions.DEFAULTS);
            running.add(fixture.claimOne().job());
        }
        PlaceRuns runs = new LanePlace().runs(fixture.database.dialect());
        Instant later = Instant.parse("2999-01-01T00:00:00Z");
        PlaceRuns.Runs found = fixture.database.autocommit(connection -> runs.running(connection, later, 1_000));
        assertThat(found.jobs())
                .extracting(Job::id)
                .isSubsetOf(running.stream().map(Job::id).toList());
        assertThat(found.isAtLeast())
                .isEqualTo(found.jobs().size() < running.size())
                .isTrue();
    }

    private ClaimStrategy watched(Queue<String> statements) throws SQLException {
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        Database database = new Database(TamperedDataSource.of(fixture().pool, statements::add), product.dialect());
        return new SqlJobStore(product, database, Retention.DEFAULTS).strategy(Strategy.LANES);
    }

    /** Runs an action while another transaction has locked the open ranges, as a completion does. */
    private void whileOpenRangesAreLocked(Runnable others) throws Exception {
        assumeTrue(!fixture().product.equals(Product.SQLITE)
                && fixture().database.dialect().skipsLockedRows());
        try (Connection one = fixture().dataSource().getConnection()) {
            int before = one.getTransactionIsolation();
            one.setTransactionIsolation(
                    Connection.TRANSACTION_READ_COMMITTED); // otherwise MySQL locks rows that it has only read
            one.setAutoCommit(false);
            fixture().execute(one, "SELECT 1 FROM pawl_lane_range WHERE lease_expires_at IS NOT NULL FOR UPDATE");
            CompletableFuture<Void> beside = CompletableFuture.runAsync(others);
            assertThat(beside).succeedsWithin(Fixture.SOON);
            one.rollback();
            one.setAutoCommit(true);
            one.setTransactionIsolation(before);
        }
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void pruningDoesNotWaitForRangesInWhichJobsAreCompleted() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(6);
        lanes.settle(completed(claim(lanes, 2)));
        List<Grant> open = claim(lanes, 2);
        lanes.settle(completed(claim(lanes, 2)));
        Retention none = Retention.DEFAULTS.completed(Duration.ZERO);
        whileOpenRangesAreLocked(
                () -> assertThat(fixture().admin.maintenance().prune(none)).isEqualTo(2));
        assertThat(fixture().count("pawl_lane_range")).isEqualTo(2);
        lanes.settle(completed(open));
        assertThat(fixture().admin.maintenance().prune(none)).isEqualTo(4);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void countingDoesNotWaitForRangesInWhichJobsAreCompleted() throws Exception {
        assumeTrue(fixture().database.dialect().mayCommitLate());
        ClaimStrategy lanes = lanes();
        enqueue(1);
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            long late = fixture().queue.within(open).enqueue(request("greet")).jobId();
            enqueue(1);
            assertThat(claim(lanes, 10)).hasSize(2);
            fixture()
                    .execute("UPDATE pawl_lane_range SET recount_at = "
                            + fixture().database.dialect().now() + " WHERE recount_at IS NOT NULL");
            assertThat(fixture().count("pawl_lane_range WHERE recounts = 0 AND recount_at IS NOT NULL"))
                    .isEqualTo(1);
            whileOpenRangesAreLocked(() -> assertThatNoException().isThrownBy(fixture().store::sweep));
            assertThat(fixture().count("pawl_lane_range WHERE recounts = 0")).isEqualTo(1);
            open.commit();
            recountNow();
            assertThat(ids(claim(lanes, 10))).containsExactly(late);
        }
    }

    /** Claims wait for the key of the next range while it is locked, so a transaction must insert this key after all its other work. */
    @Test
    default void movingManyJobsBlocksClaimsForOneStatementOnly() throws Exception {
        lanes();
        enqueue(20);
        Queue<String> statements = new ConcurrentLinkedQueue<>();
        try (JobQueue queue = JobQueue.builder(TamperedDataSource.of(fixture().pool, statements::add))
                .tablePrefix(fixture().prefix)
                .open()) {
            statements.clear();
            assertThat(queue.admin()
                            .jobs()
                            .changeAll(JobFilter.ALL, new JobChange.Cancel(), changed -> {})
                            .changed())
                    .isEqualTo(20);
        }
        List<String> said = List.copyOf(statements);
        List<Integer> keys = IntStream.range(0, said.size())
                .filter(place -> said.get(place).startsWith("INSERT INTO " + fixture().prefix + "lane_range"))
                .boxed()
                .toList();
        assertThat(keys)
                .isNotEmpty()
                .allSatisfy(place -> assertThat(said.get(place + 1)).isEqualTo(TamperedDataSource.COMMIT));
    }

    /** All transactions lock ranges in this order. */
    @Test
    default void completionsAreWrittenInTheOrderOfTheirRanges() throws Exception {
        lanes();
        enqueue(8);
        Queue<String> statements = new ConcurrentLinkedQueue<>();
        ClaimStrategy lanes = watched(statements);
        List<Settlement> runs = new ArrayList<>(completed(claim(lanes, 3).subList(0, 2)));
        for (int i = 0; i < 2; i++) {
            runs.addAll(completed(claim(lanes, 2)));
        }
        statements.clear();
        assertThat(lanes.settle(runs).accepted()).hasSize(6);
        assertThat(statements.stream()
                        .filter(sql -> sql.startsWith("UPDATE "))
                        .map(sql -> sql.contains("SET done = NULL") ? "full" : "partly"))
                .containsExactly("partly", "full");
    }
}
