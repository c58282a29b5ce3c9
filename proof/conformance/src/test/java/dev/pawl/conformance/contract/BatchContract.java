package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Batch;
import dev.pawl.BatchBuilder;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetentionRule;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Enqueuer;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.batch.OldBatches;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Subject;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Batches: jobs that are counted together and followed once by a callback. */
@Specified
@WhiteBox
interface BatchContract extends Contract {
    JobType<String> CALLBACK = JobType.of("callback", String.class);

    private BatchBuilder batch(String name) {
        return fixture()
                .queue
                .batch(name)
                .onDone(CALLBACK, "done " + name)
                .onFailed(CALLBACK, "failed " + name)
                .onSuccess(CALLBACK, "success " + name);
    }

    /** {@return the payloads of all callbacks ever enqueued, in order} */
    private List<String> callbacks() {
        return fixture().admin.jobs().list(JobFilter.ALL.kind("callback").limit(1000)).stream()
                .map(Job::payload)
                .map(payload -> payload.replace("\"", ""))
                .sorted()
                .toList();
    }

    private BatchInfo info(Batch batch) {
        return batch.info().orElseThrow();
    }

    private String counts(Batch batch) {
        BatchInfo info = info(batch);
        return info.completed() + " completed, " + info.failed() + " failed, " + info.cancelled() + " cancelled of "
                + info.jobs();
    }

    private List<Long> add(Batch batch, String... texts) {
        List<Long> ids = new ArrayList<>();
        for (String text : texts) {
            ids.add(batch.enqueue(GREET, text).jobId());
        }
        return ids;
    }

    private Worker worker() {
        return fixture()
                .newWorker()
                .retryPolicy(attempt -> Duration.ZERO)
                .handle(CALLBACK, (text, run) -> {})
                .handle(GREET, this::greet)
                .start();
    }

    private void greet(String text, JobRun run) throws Exception {
        if (text.startsWith("fails") && run.attempt() <= 20) {
            throw new IllegalStateException("on purpose");
        }
        if (text.startsWith("in a transaction") && !fixture().isTransactional()) {
            run.transaction(connection -> {});
        }
        if (text.startsWith("adds ")) {
            int more = Integer.parseInt(text.substring(5));
            Batch own = fixture().queue.batch(run).orElseThrow();
            if (!fixture().isTransactional()) { // its transaction holds the only lock on SQLite
                own.enqueueAll(
                        GREET,
                        IntStream.range(0, more)
                                .mapToObj(i -> "adds " + (more - 1))
                                .toList());
            }
        }
    }

    private void awaitDone(Batch batch) {
        await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
    }

    @Test
    default void anEmptyBatchIsDoneWhenItIsSealed() {
        Batch batch = batch("empty").open();
        assertThat(info(batch).state()).isEqualTo("open");
        assertThat(callbacks()).isEmpty();
        assertThat(batch.seal()).isTrue();
        assertThat(batch.seal()).as("again").isFalse();
        assertThat(info(batch).isSuccess()).isTrue();
        assertThat(callbacks()).containsExactly("done empty", "success empty");
    }

    @Test
    default void callbacksComeOnceWhenAllHaveEnded() {
        Batch batch = batch("b").open();
        add(batch, "1", "2", "in a transaction");
        batch.enqueueAll(GREET, IntStream.range(0, 300).mapToObj(i -> "x").toList());
        batch.enqueue(GREET, "3");
        Worker worker = worker();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> info(batch).ended() == 304);
            assertThat(callbacks()).as("it is not sealed").isEmpty();
            add(batch, "late");
            batch.seal();
            awaitDone(batch);
            await().atMost(Fixture.SOON)
                    .until(() -> fixture().admin.jobs().list(JobFilter.ALL.kind("callback")).stream()
                            .allMatch(job -> job.state() == JobState.COMPLETED));
        }
        assertThat(counts(batch)).isEqualTo("305 completed, 0 failed, 0 cancelled of 305");
        assertThat(callbacks()).containsExactly("done b", "success b");
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.kind("callback")))
                .allSatisfy(job -> assertThat(job.headers()).containsEntry("pawl-callback-of", "" + batch.id()));
    }

    @Test
    default void aJobIsFailedOrPendingAndNeverBoth() throws Exception {
        Batch batch = batch("b").open();
        long fails = fixture()
                .queue
                .enqueue(GREET, "fails", batch.with(EnqueueOptions.DEFAULTS.maxAttempts(20)))
                .jobId();
        long more = fixture()
                .queue
                .enqueue(GREET, "fails too", batch.with(EnqueueOptions.DEFAULTS.maxAttempts(1)))
                .jobId();
        add(batch, "works");
        batch.seal();
        Worker worker = worker();
        try (worker) {
            awaitDone(batch);
            assertThat(counts(batch)).isEqualTo("1 completed, 2 failed, 0 cancelled of 3");
            assertThat(callbacks()).containsExactly("done b", "failed b");
            fixture().admin.jobs().retry(fails);
            fixture().awaitState(fails, JobState.COMPLETED);
            await().atMost(Fixture.SOON).until(() -> counts(batch).equals("2 completed, 1 failed, 0 cancelled of 3"));
            assertThat(callbacks()).containsExactly("done b", "failed b");
            for (int i = 0; i < 20 && fixture().job(more).state() != JobState.COMPLETED; i++) {
                fixture().admin.jobs().retry(more);
                await().atMost(Fixture.SOON)
                        .until(() -> fixture().job(more).state().isFinished());
            }
            await().atMost(Fixture.SOON).until(() -> info(batch).isSuccess());
        }
        assertThat(callbacks()).containsExactly("done b", "failed b", "success b");
        fixture().runDuties();
        fixture().admin.jobs().retry(more);
        assertThat(counts(batch)).isEqualTo("2 completed, 0 failed, 0 cancelled of 3");
        assertThat(info(batch).isDone()).as("one of its jobs runs again").isFalse();
    }

    @Test
    default void cancelledAndErasedJobsCountAsEnded() throws Exception {
        Batch batch = batch("b").open();
        List<Long> ids = add(batch, "1", "2", "3", "4");
        batch.seal();
        Lease running = fixture().claimOne().lease();
        long waiting =
                ids.stream().filter(id -> id != running.jobId()).findFirst().orElseThrow();
        assertThat(fixture().admin.jobs().cancel(waiting)).isEqualTo(CancelResult.CANCELLED);
        assertThat(counts(batch)).isEqualTo("0 completed, 0 failed, 1 cancelled of 4");
        fixture()
                .admin
                .jobs()
                .changeAll(JobFilter.ALL.kind("greet").id(ids.get(3)), new JobChange.Cancel(), done -> {});
        assertThat(counts(batch)).isEqualTo("0 completed, 0 failed, 2 cancelled of 4");
        fixture().admin.jobs().changeAll(JobFilter.ALL.kind("greet"), new JobChange.Erase(), done -> {});
        assertThat(info(batch).ended()).isEqualTo(3);
        assertThat(callbacks()).isEmpty();
        assertThat(fixture().finish(running, new Verdict.Retry(Duration.ZERO, "was asked to stop")))
                .isTrue();
        assertThat(counts(batch)).isEqualTo("0 completed, 0 failed, 4 cancelled of 4");
        assertThat(callbacks()).containsExactly("done b");
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void jobsThatCannotBeErasedAreStillOpen() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Batch batch = batch("b").open();
        List<Long> ids = add(batch, "1", "2");
        batch.seal();
        ids.forEach(id -> fixture().admin.jobs().edit(id, JobEdit.NOTHING.priority(1), "test")); // moves them to rows
        assumeThat(fixture().count("pawl_lane_range")).as("lanes").isPositive();
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            fixture().execute(connection, "SELECT * FROM pawl_lane_range FOR UPDATE");
            assertThat(fixture().admin.jobs().changeAll(JobFilter.ALL.kind("greet"), new JobChange.Erase(), done -> {}))
                    .isEqualTo(new ChangeResult(0, 2));
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(counts(batch)).isEqualTo("0 completed, 0 failed, 0 cancelled of 2");
        fixture().admin.jobs().changeAll(JobFilter.ALL.kind("greet"), new JobChange.Erase(), done -> {});
        assertThat(counts(batch)).isEqualTo("0 completed, 0 failed, 2 cancelled of 2");
        assertThat(callbacks()).containsExactly("done b");
    }

    @Test
    default void deletedAndPrunedJobsStayCounted() throws Exception {
        Batch batch = batch("b").open();
        add(batch, "1", "2", "3");
        batch.seal();
        Lease first = fixture().claimOne().lease();
        fixture().finish(List.of(new Settlement(first, new Verdict.Completed(), batch.id())));
        fixture().runDuties();
        fixture().letPass(Duration.ofMillis(3));
        fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ofMillis(1)));
        fixture().admin.jobs().changeAll(JobFilter.ALL.kind("greet"), new JobChange.Delete(), done -> {});
        for (int i = 0; i < 2; i++) {
            fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e"));
        }
        assertThat(counts(batch)).isEqualTo("1 completed, 2 failed, 0 cancelled of 3");
        assertThat(callbacks()).containsExactly("done b", "failed b");
    }

    @Test
    default void aRunThatLostItsLeaseCountsNothing() throws Exception {
        Batch batch = batch("b").open();
        long id = add(batch, "1").get(0);
        batch.seal();
        Duration lease = Duration.ofMillis(50);
        Lease lost = fixture().claimOne(lease).lease();
        fixture().letLeasesExpire(lease);
        AbandonedJob abandoned = fixture().store.abandoned(10, 0).get(0);
        assertThat(fixture()
                        .store
                        .rescue(List.of(new Rescue(
                                abandoned.lease(), abandoned.expiredAt(), new Verdict.Discarded("gone", "gone")))))
                .hasSize(1);
        assertThat(counts(batch)).isEqualTo("0 completed, 1 failed, 0 cancelled of 1");
        assertThat(fixture().finish(List.of(new Settlement(lost, new Verdict.Completed(), batch.id()))))
                .isEmpty();
        assertThat(counts(batch)).isEqualTo("0 completed, 1 failed, 0 cancelled of 1");
        assertThat(callbacks()).containsExactly("done b", "failed b");
        assertThat(fixture().job(id).state()).isEqualTo(JobState.DISCARDED);
    }

    @Test
    default void onlyItsOwnJobsAddToASealedBatch() {
        assumeThat(fixture().isTransactional()).isFalse();
        Batch batch = batch("b").open();
        add(batch, "adds 3");
        batch.seal();
        assertThatThrownBy(() -> add(batch, "from outside"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sealed");
        assertThatThrownBy(() -> batch.batch("inner").open()).isInstanceOf(IllegalArgumentException.class);
        Worker worker = worker();
        try (worker) {
            awaitDone(batch);
        }
        assertThat(counts(batch)).isEqualTo("16 completed, 0 failed, 0 cancelled of 16");
        assertThat(callbacks()).containsExactly("done b", "success b");
        assertThatThrownBy(() -> fixture().queue.batch(4711L).enqueue(GREET, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no batch 4711");
    }

    @Test
    default void anInnerBatchAndItsCallbacksEndBeforeTheOuterBatch() {
        Batch outer = batch("outer").open();
        Batch inner = batch("inner").open();
        Batch middle = outer.batch("middle").onDone(CALLBACK, "done middle").open();
        Batch innermost = middle.batch("innermost").open();
        add(innermost, "1", "2");
        add(middle, "3");
        inner.seal();
        outer.seal();
        middle.seal();
        Worker worker = worker();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> info(innermost).ended() == 2);
            assertThat(info(middle).isDone()).isFalse();
            innermost.seal();
            awaitDone(outer);
        }
        assertThat(info(middle).jobs()).isEqualTo(2);
        assertThat(counts(outer)).as("the batch and its callback").isEqualTo("2 completed, 0 failed, 0 cancelled of 2");
        assertThat(callbacks())
                .containsExactly("done inner", "done middle", "done outer", "success inner", "success outer");
    }

    @Test
    default void aFailureWithinIsAFailureOfTheOuterBatchUntilItIsRetried() throws Exception {
        Batch outer = batch("outer").open();
        Batch inner = outer.batch("inner").open();
        long id = add(inner, "x").get(0);
        inner.seal();
        outer.seal();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e"));
        assertThat(counts(outer)).isEqualTo("0 completed, 1 failed, 0 cancelled of 1");
        assertThat(callbacks()).containsExactly("done outer", "failed outer");
        fixture().admin.jobs().changeAll(JobFilter.ALL.id(id), new JobChange.Retry(), done -> {});
        assertThat(counts(outer)).isEqualTo("0 completed, 0 failed, 0 cancelled of 1");
        Lease again = fixture().claimOne().lease();
        fixture().finish(List.of(new Settlement(again, new Verdict.Completed(), inner.id())));
        assertThat(counts(outer)).isEqualTo("1 completed, 0 failed, 0 cancelled of 1");
        assertThat(callbacks()).containsExactly("done outer", "failed outer", "success outer");
    }

    @Test
    default void aDuplicateIsNoMemberAndAMemberIsNotReplaced() {
        Batch batch = batch("b").open();
        EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("k");
        fixture().queue.enqueue(GREET, "x", unique);
        assertThat(fixture().queue.enqueue(GREET, "y", batch.with(unique))).isInstanceOf(EnqueueResult.Duplicate.class);
        assertThat(info(batch).jobs()).isZero();
        EnqueueOptions other = EnqueueOptions.DEFAULTS.uniqueKey("member");
        long member = fixture().queue.enqueue(GREET, "y", batch.with(other)).jobId();
        assertThat(fixture().queue.enqueue(GREET, "z", other.onDuplicate(OnDuplicate.REPLACE)))
                .isInstanceOf(EnqueueResult.Duplicate.class);
        assertThat(fixture().job(member).batch()).hasValue(batch.id());
        assertThatThrownBy(
                        () -> fixture().queue.enqueue(GREET, "z", batch.with(other.onDuplicate(OnDuplicate.REPLACE))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void rolledBackJobsAreNotCounted() throws Exception {
        Batch batch = batch("b").open();
        add(batch, "1");
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            batch.within(connection).enqueue(GREET, "2");
            Batch gone = batch.batch("inner").open(connection);
            gone.within(connection).enqueue(GREET, "3");
            connection.rollback();
        }
        batch.seal();
        assertThat(info(batch).jobs()).isOne();
        fixture().finish(List.of(new Settlement(fixture().claimOne().lease(), new Verdict.Completed(), batch.id())));
        assertThat(callbacks()).containsExactly("done b", "success b");
    }

    @Test
    default void allWaysToEnqueueAddToTheBatch() throws Exception {
        Batch batch = batch("b").open();
        JobRequest request = new JobRequest("greet", "\"x\"", EnqueueOptions.DEFAULTS);
        addInAllWays(batch, request);
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            addInAllWays(batch.within(connection), request);
            connection.commit();
            connection.setAutoCommit(true);
        }
        batch.seal();
        assertThat(info(batch).jobs()).isEqualTo(2 * 9);
        assertThat(batch.jobs(0, 100)).hasSize(2 * 9);
    }

    private static void addInAllWays(Enqueuer jobs, JobRequest request) {
        jobs.enqueue(GREET, "1");
        jobs.enqueue(GREET, "2", EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        jobs.enqueue(request);
        jobs.enqueueAll(GREET, List.of("4"));
        jobs.enqueueAll(GREET, List.of("5"), payload -> EnqueueOptions.DEFAULTS.key("k"));
        jobs.enqueueAll(GREET, Stream.of("6"));
        jobs.enqueueAll(List.of(request));
        jobs.enqueueEach(List.of(request));
        jobs.enqueueFrom(EnqueueOptions.DEFAULTS, "SELECT 'greet', ?", "\"9\"");
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void sealingWaitsForTransactionsThatAdd() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Batch batch = batch("b").open();
        CompletableFuture<Boolean> sealed;
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            batch.within(connection).enqueue(GREET, "x");
            sealed = CompletableFuture.supplyAsync(batch::seal);
            Delay.quiet(200); // that it goes on waiting gives no signal
            assertThat(sealed).isNotDone();
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(sealed.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(info(batch).jobs()).isOne();
        assertThat(info(batch).isDone()).isFalse();
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void sealingCountsWhatItWaitedForAtAnyIsolationLevel() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(fixture().testDatabase.jdbcUrl());
        config.setMaximumPoolSize(2);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        Batch batch = batch("b").open();
        try (HikariDataSource pool = new HikariDataSource(config);
                JobQueue queue =
                        JobQueue.builder(pool).tablePrefix(fixture().prefix).open();
                Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            batch.within(connection).enqueue(GREET, "x");
            CompletableFuture<Boolean> sealed = CompletableFuture.supplyAsync(queue.batch(batch.id())::seal);
            Delay.quiet(200); // that it goes on waiting gives no signal
            assertThat(sealed).isNotDone();
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(sealed.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        assertThat(info(batch).isDone()).isFalse();
        assertThat(callbacks()).isEmpty();
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aRunEndsDuringALongTransactionThatAdds() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Batch batch = batch("b").open();
        add(batch, "x");
        Lease lease = fixture().claimOne().lease();
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            batch.within(connection).enqueue(GREET, "y");
            Set<Lease> ended = CompletableFuture.supplyAsync(() -> {
                        try {
                            return fixture()
                                    .finish(List.of(new Settlement(lease, new Verdict.Completed(), batch.id())));
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(ended).containsExactly(lease);
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** The transaction has locked the row by which the first jobs of the outer batch are counted. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aCallbackDoesNotWaitForALongTransactionThatAddsToTheOuterBatch() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Batch outer = fixture().queue.batch("outer").canary(1).open();
        fixture().queue.enqueue(GREET, "first", outer.with(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1))));
        Batch inner = outer.batch("inner").onDone(CALLBACK, "done inner").open();
        add(inner, "x");
        inner.seal();
        Settlement run = completed(fixture().claim(1)).get(0);
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            outer.within(connection).enqueue(GREET, "y");
            CompletableFuture<Set<Lease>> ended = CompletableFuture.supplyAsync(() -> {
                try {
                    return fixture().finish(List.of(run));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(ended.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).containsExactly(run.lease());
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.kind("callback")))
                .extracting(Job::state)
                .containsExactly(JobState.AVAILABLE);
    }

    @Test
    default void eachMemberHasARowAndManyEndsAreCountedTogether() throws Exception {
        Batch batch = batch("b").open();
        batch.enqueueAll(GREET, IntStream.range(0, 100).mapToObj(i -> "x").toList());
        assertThat(fixture().count("pawl_batch_job")).isEqualTo(100);
        List<Settlement> runs = fixture().claim(100).stream()
                .map(grant -> new Settlement(grant.lease(), new Verdict.Completed(), batch.id()))
                .toList();
        assertThat(fixture().finish(runs)).hasSize(100);
        assertThat(info(batch).completed()).isEqualTo(100);
    }

    /** If each job adds the next job, all known jobs are finished at each completion. Counting all of them each time would be quadratic. */
    @Test
    default void jobsAddedOneByOneAreNotAllRecounted() throws Exception {
        assumeThat(fixture().isTransactional()).as("its own transactions").isFalse();
        AtomicInteger counts = new AtomicInteger();
        ClaimStrategy counted = fixture()
                .storeOver(fixture()
                        .at(
                                "^SELECT COUNT.*FROM \\w*pawl_batch_job WHERE batch_id = \\?$",
                                sql -> counts.incrementAndGet()))
                .strategy(fixture().strategy);
        Batch batch = batch("b").open();
        add(batch, "0");
        batch.seal();
        for (int added = 1; added <= 10; added++) {
            Lease lease = fixture().claimBy(counted, 1).get(0).lease();
            becomeMember(batch, fixture().enqueue());
            assertThat(counted.settle(List.of(new Settlement(lease, new Verdict.Completed(), batch.id())))
                            .accepted())
                    .hasSize(1);
            assertThat(info(batch).isDone()).isFalse();
        }
        assertThat(counts).hasValueLessThan(3);
        Lease last = fixture().claimBy(counted, 1).get(0).lease();
        counted.settle(List.of(new Settlement(last, new Verdict.Completed(), batch.id())));
        assertThat(info(batch).isSuccess()).isTrue();
        assertThat(counts(batch)).isEqualTo("11 completed, 0 failed, 0 cancelled of 11");
    }

    private void becomeMember(Batch batch, long job) throws Exception {
        fixture().execute("INSERT INTO pawl_batch_job (batch_id, job_id) VALUES (" + batch.id() + ", " + job + ")");
    }

    /** A late job has a lower id than jobs that were counted before it was committed. */
    @Test
    default void jobsAddedLateAreCounted() throws Exception {
        Batch batch = batch("b").open();
        add(batch, "1", "2", "3");
        batch.seal();
        List<Settlement> runs = fixture().claim(3).stream()
                .map(grant -> new Settlement(grant.lease(), new Verdict.Completed(), batch.id()))
                .toList();
        long late = fixture().enqueue();
        becomeMember(batch, fixture().enqueue());
        assertThat(fixture().finish(runs)).hasSize(3);
        becomeMember(batch, late);
        for (int left = 1; left >= 0; left--) {
            Lease lease = fixture().claimOne().lease();
            assertThat(fixture().finish(List.of(new Settlement(lease, new Verdict.Completed(), batch.id()))))
                    .hasSize(1);
            assertThat(info(batch).isDone()).isEqualTo(left == 0);
        }
    }

    @Test
    default void tooManyFailuresStopIt() throws Exception {
        Batch batch = batch("b").stopWhen(20, 5).open();
        batch.enqueueAll(GREET, IntStream.range(0, 30).mapToObj(i -> "x").toList());
        batch.seal();
        for (int i = 0; i < 4; i++) {
            fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e"));
        }
        assertThat(info(batch).stoppedAt()).isNull();
        fixture().finish(List.of(new Settlement(fixture().claimOne().lease(), new Verdict.Completed(), batch.id())));
        assertThat(info(batch).stoppedAt()).isNotNull();
        fixture().runDuties();
        assertThat(counts(batch)).isEqualTo("1 completed, 4 failed, 25 cancelled of 30");
        assertThat(callbacks()).containsExactly("done b", "failed b");
    }

    /** While a service is down jobs fail quickly, and are claimed faster than they could be cancelled one by one. */
    @Test
    default void aWorkerBeginsNoJobOfAStoppedBatch() throws Exception {
        Batch batch = batch("b").stopWhen(20, 5).open();
        batch.enqueueAll(GREET, IntStream.range(0, 300).mapToObj(i -> "x").toList());
        batch.seal();
        for (Grant grant : fixture().claim(5)) {
            fixture().finish(grant.lease(), new Verdict.Discarded("d", "e"));
        }
        assertThat(info(batch).stoppedAt()).as("by another process").isNotNull();
        AtomicInteger begun = new AtomicInteger();
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, (text, run) -> begun.incrementAndGet())
                .handle(CALLBACK, (text, run) -> {})
                .start();
        try (worker) {
            awaitDone(batch);
            assertThat(begun).hasValue(0);
            assertThat(counts(batch)).isEqualTo("0 completed, 5 failed, 295 cancelled of 300");
            long again = fixture()
                    .admin
                    .jobs()
                    .list(JobFilter.ALL.state(JobState.CANCELLED).limit(1))
                    .get(0)
                    .id();
            fixture().admin.jobs().retry(again);
            fixture().awaitState(again, JobState.COMPLETED);
        }
        assertThat(begun).as("a retry resumes it").hasValue(1);
        assertThat(callbacks()).containsExactly("done b", "failed b");
    }

    @Test
    default void aTransactionalWorkerBeginsNoJobOfAStoppedBatch() throws Exception {
        Batch batch = batch("b").stopWhen(20, 1).open();
        add(batch, "1", "2", "3");
        batch.seal();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e"));
        AtomicInteger begun = new AtomicInteger();
        Worker worker = fixture()
                .newWorker()
                .strategy(Strategy.TRANSACTIONAL)
                .handle(GREET, (text, run) -> begun.incrementAndGet())
                .handle(CALLBACK, (text, run) -> {})
                .start();
        try (worker) {
            awaitDone(batch);
        }
        assertThat(begun).hasValue(0);
        assertThat(counts(batch)).isEqualTo("0 completed, 1 failed, 2 cancelled of 3");
    }

    /** Another worker takes over from a worker that is closed, is killed or fails. */
    @Test
    default void theNextWorkerCancelsTheRestOfAStoppedBatch() throws Exception {
        Batch batch = batch("b").stopWhen(20, 1).open();
        Batch inner = batch.batch("inner").open();
        add(inner, "1", "2");
        inner.seal();
        Batch next = batch("next").stopWhen(20, 1).open();
        List<Long> jobs = add(batch, "3", "4");
        long alone = add(next, "5").get(0);
        add(next, "6");
        batch.seal();
        next.seal();
        for (Grant grant : fixture().claim(6)) {
            Verdict verdict = grant.job().id() == jobs.get(0) || grant.job().id() == alone
                    ? new Verdict.Discarded("d", "e")
                    : new Verdict.Retry(Duration.ofHours(1), "waits");
            assertThat(fixture().finish(grant.lease(), verdict)).isTrue();
        }
        SqlJobStore failing = fixture().storeOver(fixture().at("pawl_job_history", TamperedDataSource.once(sql -> {
            throw new SQLException("on purpose");
        })));
        Fixture.runDuties(failing);
        assertThat(counts(next)).as("no other has to wait for it").isEqualTo("0 completed, 1 failed, 1 cancelled of 2");
        Fixture.runDuties(failing);
        assertThat(counts(batch)).isEqualTo("0 completed, 1 failed, 2 cancelled of 3");
        fixture().runDuties();
        assertThat(fixture().count("pawl_batch_count WHERE pending_action > 0"))
                .as("when nothing waits any more it is forgotten")
                .isZero();
    }

    /** Regression: a hundred batches that could not be cancelled kept the others from being cancelled. */
    @Test
    default void batchesThatCannotBeCancelledYetDelayNoOthers() throws Exception {
        try (Connection connection = fixture().pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        fixture()
                                .database
                                .dialect()
                                .sql(
                                        "INSERT INTO pawl_batch_count (batch_id, stop_percent, stop_after, pending_action) VALUES (?, 0, 0, ?)"))) {
            for (int id = 1001; id <= 1101; id++) {
                insert.setLong(1, id);
                insert.setInt(2, id == 1101 ? 1 : 9); // for example from a newer program
                insert.executeUpdate();
            }
        }
        fixture().runDuties();
        assertThat(fixture().count("pawl_batch_count WHERE pending_action = 9")).isEqualTo(100);
        assertThat(fixture().count("pawl_batch_count WHERE pending_action = 1")).isZero();
    }

    /** The worker may have died just before it cancelled the remaining jobs of the stopped batch. */
    @Test
    default void theRescuerFinishesTheBatchWorkOfADeadWorker() throws Exception {
        Batch batch = batch("b").stopWhen(20, 1).open();
        add(batch, "1", "2", "3");
        batch.seal();
        Duration brief = Duration.ofMillis(20);
        List<Grant> claimed = fixture().claim(2, brief);
        assertThat(fixture().finish(claimed.get(0).lease(), new Verdict.Discarded("d", "e")))
                .isTrue();
        SqlJobStore other =
                new SqlJobStore(Databases.of(fixture().pool, fixture().prefix), fixture().database, Retention.DEFAULTS);
        List<Duty> duties = Fixture.duties(other);
        for (Duty duty : duties) {
            duty.work().run();
        }
        assertThat(counts(batch)).isEqualTo("0 completed, 1 failed, 0 cancelled of 3");
        fixture().letLeasesExpire(brief);
        List<Rescue> rescues = other.abandoned(10, 0).stream()
                .map(job -> new Rescue(job.lease(), job.expiredAt(), new Verdict.Retry(Duration.ofHours(1), "waits")))
                .toList();
        assertThat(other.rescue(rescues)).hasSize(1);
        for (Duty duty : duties) {
            duty.work().run();
        }
        assertThat(counts(batch)).isEqualTo("0 completed, 1 failed, 2 cancelled of 3");
    }

    @Test
    default void aRetryResumesAStoppedBatch() throws Exception {
        Batch batch = batch("b").stopWhen(20, 2).open();
        List<Long> ids = add(batch, "1", "2", "3", "4");
        batch.seal();
        for (int i = 0; i < 2; i++) {
            fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e"));
        }
        fixture().runDuties();
        assertThat(counts(batch)).isEqualTo("0 completed, 2 failed, 2 cancelled of 4");
        ids.subList(0, 2).forEach(fixture().admin.jobs()::retry);
        fixture().runDuties();
        assertThat(counts(batch)).isEqualTo("0 completed, 0 failed, 2 cancelled of 4");
        assertThat(info(batch).stoppedAt()).isNull();
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "again")))
                .isTrue();
        fixture().runDuties();
        assertThat(counts(batch)).as("it is not stopped again").isEqualTo("0 completed, 1 failed, 2 cancelled of 4");
        fixture().finish(List.of(new Settlement(fixture().claimOne().lease(), new Verdict.Completed(), batch.id())));
        assertThat(info(batch).isDone()).isTrue();
    }

    @Test
    default void aBatchIsKeptAsLongAsJobsOfAnyKindAreKept() throws Exception {
        Batch batch = batch("b").open();
        batch.seal();
        fixture().admin.maintenance().setRetention(RetentionRule.kind("greet").completed(Duration.ofHours(1)));
        fixture().letPass(Duration.ofMillis(3));
        Duration brief = Duration.ofMillis(1);
        fixture().admin.maintenance().prune(new Retention(brief, brief, brief, 1));
        assertThat(batch.info()).isPresent();
        fixture().admin.maintenance().clearRetention(Subject.kind("greet"));
        fixture().admin.maintenance().prune(new Retention(brief, brief, brief, 1));
        assertThat(batch.info()).isEmpty();
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aBatchResumedDuringItsPruneIsKept() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Batch batch = batch("b").open();
        add(batch, "x");
        batch.seal();
        fixture().finish(List.of(new Settlement(fixture().claimOne().lease(), new Verdict.Completed(), batch.id())));
        fixture().letPass(Duration.ofMillis(3));
        CompletableFuture<Void> pruned;
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            fixture()
                    .execute(
                            connection, "UPDATE pawl_batch_count SET completed = 0, done_at = NULL"); // as a retry does
            pruned = CompletableFuture.runAsync(() -> {
                try {
                    new OldBatches(fixture().database).prune(Instant.now());
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            Delay.quiet(200); // that it goes on waiting gives no signal
            assertThat(pruned).isNotDone();
            connection.commit();
            connection.setAutoCommit(true);
        }
        pruned.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(counts(batch)).isEqualTo("0 completed, 0 failed, 0 cancelled of 1");
    }

    @Test
    default void aBatchIsOpenedAndSealedInOneTransaction() throws Exception {
        Batch outer = batch("outer").open();
        Batch inner;
        Batch empty;
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            inner = outer.batch("inner").open(connection);
            inner.within(connection).enqueue(GREET, "1");
            assertThat(inner.seal(connection)).isTrue();
            assertThat(inner.seal(connection)).as("again").isFalse();
            empty = batch("empty").open(connection);
            assertThat(empty.seal(connection)).isTrue();
            connection.commit();
            connection.setAutoCommit(true);
        }
        outer.seal();
        assertThat(info(empty).isSuccess()).isTrue();
        assertThat(info(inner).sealedAt()).isNotNull();
        assertThat(info(outer).isDone()).isFalse();
        Worker worker = worker();
        try (worker) {
            awaitDone(outer);
        }
        assertThat(callbacks()).containsExactly("done empty", "done outer", "success empty", "success outer");
    }

    @Test
    default void aRolledBackSealLeavesTheBatchOpen() throws Exception {
        Batch batch = batch("b").open();
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(batch.seal(connection)).isTrue();
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(info(batch).state()).isEqualTo("open");
        assertThat(callbacks()).isEmpty();
        assertThat(batch.seal()).isTrue();
        assertThat(callbacks()).containsExactly("done b", "success b");
    }

    /** The sealing transaction may be long. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aSealDelaysOutcomesOfItsOwnBatchOnly() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Batch sealing = batch("sealing").open();
        Batch other = batch("other").open();
        add(sealing, "1", "2");
        add(other, "3");
        fixture().enqueue();
        long left = fixture().enqueue();
        List<Settlement> runs = new ArrayList<>();
        for (Grant grant : fixture().claim(5)) {
            Verdict verdict = grant.job().id() == left ? new Verdict.Discarded("d", "e") : new Verdict.Completed();
            runs.add(new Settlement(grant.lease(), verdict, grant.job().batch().orElse(0)));
        }
        List<Lease> plain = runs.stream()
                .filter(run -> run.batch() != sealing.id())
                .map(Settlement::lease)
                .toList();
        assertThat(plain).hasSize(3);
        Settled settled;
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            sealing.seal(connection);
            CompletableFuture<Settled> ended = CompletableFuture.supplyAsync(() -> {
                try {
                    return fixture().rows().settle(runs);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            settled = ended.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(settled.accepted()).containsExactlyInAnyOrderElementsOf(plain);
        List<Settlement> put = runs.stream()
                .filter(run -> settled.locked().contains(run.lease()))
                .toList();
        assertThat(put).hasSize(2);
        assertThat(fixture().rows().settle(put).accepted()).hasSize(2);
        assertThat(info(sealing).isSuccess()).isTrue();
        assertThat(info(other).completed()).isOne();
    }

    /**
     * Sealing a part also locks the count of the whole batch, which the same transaction may seal afterwards. This transaction must not
     * deadlock with a transaction that records outcomes.
     */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void sealingAnInnerBatchDelaysOnlyOutcomesOfTheOuterBatch() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Batch whole = batch("whole").open();
        Batch part = whole.batch("part").open();
        Batch other = batch("other").open();
        add(part, "0");
        assertThat(fixture().rows().settle(completed(fixture().claim(1))).accepted())
                .hasSize(1);
        add(whole, "1", "2");
        add(other, "3");
        fixture().enqueue();
        List<Settlement> runs = completed(fixture().claim(4));
        Settled settled;
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            part.seal(connection);
            settled = settled(runs).get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            CompletableFuture<Settled> again = settled(runs);
            whole.seal(connection);
            assertThat(again.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS).accepted())
                    .isEmpty();
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(settled.accepted()).hasSize(2);
        assertThat(settled.locked())
                .containsExactlyInAnyOrderElementsOf(runs.stream()
                        .filter(run -> run.batch() == whole.id())
                        .map(Settlement::lease)
                        .toList());
        assertThat(fixture().rows().settle(runs).accepted()).hasSize(2);
        assertThat(info(whole).isSuccess()).isTrue();
        assertThat(info(other).completed()).isOne();
    }

    private static List<Settlement> completed(List<Grant> grants) {
        return grants.stream()
                .map(grant -> new Settlement(
                        grant.lease(),
                        new Verdict.Completed(),
                        grant.job().batch().orElse(0)))
                .toList();
    }

    private CompletableFuture<Settled> settled(List<Settlement> runs) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return fixture().rows().settle(runs);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** The sweep that ends abandoned runs also ends runs of other batches. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aSealDoesNotDelayRescuesOfOtherBatches() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Batch sealing = batch("sealing").open();
        add(sealing, "1");
        fixture().enqueue();
        Duration brief = Duration.ofMillis(20);
        assertThat(fixture().claim(2, brief)).hasSize(2);
        fixture().letLeasesExpire(brief);
        List<Rescue> rescues = fixture().store.abandoned(10, 0).stream()
                .map(job -> new Rescue(job.lease(), job.expiredAt(), new Verdict.Discarded("d", "e")))
                .toList();
        assertThat(rescues).hasSize(2);
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            sealing.seal(connection);
            CompletableFuture<Set<Lease>> ended = CompletableFuture.supplyAsync(() -> {
                try {
                    return fixture().store.rescue(rescues);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(ended.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(fixture().store.rescue(rescues)).hasSize(1);
        assertThat(info(sealing).isDone()).isTrue();
    }

    /** Asserts the order of locks. Without it, two transactions that each finish jobs of both batches could deadlock. */
    private void assertLocksTheYoungerFirst(Batch older, Batch younger, Callable<?> change) throws Exception {
        String lock = "SELECT * FROM pawl_batch_count WHERE batch_id = %d FOR UPDATE %s";
        CompletableFuture<?> changed;
        try (Connection connection = fixture().pool.getConnection();
                Connection other = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            other.setAutoCommit(false);
            fixture().execute(connection, lock.formatted(younger.id(), ""));
            long begun = System.nanoTime();
            changed = CompletableFuture.supplyAsync(() -> {
                try {
                    return change.call();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            while (isSoon(begun)) { // not longer, because outcomes would then be recorded without the younger batch
                Delay.poll(5); // a lock that another session takes gives no signal
                try {
                    fixture().execute(other, lock.formatted(older.id(), "NOWAIT"));
                } catch (SQLException locked) {
                    if (isSoon(begun)) {
                        throw locked;
                    }
                }
                other.rollback();
            }
            connection.rollback();
            connection.setAutoCommit(true);
            other.setAutoCommit(true);
        }
        assertThat(changed.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isNotNull();
    }

    private static boolean isSoon(long begun) {
        return System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(40);
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void batchCountsAreAlwaysLockedInOrder() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Batch older = batch("older").open();
        Batch younger = batch("younger").open();
        add(older, "1");
        add(younger, "2");
        List<Grant> lanes = fixture().claim(2);
        assertLocksTheYoungerFirst(
                older,
                younger,
                () -> fixture()
                        .finish(List.of(
                                new Settlement(lanes.get(0).lease(), new Verdict.Discarded("d", "e")),
                                new Settlement(lanes.get(1).lease(), new Verdict.Completed(), younger.id()))));
        assertThat(counts(older) + "; " + counts(younger))
                .isEqualTo("0 completed, 1 failed, 0 cancelled of 1; 1 completed, 0 failed, 0 cancelled of 1");

        EnqueueOptions row = EnqueueOptions.DEFAULTS.priority(1).maxAttempts(1);
        fixture().queue.enqueue(GREET, "3", older.with(row.uniqueKey("3")));
        fixture().queue.enqueue(GREET, "4", younger.with(row.uniqueKey("4")));
        Strategy marks = new Strategy.Pessimistic(0, true);
        List<Grant> rows = fixture().claim(marks, 2, Fixture.LEASE);
        assertLocksTheYoungerFirst(
                older,
                younger,
                () -> fixture()
                        .store
                        .strategy(marks)
                        .settle(List.of(
                                new Settlement(rows.get(0).lease(), new Verdict.Completed(), older.id()),
                                new Settlement(rows.get(1).lease(), new Verdict.Discarded("d", "e")))));
        assertThat(counts(older) + "; " + counts(younger))
                .isEqualTo("1 completed, 1 failed, 0 cancelled of 2; 1 completed, 1 failed, 0 cancelled of 2");

        assertLocksTheYoungerFirst(
                older,
                younger,
                () -> fixture()
                        .admin
                        .jobs()
                        .changeAll(
                                JobFilter.ALL.kind("greet").state(JobState.DISCARDED),
                                new JobChange.Retry(),
                                done -> {}));
        assertThat(counts(older) + "; " + counts(younger))
                .isEqualTo("1 completed, 0 failed, 0 cancelled of 2; 1 completed, 0 failed, 0 cancelled of 2");
    }

    @Test
    default void batchesAreListedAndForgotten() throws Exception {
        Batch one = batch("one").open();
        Batch two = batch("two").open();
        Batch inner = two.batch("inner").open();
        add(inner, "x");
        one.seal();
        assertThat(fixture().queue.batches(Long.MAX_VALUE, 10))
                .extracting(BatchInfo::name)
                .containsExactly("two", "one");
        assertThat(two.batches(10)).extracting(BatchInfo::name).containsExactly("inner");
        fixture().letPass(Duration.ofMillis(3));
        fixture()
                .admin
                .maintenance()
                .prune(new Retention(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(1), 1));
        assertThat(one.info()).isEmpty();
        assertThat(LongStream.of(two.id(), inner.id())
                        .mapToObj(id -> fixture().queue.batch(id).info()))
                .allMatch(Optional::isPresent);
    }
}
