package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Admin;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RunAdmin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key release may claim the released jobs in the same transaction. */
@Specified
@WhiteBox
interface KeyClaimContract extends Contract {
    private static EnqueueOptions key(String key) {
        return EnqueueOptions.DEFAULTS.key(key);
    }

    private List<Long> enqueue(String key, int jobs) {
        return IntStream.range(0, jobs)
                .mapToObj(i -> fixture().queue.enqueue(GREET, "x", key(key)).jobId())
                .toList();
    }

    private ConcurrencyKeys.Released release(int limit, String... keys) throws Exception {
        ClaimRequest request =
                new ClaimRequest("default", List.of(GREET.kind()), limit, fixture().worker, Fixture.LEASE, false);
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        return new SqlKeys(fixture().database, product.claimById())
                .releaseJobs(
                        Stream.of(keys).map(each -> new JobKey("default", each)).toList(), Map.of("default", request));
    }

    private static List<Long> ids(List<Grant> grants) {
        return grants.stream().map(grant -> grant.job().id()).sorted().toList();
    }

    private void complete(Grant grant) throws Exception {
        Settlement completed = new Settlement(grant.lease(), new Verdict.Completed());
        assertThat(fixture().finish(List.of(completed))).containsExactly(grant.lease());
    }

    @Test
    default void jobsClaimedByAKeyReleaseHaveALease() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(2));
        List<Long> ids = enqueue("k", 3);
        ConcurrencyKeys.Released done = release(10, "k");
        assertThat(done.queues()).as("nothing is left to claim").isEmpty();
        assertThat(ids(done.claimed())).isEqualTo(ids.subList(0, 2));
        for (Grant grant : done.claimed()) {
            Job job = fixture().job(grant.job().id());
            assertThat(job.state()).isEqualTo(JobState.RUNNING);
            assertThat(job.leasedBy()).isEqualTo(fixture().worker);
            assertThat(job.leaseToken()).isEqualTo(grant.lease().token());
            assertThat(job.attempt()).isEqualTo(1);
            assertThat(grant.job().availableAt()).isBeforeOrEqualTo(grant.job().startedAt());
            assertThat(grant.job().key()).contains("k");
        }
        assertThat(release(10, "k").claimed()).as("two are under way").isEmpty();
        complete(done.claimed().get(0));
        assertThat(fixture().count("pawl_keyed")).as("the row of a blocked job").isOne();
        assertThat(ids(release(10, "k").claimed())).containsExactly(ids.get(2));
    }

    /** A job that a key release has claimed is in flight like any other job, because its lease counts and not the way it was claimed. */
    @Test
    default void jobsClaimedByAKeyReleaseCountUntilTheyEnd() throws Exception {
        List<Long> ids = enqueue("k", 2);
        Grant first = release(10, "k").claimed().get(0);
        fixture().finish(List.of(new Settlement(first.lease(), new Verdict.Retry(Duration.ofHours(1), "no"))));
        assertThat(release(10, "k").claimed()).as("in order").isEmpty();
        fixture().admin.jobs().retry(first.job().id());
        assertThat(release(10, "k").claimed()).isEmpty();
        assertThat(fixture().claimOne().job().id()).isEqualTo(ids.get(0));
    }

    @Test
    default void aJobRunBeforeItsReleaseWaitsForItsRetry() throws Exception {
        List<Long> ids = enqueue("k", 2);
        fixture().admin.jobs().retry(ids.get(0));
        fixture()
                .finish(List.of(
                        new Settlement(fixture().claimOne().lease(), new Verdict.Retry(Duration.ofHours(1), "no"))));
        Instant due = fixture().job(ids.get(0)).availableAt();
        assertThat(release(10, "k").claimed()).as("in order").isEmpty();
        assertThat(fixture().job(ids.get(0)).availableAt()).isEqualTo(due);
    }

    @Test
    default void aDelayedJobThatWasRunEarlyLeavesNoRowBehind() throws Exception {
        long id = fixture().enqueue(key("k").delay(Duration.ofDays(1000)));
        fixture().admin.jobs().retry(id);
        complete(fixture().claimOne());
        fixture().sweepMarked();
        var unused = release(10, "k");
        assertThat(fixture().count("pawl_keyed")).isZero();
    }

    @Test
    default void aJobRunBeforeItsReleaseMakesRoomDuringItsRetryDelay() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(2));
        List<Long> ids = enqueue("k", 3);
        fixture().admin.jobs().retry(ids.get(0));
        fixture()
                .finish(List.of(
                        new Settlement(fixture().claimOne().lease(), new Verdict.Retry(Duration.ofHours(1), "no"))));
        assertThat(ids(release(10, "k").claimed())).isEqualTo(ids.subList(1, 3));
        assertThat(fixture().job(ids.get(0)).state()).isEqualTo(JobState.BLOCKED);
    }

    /**
     * A job that waits for its retry is blocked if other jobs of its key may run. Regression: a retry of many jobs left such a blocked job
     * out.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void aBlockedJobThatWaitsForItsRetryIsRetriedWithOthers(boolean byCause) throws Exception {
        aJobRunBeforeItsReleaseMakesRoomDuringItsRetryDelay();
        long blocked = fixture()
                .admin
                .jobs()
                .list(JobFilter.ALL.state(JobState.BLOCKED))
                .get(0)
                .id();
        RunAdmin runs = fixture().admin.runs();
        ChangeResult changed = byCause
                ? runs.changeFailures(
                        runs.failures(null, null, Admin.UNLIMITED).get(0).id(), new JobChange.Retry(), count -> {})
                : fixture().admin.jobs().changeAll(JobFilter.ALL, new JobChange.Retry(), count -> {});
        assertThat(changed).isEqualTo(new ChangeResult(1, 0));
        assertThat(fixture().job(blocked).state()).as("both permits are in use").isEqualTo(JobState.BLOCKED);
        for (Job running : fixture().admin.jobs().list(JobFilter.ALL.state(JobState.RUNNING))) {
            assertThat(fixture().finish(new Lease(running.id(), running.leaseToken()), new Verdict.Completed()))
                    .isTrue();
        }
        fixture().sweepMarked();
        var unused = release(10, "k"); // PostgreSQL does not claim a row at once that the retry has locked
        assertThat(fixture().job(blocked).state()).isIn(JobState.RUNNING, JobState.AVAILABLE);
    }

    @Test
    default void jobsThatAWorkerDoesNotTakeAreReleasedUnclaimed() throws Exception {
        JobType<String> other = JobType.of("other", String.class);
        long unknown = fixture().queue.enqueue(other, "x", key("a")).jobId();
        long first = enqueue("b", 1).get(0);
        long second = enqueue("c", 1).get(0);
        ConcurrencyKeys.Released done = release(2, "a", "b", "c");
        assertThat(ids(done.claimed())).hasSize(1).containsAnyOf(first, second);
        assertThat(done.queues()).containsExactly("default");
        assertThat(fixture().job(unknown).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(Stream.of(first, second).map(id -> fixture().job(id).state()))
                .containsExactlyInAnyOrder(JobState.RUNNING, JobState.AVAILABLE);
    }

    @Test
    default void nothingIsClaimedFromAPausedQueue() throws Exception {
        long id = enqueue("k", 1).get(0);
        fixture().admin.queues().pause("default");
        assertThat(release(10, "k").claimed()).isEmpty();
        assertThat(fixture().job(id).state()).isEqualTo(JobState.AVAILABLE);
    }

    /** The job of the locked row stays blocked until the lock is gone; the other released jobs are claimed. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aLockedRowIsSkipped() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        long locked = enqueue("a", 1).get(0);
        long free = enqueue("b", 1).get(0);
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(fixture().execute(connection, "UPDATE pawl_job SET progress = 1 WHERE id = " + locked))
                    .isFalse();
            assertThat(ids(release(10, "a", "b").claimed())).containsExactly(free);
            connection.rollback();
        }
        assertThat(fixture().job(locked).state()).isEqualTo(JobState.BLOCKED);
        int claimed = release(10, "a").claimed().size();
        assertThat(fixture().job(locked).state()).as("%s claimed", claimed).isNotEqualTo(JobState.BLOCKED);
    }
}
