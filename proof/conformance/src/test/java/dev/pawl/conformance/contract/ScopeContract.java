package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.Retention;
import dev.pawl.api.UniqueWhile;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unique keys by scope: which state of its job makes the key free again. */
@Specified
@WhiteBox
interface ScopeContract extends Contract {
    EnqueueOptions WAITING = EnqueueOptions.DEFAULTS.uniqueKey("k").uniqueWhile(UniqueWhile.WAITING);
    EnqueueOptions DISCARDED = EnqueueOptions.DEFAULTS.uniqueKey("k").uniqueWhile(UniqueWhile.LIVE_OR_DISCARDED);
    EnqueueOptions KEPT = EnqueueOptions.DEFAULTS.uniqueKey("k").uniqueWhile(UniqueWhile.KEPT);

    Retention KEEP = Retention.DEFAULTS;

    private EnqueueResult put(EnqueueOptions options) {
        return fixture().queue.enqueue(new JobRequest("greet", "\"hello\"", options));
    }

    private void end(Grant grant, Verdict verdict) throws Exception {
        assertThat(fixture().finish(grant.lease(), verdict)).isTrue();
        fixture().sweepMarked();
    }

    private void change(long id, JobChange change) {
        assertThat(fixture()
                        .admin
                        .jobs()
                        .changeAll(JobFilter.ALL.id(id), change, done -> {})
                        .changed())
                .isEqualTo(1);
    }

    @Test
    default void oneMoreMayWaitWhileOneRuns() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        long first = put(WAITING).jobId();
        assertThat(put(WAITING)).isEqualTo(new EnqueueResult.Duplicate(first));
        assertThat(fixture().job(first).uniqueKey()).isEqualTo("k");
        Grant running = fixture().claimOne();
        EnqueueResult second = put(WAITING);
        assertThat(second).as("it will see newer data than the first one").isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(put(WAITING)).isEqualTo(new EnqueueResult.Duplicate(second.jobId()));
        end(running, new Verdict.Completed());
        assertThat(put(WAITING)).isEqualTo(new EnqueueResult.Duplicate(second.jobId()));
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.uniqueKey("k")))
                .extracting(job -> job.id())
                .containsExactly(second.jobId(), first);
        end(fixture().claimOne(), new Verdict.Completed());
        assertThat(put(WAITING)).isInstanceOf(EnqueueResult.Inserted.class);
    }

    /** The concurrency key keeps the second job from running beside the first; the worker has a capacity of ten. */
    @Test
    default void withAConcurrencyKeyOneRunsAndOneWaits() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        Changes changes = new Changes(fixture(), WAITING.key("k"));
        try (Worker worker = changes.worker()) {
            long first = changes.running();
            EnqueueResult second = put(WAITING.key("k"));
            assertThat(second).isInstanceOf(EnqueueResult.Inserted.class);
            for (int change = 1; change <= 10; change++) {
                assertThat(put(WAITING.key("k"))).isEqualTo(new EnqueueResult.Duplicate(second.jobId()));
            }
            changes.othersRun(); // these jobs were enqueued later, so the worker has skipped the second job
            assertThat(fixture().job(second.jobId()).state()).isEqualTo(JobState.BLOCKED);
            changes.letAllEnd();
            fixture().awaitState(first, JobState.COMPLETED);
            fixture().awaitState(second.jobId(), JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(changes.mostAtOnce.get()).isEqualTo(1);
    }

    @Test
    default void withoutAConcurrencyKeyBothRun() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        Changes changes = new Changes(fixture(), WAITING);
        try (Worker worker = changes.worker()) {
            long first = changes.running();
            put(WAITING);
            await().atMost(Fixture.SOON).until(() -> changes.mostAtOnce.get() == 2);
            changes.letAllEnd();
            fixture().awaitState(first, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** Enqueues jobs with one unique key, whose handlers run until {@link #letAllEnd}, and other jobs. */
    final class Changes {
        private final EnqueueOptions options;
        private final Fixture fixture;
        private final AtomicInteger atOnce = new AtomicInteger();
        private final AtomicInteger mostAtOnce = new AtomicInteger();
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final CountDownLatch others = new CountDownLatch(1);

        Changes(Fixture fixture, EnqueueOptions options) {
            this.fixture = fixture;
            this.options = options;
        }

        private Worker worker() {
            return fixture.newWorker()
                    .concurrency(10)
                    .handle(GREET, (text, run) -> {
                        if (text.equals("other")) {
                            others.countDown();
                            return;
                        }
                        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                        assertThat(mayEnd.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                                .isTrue();
                        atOnce.decrementAndGet();
                    })
                    .start();
        }

        private long running() {
            long id = fixture.queue.enqueue(GREET, "first", options).jobId();
            await().atMost(Fixture.SOON).until(() -> atOnce.get() == 1);
            return id;
        }

        private void othersRun() throws InterruptedException {
            fixture.queue.enqueue(GREET, "other");
            assertThat(others.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }

        private void letAllEnd() {
            mayEnd.countDown();
        }
    }

    @Test
    default void aJobThatWaitsForARetryStillHasItsKey() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        long first = put(WAITING).jobId();
        end(fixture().claimOne(), new Verdict.Retry(Duration.ZERO, "no"));
        assertThat(put(WAITING)).isEqualTo(new EnqueueResult.Duplicate(first));
        assertThat(put(WAITING.onDuplicate(OnDuplicate.REPLACE).priority(7)))
                .isEqualTo(new EnqueueResult.Replaced(first));
        assertThat(fixture().job(first).priority()).isEqualTo(7);
        assertThat(fixture().job(first).uniqueKey()).isEqualTo("k");
        assertThat(fixture().claimOne().lease().jobId()).isEqualTo(first);
    }

    /** Otherwise the run would miss the other writes of the transaction that relies on the job. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobThatAnEnqueueReliesOnDoesNotStartBeforeThatEnqueueCommits() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        fixture().assumeNoTransactionAroundHandlers();
        long first = put(WAITING).jobId();
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(fixture().queue.within(connection).enqueue(GREET, "x", WAITING))
                    .isEqualTo(new EnqueueResult.Duplicate(first));
            assertThat(fixture().claim(10)).isEmpty();
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(fixture().claimOne().lease().jobId()).isEqualTo(first);
    }

    @Test
    default void aScopeAndADurationBothApply() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        EnqueueOptions options =
                EnqueueOptions.DEFAULTS.uniqueKey("k", Duration.ofHours(1)).uniqueWhile(UniqueWhile.WAITING);
        long first = put(options).jobId();
        Grant running = fixture().claimOne();
        assertThat(put(options)).as("within the hour").isEqualTo(new EnqueueResult.Duplicate(first));
        fixture()
                .execute("UPDATE pawl_unique SET expires_at = "
                        + fixture().product.moment(1));
        assertThat(put(options)).as("after it").isInstanceOf(EnqueueResult.Inserted.class);
        end(running, new Verdict.Completed());
    }

    @Test
    default void aDiscardedJobKeepsItsKeyUntilItIsDeleted() throws Exception {
        long first = put(DISCARDED).jobId();
        assertThat(put(DISCARDED)).isEqualTo(new EnqueueResult.Duplicate(first));
        end(fixture().claimOne(), new Verdict.Discarded("poison", "poison"));
        assertThat(fixture().job(first).state()).isEqualTo(JobState.DISCARDED);
        assertThat(put(DISCARDED)).isEqualTo(new EnqueueResult.Duplicate(first));
        pruneRechecksEveryRow();
        assertThat(put(DISCARDED)).isEqualTo(new EnqueueResult.Duplicate(first));
        fixture().admin.jobs().retry(first);
        assertThat(put(DISCARDED)).isEqualTo(new EnqueueResult.Duplicate(first));
        end(fixture().claimOne(), new Verdict.Completed());
        EnqueueResult second = put(DISCARDED);
        assertThat(second).as("it is done").isInstanceOf(EnqueueResult.Inserted.class);
        end(fixture().claimOne(), new Verdict.Discarded("poison", "poison"));
        change(second.jobId(), new JobChange.Delete());
        assertThat(put(DISCARDED)).isInstanceOf(EnqueueResult.Inserted.class);
    }

    @Test
    default void aKeyStaysTakenWhileTheHistoryKeepsItsJob() throws Exception {
        long first = put(KEPT).jobId();
        end(fixture().claimOne(), new Verdict.Completed());
        List<JobRequest> bulk = IntStream.range(0, 4)
                .mapToObj(i -> new JobRequest("greet", "\"x\"", KEPT.uniqueKey(i == 2 ? "k" : "other " + i % 2)))
                .toList();
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            List<EnqueueResult> results = fixture().queue.within(connection).enqueueEach(bulk);
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(results)
                    .as("an answer for each row")
                    .containsExactly(
                            new EnqueueResult.Inserted(results.get(0).jobId()),
                            new EnqueueResult.Inserted(results.get(1).jobId()),
                            new EnqueueResult.Duplicate(first),
                            new EnqueueResult.Duplicate(results.get(1).jobId()));
        }
        pruneRechecksEveryRow();
        assertThat(put(KEPT.onDuplicate(OnDuplicate.REPLACE))).isEqualTo(new EnqueueResult.Duplicate(first));
        change(first, new JobChange.Delete());
        assertThat(put(KEPT)).isInstanceOf(EnqueueResult.Inserted.class);
    }

    /** Prunes as if the next check of each row were due; rows that are needed stay. */
    private void pruneRechecksEveryRow() throws Exception {
        long rows = fixture().count("pawl_unique");
        fixture()
                .execute("UPDATE pawl_unique SET recheck_at = "
                        + fixture().product.moment(1));
        long unused = fixture().admin.maintenance().prune(KEEP);
        assertThat(fixture().count("pawl_unique")).isEqualTo(rows);
        assertThat(fixture()
                        .longOf("SELECT COUNT(*) FROM pawl_unique WHERE recheck_at = "
                                + fixture().product.moment(1)))
                .as("rechecked later")
                .isZero();
    }

    @Test
    default void rowsStayAsLongAsTheirJobs() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        for (UniqueWhile scope : UniqueWhile.values()) {
            long unused = put(EnqueueOptions.DEFAULTS.uniqueKey("of " + scope).uniqueWhile(scope))
                    .jobId();
            end(fixture().claimOne(), new Verdict.Completed());
        }
        assertThat(fixture().count("pawl_unique")).isEqualTo(3);
        fixture()
                .execute("UPDATE pawl_unique SET recheck_at = "
                        + fixture().product.moment(1));
        long unused = fixture().admin.maintenance().prune(KEEP);
        assertThat(fixture().count("pawl_unique"))
                .as("a finished job may be retried, and then needs its key")
                .isEqualTo(3);
        fixture().sweepMarked();
        fixture().admin.jobs().changeAll(JobFilter.ALL, new JobChange.Delete(), done -> {});
        fixture()
                .execute("UPDATE pawl_unique SET recheck_at = "
                        + fixture().product.moment(1));
        unused = fixture().admin.maintenance().prune(KEEP);
        assertThat(fixture().count("pawl_unique")).isZero();
    }

    @Test
    default void erasedJobsLeaveNoKeyBehind() throws Exception {
        long first = put(WAITING.uniqueKey("person 17")).jobId();
        assertThat(fixture().admin.jobs().find(first)).isPresent();
        ChangeResult erased = fixture()
                .admin
                .jobs()
                .changeAll(JobFilter.ALL.uniqueKey("person 17"), new JobChange.Erase(), done -> {});
        assertThat(erased.changed()).isEqualTo(1);
        assertThat(fixture().admin.jobs().find(first)).isEmpty();
        assertThat(fixture().count("pawl_unique")).isZero();
    }

    /** The job was live when the history was read, and finished before another job could take its key. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobThatEndsDuringAnEnqueueKeepsItsKey() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        fixture().assumeNoTransactionAroundHandlers();
        long first = put(KEPT).jobId();
        Grant running = fixture().claimOne();
        AtomicInteger looks = new AtomicInteger();
        TamperedDataSource.Tampering end = sql -> {
            if (looks.get() == 1) {
                looks.incrementAndGet();
                assertThat(fixture().finish(running.lease(), new Verdict.Completed()))
                        .isTrue();
                fixture().sweepMarked();
            }
        };
        TamperedDataSource.Tampering look =
                fixture().statements.at("pawl_job_history WHERE id = \\?", sql -> looks.incrementAndGet());
        try (JobQueue queue = JobQueue.builder(TamperedDataSource.of(fixture().pool, end, look))
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open()) {
            assertThat(queue.enqueue(new JobRequest("greet", "\"hello\"", KEPT)))
                    .isEqualTo(new EnqueueResult.Duplicate(first));
        }
        assertThat(fixture().liveJobs()).isZero();
        assertThat(looks.get()).as("it was read again").isGreaterThan(2);
    }

    /**
     * Uses each database's default isolation level. At InnoDB's default level, a search that finds no row locks the gap where the row would
     * be.
     */
    @ParameterizedTest
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    @EnumSource
    default void aTransactionThatHasTakenANewKeyHoldsUpNoOtherKey(UniqueWhile scope) throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        EnqueueOptions options = EnqueueOptions.DEFAULTS
                .uniqueKey(scope + " m", Duration.ofHours(1)) // new to every index
                .uniqueWhile(scope);
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(fixture().queue.within(connection).enqueue(GREET, "x", options))
                    .isInstanceOf(EnqueueResult.Inserted.class);
            for (String key : List.of(scope + " a", scope + " z")) {
                assertThat(soon(() -> put(options.uniqueKey(key, Duration.ofHours(1)))))
                        .as(key)
                        .isInstanceOf(EnqueueResult.Inserted.class);
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(fixture().liveJobs()).isEqualTo(3);
    }

    /** Otherwise the pruner would hold up enqueues with other keys, and could meet a deadlock with the transaction. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void spentKeysArePrunedExceptThoseThatATransactionHasTaken() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        fixture().assumeNoTransactionAroundHandlers();
        assumeTrue(fixture().database.dialect().skipsLockedRows());
        for (String key : List.of("a", "m", "z")) {
            assertThat(put(EnqueueOptions.DEFAULTS.uniqueKey(key, Duration.ofHours(1))))
                    .isInstanceOf(EnqueueResult.Inserted.class);
            end(fixture().claimOne(), new Verdict.Completed());
        }
        fixture()
                .execute("UPDATE pawl_unique SET recheck_at = "
                        + fixture().product.moment(1));
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(fixture()
                            .queue
                            .within(connection)
                            .enqueue(GREET, "x", EnqueueOptions.DEFAULTS.uniqueKey("m", Duration.ofHours(1))))
                    .isInstanceOf(EnqueueResult.Inserted.class);
            long unused = soon(() -> fixture().admin.maintenance().prune(KEEP));
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_unique WHERE unique_key = 'm'"))
                .isOne();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_unique WHERE unique_key <> 'm'"))
                .isZero();
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void twoTransactionsThatTakeNewKeysDoNotDeadlock() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        try (Connection one = fixture().pool.getConnection();
                Connection other = fixture().pool.getConnection()) {
            one.setAutoCommit(false);
            other.setAutoCommit(false);
            for (int i = 0; i < 5; i++) {
                for (Connection each : List.of(one, other)) {
                    String key = (each == one ? "a " : "b ") + i;
                    assertThat(soon(() -> fixture().queue.within(each).enqueue(GREET, "x", KEPT.uniqueKey(key))))
                            .isInstanceOf(EnqueueResult.Inserted.class);
                }
            }
            one.commit();
            other.commit();
            one.setAutoCommit(true);
            other.setAutoCommit(true);
        }
        assertThat(fixture().liveJobs()).isEqualTo(10);
    }

    /**
     * The transaction blocks neither the job that has the key, nor later jobs, nor enqueues. There is an exception: if the key was in the
     * index a moment ago, InnoDB locks the gap before it, and the next key, until the transaction ends. The first round causes this: the
     * job with the key ends before the transaction begins, and an old snapshot keeps the index entry, which InnoDB would otherwise purge at
     * some time.
     */
    @ParameterizedTest
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    @EnumSource
    default void aTransactionThatFoundADuplicateDelaysNoJob(UniqueWhile scope) throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        fixture().assumeNoTransactionAroundHandlers();
        EnqueueOptions options = EnqueueOptions.DEFAULTS.uniqueKey("k").uniqueWhile(scope);
        Connection snapshot = fixture().pool.getConnection();
        try (snapshot) {
            snapshot.setAutoCommit(false);
            fixture().execute(snapshot, "SELECT COUNT(*) FROM pawl_job");
            for (boolean ended : new boolean[] {true, false}) {
                EnqueueOptions row = EnqueueOptions.DEFAULTS.uniqueKey(ended ? "before k" : "other");
                long first = put(options).jobId();
                Grant running = fixture().claimOne();
                if (ended) {
                    end(running, new Verdict.Completed());
                }
                put(row);
                Grant later = fixture().claimOne();
                try (Connection connection = fixture().pool.getConnection()) {
                    connection.setAutoCommit(false);
                    assertThat(fixture()
                                    .queue
                                    .within(connection)
                                    .enqueue(GREET, "x", options)
                                    .jobId())
                            .isPositive();
                    assertThat(soon(() -> fixture().finish(later.lease(), new Verdict.Completed())))
                            .isTrue();
                    if (!ended) {
                        assertThat(soon(() -> fixture().finish(running.lease(), new Verdict.Completed())))
                                .isTrue();
                    }
                    if (!ended || scope == UniqueWhile.WAITING) {
                        assertThat(soon(() -> put(EnqueueOptions.DEFAULTS.delay(Duration.ofDays(1))))
                                        .jobId())
                                .isGreaterThan(first);
                    }
                    connection.rollback();
                    connection.setAutoCommit(true);
                }
                fixture().sweepMarked();
                change(first, new JobChange.Delete());
            }
            snapshot.rollback();
            snapshot.setAutoCommit(true);
        }
    }

    /** Runs the work on another thread. Its limit allows for a busy machine, but not for a wait for a lock. */
    private static <T> T soon(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(task, "beside an open transaction").start();
        return task.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void manyCoalescedEnqueuesLeaveOneWaitingJob() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        List<EnqueueResult> results = UniqueKeyContract.together(8, () -> put(WAITING));
        assertThat(results.stream().filter(EnqueueResult.Inserted.class::isInstance))
                .hasSize(1);
        assertThat(fixture().liveJobs()).isEqualTo(1);
    }

    @Test
    default void aScopeNeedsATransaction() throws Exception {
        try (Connection connection = fixture().pool.getConnection()) {
            assertThatThrownBy(() -> fixture().queue.within(connection).enqueue(GREET, "x", KEPT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("autocommit");
        }
    }

    /** A job that sleeps will run with what it knew at its start. */
    @Test
    default void aSleepingJobDoesNotCountAsWaiting() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        CountDownLatch slept = new CountDownLatch(1);
        Worker worker = fixture()
                .newWorker()
                .handle(Fixture.GREET, (text, run) -> {
                    slept.countDown();
                    run.steps().sleep("for long", Duration.ofDays(1));
                })
                .start();
        long first;
        try (worker) {
            first = put(WAITING).jobId();
            assertThat(slept.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            await().atMost(Fixture.SOON).until(() -> fixture().job(first).state() == JobState.AVAILABLE);
        }
        EnqueueResult second = put(WAITING);
        assertThat(second).as("it sees newer data than the sleeping one").isInstanceOf(EnqueueResult.Inserted.class);
        assertThat(put(WAITING)).isEqualTo(new EnqueueResult.Duplicate(second.jobId()));
    }
}
