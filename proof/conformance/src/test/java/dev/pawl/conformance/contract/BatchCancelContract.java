package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.BatchBuilder;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Retention;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Large batches that are cancelled as a whole: by a user, or because too many of their jobs have failed. */
@Specified
@WhiteBox
interface BatchCancelContract extends Contract {
    JobType<String> AFTERWARDS = JobType.of("afterwards", String.class);
    JobType<String> OTHER = JobType.of("other", String.class);

    private BatchBuilder batch() {
        return fixture()
                .queue
                .batch("b")
                .onDone(AFTERWARDS, "done")
                .onFailed(AFTERWARDS, "failed")
                .onSuccess(AFTERWARDS, "success");
    }

    private static List<String> texts(int count) {
        return IntStream.range(0, count).mapToObj(i -> "job " + i).toList();
    }

    private BatchInfo info(Batch batch) {
        return batch.info().orElseThrow();
    }

    private String counts(Batch batch) {
        BatchInfo info = info(batch);
        return info.completed() + " completed, " + info.failed() + " failed, " + info.cancelled() + " cancelled of "
                + info.jobs();
    }

    private List<String> afterwards() {
        return fixture().admin.jobs().list(JobFilter.ALL.kind("afterwards").limit(100)).stream()
                .map(Job::payload)
                .map(payload -> payload.replace("\"", ""))
                .sorted()
                .toList();
    }

    private Settlement completed(Grant grant) {
        return new Settlement(
                grant.lease(), new Verdict.Completed(), grant.job().batch().orElse(0));
    }

    /** Covers waiting jobs in rows and in a lane with other jobs, running jobs, and finished ones. */
    @Test
    default void exactlyItsOwnJobsAreCancelledInLanesAndRows() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        Batch batch = batch().open();
        batch.enqueueAll(GREET, texts(6));
        fixture().queue.enqueue(GREET, "another");
        List<Grant> claimed = fixture().claim(7);
        List<Grant> own = claimed.stream()
                .filter(grant -> grant.job().batch().isPresent())
                .toList();
        assertThat(fixture()
                        .finish(own.subList(0, 3).stream().map(this::completed).toList()))
                .hasSize(3);
        batch.enqueueAll(GREET, texts(30));
        fixture().queue.enqueueAll(GREET, texts(40));
        batch.enqueueAll(GREET, texts(600));
        fixture().queue.enqueueAll(GREET, texts(2));
        batch.enqueueAll(GREET, texts(601));
        EnqueueOptions later = EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1));
        fixture().queue.enqueueAll(GREET, texts(20), text -> batch.with(later));
        fixture().queue.enqueue(GREET, "keyed", batch.with(EnqueueOptions.DEFAULTS.key("customer 4")));
        batch.seal();

        assertThat(batch.cancel()).as("1,252 that waited, and 3 that run").isEqualTo(1_255);

        assertThat(counts(batch)).isEqualTo("3 completed, 0 failed, 1252 cancelled of 1258");
        assertThat(batch.jobs(0, 6))
                .filteredOn(job -> job.state() == JobState.RUNNING)
                .hasSize(3)
                .allMatch(Job::cancelRequested);
        assertThat(afterwards()).isEmpty();
        assertThat(fixture()
                        .finish(own.subList(3, 6).stream().map(this::completed).toList()))
                .hasSize(3);
        assertThat(info(batch).isDone()).isTrue();
        assertThat(afterwards()).containsExactly("done");
        assertThat(fixture()
                        .admin
                        .jobs()
                        .list(JobFilter.ALL.state(JobState.CANCELLED).limit(2_000)))
                .hasSize(1_252)
                .allMatch(job -> job.batch().orElse(0) == batch.id())
                .allMatch(job -> "cancelled before it started".equals(job.reason()));
        Set<Long> rest = new HashSet<>();
        List<Grant> more;
        do {
            more = fixture().claim(50);
            more.forEach(grant -> assertThat(rest.add(grant.job().id())).isTrue());
        } while (!more.isEmpty());
        assertThat(rest).hasSize(42);
        assertThat(fixture().count("pawl_keyed")).isZero();
        assertThat(batch.cancel()).isZero();
    }

    /** One statement per job would be a thousand statements in a second. */
    @Test
    default void aThousandAreCancelledInAFewStatements() throws Exception {
        Batch batch = batch().open();
        batch.enqueueAll(GREET, texts(700));
        fixture()
                .queue
                .enqueueAll(GREET, texts(300), text -> batch.with(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1))));
        batch.seal();
        AtomicInteger statements = new AtomicInteger();
        try (JobQueue counted = JobQueue.builder(
                        TamperedDataSource.of(fixture().pool, sql -> statements.incrementAndGet()))
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open()) {
            statements.set(0);
            assertThat(counted.batch(batch.id()).cancel()).isEqualTo(1_000);
        }
        assertThat(statements).hasValueLessThan(150);
        assertThat(info(batch).isDone()).isTrue();
        assertThat(afterwards()).containsExactly("done");
    }

    @Test
    default void jobsCancelledWhileTheyRunEndOnce() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        Batch batch = batch().open();
        batch.enqueueAll(GREET, texts(3_000));
        fixture().queue.enqueueAll(OTHER, texts(100));
        batch.seal();
        ConcurrentLinkedQueue<Long> ran = new ConcurrentLinkedQueue<>();
        AtomicInteger others = new AtomicInteger();
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, (text, run) -> ran.add(run.job().id()))
                .handle(OTHER, (text, run) -> others.incrementAndGet())
                .handle(AFTERWARDS, (text, run) -> {})
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> ran.size() > 50);
            CompletableFuture<Long> again = CompletableFuture.supplyAsync(() -> batch.cancel());
            long cancelled = batch.cancel() + again.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone() && others.get() == 100);
            BatchInfo info = info(batch);
            assertThat(cancelled).isGreaterThanOrEqualTo(info.cancelled());
            assertThat(info.completed() + info.cancelled()).isEqualTo(3_000);
        }
        assertThat(ran).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo((int)
                info(batch).completed());
        assertThat(fixture()
                        .admin
                        .jobs()
                        .list(JobFilter.ALL
                                .kind("greet")
                                .state(JobState.CANCELLED)
                                .limit(5_000)))
                .hasSize((int) info(batch).cancelled());
        assertThat(afterwards()).filteredOn("done"::equals).hasSize(1);
        assertThat(others).hasValue(100);
    }

    /** A handler's transaction may take any time. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void cancellingTheRestDoesNotWaitForAHandlersTransaction() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        assumeThat(fixture().database.dialect().skipsLockedRows()).isTrue();
        fixture().assumeNoTransactionAroundHandlers();
        Batch batch = batch().open();
        EnqueueOptions row = EnqueueOptions.DEFAULTS.delay(Duration.ofMillis(1));
        long held = fixture().queue.enqueue(GREET, "held", batch.with(row)).jobId();
        fixture().letPass(Duration.ofMillis(3));
        Grant grant = fixture().claimOne();
        assertThat(grant.job().id()).isEqualTo(held);
        batch.enqueueAll(GREET, texts(20));
        batch.seal();
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(fixture().store.lock(connection, grant.lease())).isTrue();
            assertThat(CompletableFuture.supplyAsync(() -> batch.cancel())
                            .get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(20);
            assertThat(fixture().store.complete(connection, completed(grant))).isTrue();
            connection.commit();
            connection.setAutoCommit(true);
        }
        fixture().runDuties();
        assertThat(counts(batch)).isEqualTo("1 completed, 0 failed, 20 cancelled of 21");
        assertThat(afterwards()).containsExactly("done");
    }

    /** Jobs that the cancel has not reached yet stay available. */
    @Test
    default void aRetryDuringTheCancelOfAStoppedBatchResumesTheRest() throws Exception {
        Batch batch = batch().stopWhen(20, 1).open();
        batch.enqueueAll(GREET, texts(700)); // more than a page
        batch.seal();
        Grant first = fixture().claimOne();
        assertThat(fixture().finish(first.lease(), new Verdict.Discarded("d", "e")))
                .isTrue();
        AtomicInteger pages = new AtomicInteger();
        DataSource cancelling = fixture().at("^SELECT job_id FROM \\w*batch_job ", sql -> {
            if (pages.incrementAndGet() == 2) {
                assertThat(fixture().admin.jobs().retry(first.job().id())).isEqualTo(RetryResult.AVAILABLE_NOW);
            }
        });
        Fixture.runDuties(fixture().storeOver(cancelling));
        assertThat(pages).hasValueGreaterThanOrEqualTo(2);
        assertThat(counts(batch)).isEqualTo("0 completed, 0 failed, 499 cancelled of 700");
        fixture().runDuties();
        assertThat(info(batch).cancelled()).isEqualTo(499);
        assertThat(info(batch).stoppedAt()).isNull();
    }

    /** The job was running when the others were cancelled, and nothing else would cancel it before its next attempt. */
    @Test
    default void aFailureAfterItsBatchWasStoppedIsNotRetried() throws Exception {
        Batch batch = batch().stopWhen(20, 1).open();
        batch.enqueueAll(GREET, texts(2));
        fixture().queue.enqueue(GREET, "row", batch.with(EnqueueOptions.DEFAULTS.delay(Duration.ofMillis(1))));
        fixture().letPass(Duration.ofMillis(3));
        List<Grant> grants = fixture().claim(3);
        assertThat(grants).hasSize(3);
        batch.enqueueAll(GREET, texts(4));
        batch.seal();
        assertThat(fixture().finish(grants.get(0).lease(), new Verdict.Discarded("d", "e")))
                .isTrue();
        fixture().runDuties();
        fixture().runDuties();
        assertThat(counts(batch)).isEqualTo("0 completed, 1 failed, 4 cancelled of 7");
        for (Grant grant : grants.subList(1, 3)) {
            assertThat(fixture().finish(grant.lease(), new Verdict.Retry(Duration.ofHours(1), "not yet")))
                    .isTrue();
        }
        SqlJobStore another =
                new SqlJobStore(Databases.of(fixture().pool, fixture().prefix), fixture().database, Retention.DEFAULTS);
        Fixture.runDuties(another);
        assertThat(counts(batch)).isEqualTo("0 completed, 1 failed, 6 cancelled of 7");
        Fixture.runDuties(another);
        assertThat(fixture().count("pawl_batch_count WHERE pending_action > 0")).isZero();
    }

    @Test
    default void aRetryWithinAStoppedBatchResumesTheWhole() throws Exception {
        Batch outer = batch().stopWhen(20, 1).open();
        outer.enqueue(GREET, "fails");
        Batch inner = outer.batch("inner").open().batch("innermost").open();
        inner.enqueueAll(GREET, texts(2));
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e")))
                .isTrue();
        fixture().runDuties();
        assertThat(counts(inner)).isEqualTo("0 completed, 0 failed, 2 cancelled of 2");
        long again = inner.jobs(0, 1).get(0).id();
        assertThat(fixture().admin.jobs().retry(again)).isEqualTo(RetryResult.AVAILABLE_NOW);
        assertThat(info(outer).stoppedAt()).isNull();
        outer.enqueue(GREET, "more");
        outer.seal();
        fixture().runDuties();
        assertThat(counts(inner)).isEqualTo("0 completed, 0 failed, 1 cancelled of 2");
        assertThat(counts(outer)).isEqualTo("0 completed, 1 failed, 0 cancelled of 3");
    }

    /** The worker that adds the job, or claims it, may have started after the others were cancelled. */
    @Test
    default void jobsAddedToAStoppedBatchAreCancelled() throws Exception {
        Batch batch = batch().stopWhen(20, 1).open();
        batch.enqueueAll(GREET, texts(2));
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e")))
                .isTrue();
        fixture().runDuties();
        fixture().runDuties();
        assertThat(fixture().count("pawl_batch_count WHERE pending_action > 0")).isZero();
        batch.enqueue(GREET, "late");
        fixture().runDuties();
        assertThat(counts(batch)).isEqualTo("0 completed, 1 failed, 2 cancelled of 3");
    }
}
