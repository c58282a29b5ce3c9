package dev.pawl.conformance.contract;

import static dev.pawl.api.JobState.AVAILABLE;
import static dev.pawl.api.JobState.PAUSED;
import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.Worker;
import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.Choice;
import dev.pawl.admin.JobChange;
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
import dev.pawl.internal.batch.BatchMoments;
import dev.pawl.internal.batch.BatchPauses;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.ClaimFilter;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.internal.store.WorkerFeatures;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Batches that block their jobs until the first ones have completed, or that a user has paused. */
@Specified
@WhiteBox
interface BatchPauseContract extends Contract {
    JobType<String> ONCE = JobType.of("once", String.class).withDefaults(EnqueueOptions.DEFAULTS.maxAttempts(1));

    private static List<String> texts(int count) {
        return IntStream.range(0, count).mapToObj(i -> "job " + i).toList();
    }

    private BatchInfo info(Batch batch) {
        return batch.info().orElseThrow();
    }

    @Test
    default void theRestBeginsWhenTheFirstJobsHaveCompleted() throws Exception {
        Batch batch = fixture().queue.batch("careful").canary(3).open();
        batch.enqueue(ONCE, "job 0");
        batch.enqueueAll(ONCE, texts(20).subList(1, 20));
        batch.enqueue(ONCE, "job 20");
        assertThat(info(batch).state()).isEqualTo("canary");
        assertThat(batch.jobs(0, 100))
                .filteredOn(job -> job.state() == JobState.PAUSED)
                .hasSize(18);
        CountDownLatch release = new CountDownLatch(1);
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> {
                    begun.add(text);
                    release.await();
                })
                .handle(GREET, (text, run) -> begun.add(text))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> begun.size() == 3);
            fixture().queue.enqueue(GREET, "another");
            await().atMost(Fixture.SOON).until(() -> begun.contains("another"));
            assertThat(begun).containsExactlyInAnyOrder("job 0", "job 1", "job 2", "another");
            release.countDown();
            await().atMost(Fixture.SOON).until(() -> info(batch).completed() == 21);
            batch.seal();
            assertThat(info(batch).isSuccess()).isTrue();
            assertThat(info(batch).canary()).isZero();
            assertThat(fixture().queue.batch(batch.id()).info().orElseThrow().pausedAt())
                    .isNull();
        }
        assertThat(begun).hasSize(22);
    }

    @Test
    default void theRestIsCancelledWhenAFirstJobFails() throws Exception {
        Batch batch = fixture().queue.batch("careful").canary(2).open();
        batch.enqueueAll(ONCE, texts(30));
        batch.seal();
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> {
                    begun.add(text);
                    throw new IllegalStateException("every one fails");
                })
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
        }
        assertThat(begun).hasSize(2);
        assertThat(info(batch).failed()).isEqualTo(2);
        assertThat(info(batch).cancelled()).isEqualTo(28);
        assertThat(info(batch).stoppedAt()).isNotNull();
    }

    @Test
    default void aPausedBatchBeginsNothingAndGoesOnAsAWhole() throws Exception {
        Batch batch = fixture().queue.batch("paused").open();
        batch.enqueueAll(ONCE, texts(600)); // more than a page
        batch.pause();
        batch.enqueue(ONCE, "later");
        batch.seal();
        assertThat(info(batch).state()).isEqualTo("paused");
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> begun.add(text))
                .handle(GREET, (text, run) -> begun.add(text))
                .start();
        try (worker) {
            fixture().queue.enqueue(GREET, "another"); // behind all of them
            await().atMost(Fixture.SOON).until(() -> begun.contains("another"));
            await().atMost(Fixture.SOON)
                    .until(() -> batch.jobs(0, 2_000).stream().allMatch(job -> job.state() == JobState.PAUSED));
            assertThat(begun).containsExactly("another");
            assertThat(batch.resume()).isTrue();
            assertThat(batch.resume()).isFalse();
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
        }
        assertThat(info(batch).isSuccess()).isTrue();
        assertThat(begun).hasSize(602);
    }

    /** Workers of other processes are notified, too, because they may poll rarely. */
    @Test
    default void releasingJobsOfABatchNotifiesWorkers() throws Exception {
        Batch batch = fixture().queue.batch("careful").canary(1).open();
        EnqueueOptions elsewhere = ONCE.defaults().queue("elsewhere");
        fixture().queue.enqueueAll(ONCE, texts(3), text -> batch.with(elsewhere));
        Set<String> told = new HashSet<>();
        SqlJobStore notifying = new SqlJobStore(
                Databases.of(fixture().pool, fixture().prefix),
                fixture().database,
                Retention.DEFAULTS,
                (connection, queues) -> told.addAll(queues));
        assertThat(notifying.batches().pauses().passed(batch.id())).isTrue();
        assertThat(told).containsExactly("elsewhere");
        assertThat(batch.jobs(0, 10)).noneMatch(job -> job.state() == JobState.PAUSED);
        told.clear();
        Fixture.runDuties(notifying);
        assertThat(told).as("of paused jobs").isEmpty();
    }

    @Test
    default void theSweepReleasesPausedJobsOfAResumedBatch() throws Exception {
        Batch batch = fixture().queue.batch("late").open();
        long id = batch.enqueue(ONCE, "x").jobId();
        batch.pause();
        Worker worker = fixture().newWorker().handle(ONCE, (text, run) -> {}).start();
        try (worker) {
            await().atMost(Fixture.SOON)
                    .until(() -> fixture()
                                    .queue
                                    .admin()
                                    .jobs()
                                    .find(id)
                                    .orElseThrow()
                                    .state()
                            == JobState.PAUSED);
        }
        fixture().execute("UPDATE pawl_batch_pause SET paused_at = NULL"); // the process that resumed it died
        fixture().runDuties();
        assertThat(fixture().queue.admin().jobs().find(id).orElseThrow().state())
                .isNotEqualTo(JobState.PAUSED);
        assertThat(fixture().queue.admin().jobs().find(id).orElseThrow().state())
                .isEqualTo(JobState.AVAILABLE);
        assertThat(fixture().count("pawl_batch_pause")).isZero();
    }

    /** A worker has paused the first jobs. The other jobs still wait for them. */
    @Test
    default void aResumeReleasesTheFirstJobsThatWerePaused() throws Exception {
        Batch batch = firstJobsArePaused();
        assertThat(batch.resume()).isTrue();
        assertThat(states(batch)).containsExactly(AVAILABLE, AVAILABLE, PAUSED, PAUSED);
        Worker worker = fixture().newWorker().handle(ONCE, (text, run) -> {}).start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
        }
        assertThat(info(batch).isSuccess()).isTrue();
    }

    @Test
    default void theSweepReleasesFirstJobsOfAResumedBatch() throws Exception {
        Batch batch = firstJobsArePaused();
        Dialect dialect = fixture().database.dialect();
        String died = "UPDATE pawl_batch_pause SET paused_at = NULL, released_at = ";
        fixture().execute(died + dialect.now()); // the process that resumed it died
        fixture().runDuties();
        assertThat(states(batch)).containsExactly(AVAILABLE, AVAILABLE, PAUSED, PAUSED);
        assertThat(fixture().count("pawl_batch_pause WHERE released_at IS NOT NULL"))
                .as("other workers may pause more")
                .isEqualTo(1);
        long minutes = TimeUnit.MINUTES.toMicros(-3);
        fixture().execute(died + dialect.nowPlusMicros().replace("?", Long.toString(minutes)));
        fixture().runDuties();
        assertThat(fixture().count("pawl_batch_pause WHERE released_at IS NOT NULL"))
                .isZero();
        assertThat(info(batch).canary()).isEqualTo(2);
    }

    /** {@return a sealed and paused batch of four jobs, of which two are its first jobs} */
    private Batch firstJobsArePaused() {
        Batch batch = fixture().queue.batch("careful").canary(2).open();
        batch.enqueueAll(ONCE, texts(4));
        batch.seal();
        batch.pause();
        Worker worker = fixture().newWorker().handle(ONCE, (text, run) -> {}).start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> states(batch).stream().allMatch(state -> state == PAUSED));
        }
        return batch;
    }

    private static List<JobState> states(Batch batch) {
        return batch.jobs(0, 10).stream().map(Job::state).toList();
    }

    /** For example, a row of the batch is damaged, or its release exceeds a time limit each time. */
    @Test
    default void aBatchThatCannotBeReleasedDoesNotStopTheOthers() throws Exception {
        List<Batch> batches = List.of(
                fixture().queue.batch("bad").open(),
                fixture().queue.batch("good").open());
        for (Batch batch : batches) {
            long unused = batch.enqueue(ONCE, "x").jobId();
            batch.pause();
        }
        fixture().execute("UPDATE pawl_batch_pause SET paused_at = NULL");
        DataSource tampered = fixture().at("^SELECT b\\.job_id FROM", TamperedDataSource.once(statement -> {
            throw new SQLException("a value of a test is out of range", "22003");
        }));
        BatchPauses pauses =
                new BatchPauses(new Database(tampered, fixture().database.dialect()), (connection, queues) -> {});
        assertThatThrownBy(pauses::sweep).hasMessageContaining("of a test");
        assertThat(fixture().count("pawl_batch_pause")).isEqualTo(1);
    }

    @Test
    default void aBatchThatCannotBeResumedDoesNotStopTheOthers() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        DataSource tampered = fixture().at("^SELECT CASE .*pawl_batch_pause", statement -> {
            if (tries.incrementAndGet() == 1) {
                throw new SQLException("a value of a test is out of range", "22003");
            }
        });
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        WorkerFeatures.Additions worker = new SqlJobStore(
                        product, new Database(tampered, product.dialect()), Retention.DEFAULTS)
                .additions(new WorkerContext("test", Set.of("default")));
        JobStore.Settings.Builder paused = new JobStore.Settings.Builder();
        List.of("bad", "good").forEach(name -> paused.paused(batch(name)));
        worker.filters().forEach(filter -> filter.read(paused.build()));
        worker.filters().forEach(filter -> filter.read(new JobStore.Settings.Builder().build()));
        Duty duty = worker.duties().stream()
                .filter(each -> each.name().equals("release jobs of resumed batches"))
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(duty.work()::run).hasMessageContaining("of a test");
        assertThat(tries).as("both").hasValue(2);
        assertThat(worker.filters()).noneMatch(ClaimFilter::isSettled);
        duty.work().run();
        assertThat(worker.filters()).allMatch(ClaimFilter::isSettled);
    }

    private long batch(String name) {
        return fixture().queue.batch(name).open().id();
    }

    /** The ended pause keeps the worker awake until it is swept. */
    @Test
    default void anEndedPauseIsSweptAsSoonAsItIsFound() throws Exception {
        Duty duty = Fixture.duties(fixture().store).stream()
                .filter(each -> each.whileSuspended().sources().contains(BatchMoments.ENDED_PAUSES))
                .findFirst()
                .orElseThrow();
        assertThat(duty.every()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        Batch batch = fixture().queue.batch("late").open();
        long unused = batch.enqueue(ONCE, "x").jobId();
        batch.pause();
        fixture().execute("UPDATE pawl_batch_pause SET paused_at = NULL");
        duty.work().run();
        assertThat(fixture().count("pawl_batch_pause")).as("not each second").isEqualTo(1);
        duty.work().recheck();
        duty.work().run();
        assertThat(fixture().count("pawl_batch_pause")).isZero();
    }

    /** The other jobs were cancelled with the failed first job; their cancellation must not stop the batch again. */
    @Test
    default void retryingAFailedFirstJobResumesTheBatch() throws Exception {
        Batch batch = fixture().queue.batch("careful").canary(2).open();
        batch.enqueueAll(ONCE, texts(6));
        AtomicBoolean failing = new AtomicBoolean(true);
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> {
                    if (failing.get()) {
                        throw new IllegalStateException("not yet");
                    }
                })
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> info(batch).ended() == 6);
            failing.set(false);
            for (Job job : batch.jobs(0, 2)) {
                fixture().queue.admin().jobs().retry(job.id());
            }
            await().atMost(Fixture.SOON).until(() -> info(batch).completed() == 2);
            batch.enqueue(ONCE, "one more");
            batch.seal();
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
        }
        assertThat(info(batch).completed()).isEqualTo(3);
        assertThat(info(batch).cancelled()).isEqualTo(4);
        assertThat(info(batch).stoppedAt()).isNull();
    }

    /** While the second retry waits for the lock of the batch's count, it has already read that the first jobs still block the rest. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aRetryDuringTheReleaseDoesNotStopTheBatchAgain() throws Exception {
        fixture().assumeCan(Capability.ROW_LOCKS);
        Batch batch = fixture().queue.batch("careful").canary(2).open();
        batch.enqueueAll(ONCE, texts(6));
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> {
                    throw new IllegalStateException("not yet");
                })
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> info(batch).ended() == 6);
        }
        List<Job> first = batch.jobs(0, 2);
        fixture().queue.admin().jobs().retry(first.get(0).id());
        CompletableFuture<RetryResult> second;
        String of = " WHERE batch_id = " + batch.id();
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            fixture().execute(connection, "UPDATE pawl_batch_count SET pending_action = 0" + of);
            second = CompletableFuture.supplyAsync(
                    () -> fixture().queue.admin().jobs().retry(first.get(1).id()));
            Delay.quiet(300); // several polls, in which nothing changes
            assertThat(second).isNotDone();
            fixture().execute("UPDATE pawl_batch_pause SET canary = 0" + of);
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(second.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(RetryResult.AVAILABLE_NOW);
        assertThat(info(batch).stoppedAt()).isNull();
    }

    @Test
    default void aBatchIsCancelledBeforeItsFirstJobsHaveCompleted() throws Exception {
        Batch batch = fixture().queue.batch("careful").canary(3).open();
        batch.enqueueAll(ONCE, texts(10));
        batch.seal();
        assertThat(batch.cancel()).isEqualTo(10);
        assertThat(info(batch).isDone()).isTrue();
        assertThat(info(batch).cancelled()).isEqualTo(10);
        fixture().runDuties();
        assertThat(info(batch).cancelled()).isEqualTo(10);
    }

    /** A change of a single paused job releases that job. A change of all matching jobs releases none of them. */
    @Test
    default void changesOfManyJobsReleaseNoneOfItsJobs() throws Exception {
        Batch batch = fixture().queue.batch("careful").canary(2).open();
        batch.enqueueAll(ONCE, texts(5));
        Admin admin = fixture().queue.admin();
        JobFilter all = JobFilter.ALL.kind(ONCE.kind());
        admin.jobs().changeAll(all.states(Choice.of(List.of(JobState.values()))), new JobChange.Retry(), done -> {});
        admin.jobs().changeAll(all, new JobChange.Reschedule(Instant.parse("2020-01-01T00:00:00Z")), done -> {});
        assertThat(batch.jobs(0, 100))
                .filteredOn(job -> job.state() == JobState.PAUSED)
                .hasSize(3);
        admin.jobs().changeAll(all, new JobChange.Move("elsewhere"), done -> {});
        assertThat(batch.jobs(0, 100))
                .filteredOn(job -> job.state() == JobState.PAUSED)
                .hasSize(3);
    }

    @Test
    default void jobsWithKeysArePausedAndGoOnToo() throws Exception {
        Batch batch = fixture().queue.batch("paused").open();
        EnqueueOptions keyed = EnqueueOptions.DEFAULTS.key("customer-4").maxAttempts(1);
        for (int i = 0; i < 3; i++) {
            fixture().queue.enqueue(ONCE, "job " + i, batch.with(keyed));
        }
        batch.pause();
        batch.seal();
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> begun.add(text))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON)
                    .until(() -> batch.jobs(0, 10).stream().anyMatch(job -> job.state() == JobState.PAUSED));
            long outside = fixture().queue.enqueue(ONCE, "of nobody", keyed).jobId();
            assertThat(begun).isEmpty();
            assertThat(batch.resume()).isTrue();
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
            await().atMost(Fixture.SOON).until(() -> begun.size() == 4);
            await().atMost(Fixture.SOON)
                    .until(() -> fixture()
                                    .queue
                                    .admin()
                                    .jobs()
                                    .find(outside)
                                    .orElseThrow()
                                    .state()
                            == JobState.COMPLETED);
        }
        assertThat(info(batch).isSuccess()).isTrue();
    }

    /** A paused job keeps its position; resuming the batch does not resume the job's key. */
    @Test
    default void resumingABatchDoesNotEndThePauseOfAKey() throws Exception {
        Batch batch = fixture().queue.batch("paused").open();
        EnqueueOptions keyed = EnqueueOptions.DEFAULTS.key("customer-4").maxAttempts(1);
        long id = fixture().queue.enqueue(ONCE, "job", batch.with(keyed)).jobId();
        batch.pause();
        batch.seal();
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> begun.add(text))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> fixture().job(id).state() == JobState.PAUSED);
            fixture().queue.limits().pause(new ConcurrencyKey("default", "customer-4"), Duration.ofHours(1), "down");
            assertThat(batch.resume()).isTrue();
            assertThat(fixture().job(id).state()).isEqualTo(JobState.BLOCKED);
            assertThat(begun).isEmpty();
            assertThat(fixture().queue.limits().resume(new ConcurrencyKey("default", "customer-4")))
                    .isTrue();
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
        }
        assertThat(begun).containsExactly("job");
    }

    /** The job is paused in the other queue, and queued behind its key when the batch resumes. */
    @Test
    default void aPausedJobThatIsMovedIsQueuedBehindItsKey() throws Exception {
        Batch batch = fixture().queue.batch("paused").open();
        EnqueueOptions keyed = EnqueueOptions.DEFAULTS.key("customer-4").maxAttempts(1);
        long id = fixture().queue.enqueue(ONCE, "job", batch.with(keyed)).jobId();
        batch.pause();
        batch.seal();
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .queues("default", "other")
                .handle(ONCE, (text, run) -> begun.add(text))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> fixture().job(id).state() == JobState.PAUSED);
            assertThat(fixture()
                            .admin
                            .jobs()
                            .changeAll(JobFilter.ALL.id(id), new JobChange.Move("other"), done -> {})
                            .changed())
                    .isOne();
            assertThat(begun).isEmpty();
            assertThat(batch.resume()).isTrue();
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
        }
        assertThat(begun).containsExactly("job");
    }

    /** A key with several permits goes on with other jobs, and blocks the paused ones when they come back. */
    @Test
    default void jobsOfKeysWithHigherLimitsArePausedAndGoOnToo() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(3));
        Batch batch = fixture().queue.batch("paused").open();
        EnqueueOptions keyed = EnqueueOptions.DEFAULTS.key("customer-4").maxAttempts(1);
        for (int i = 0; i < 5; i++) {
            fixture().queue.enqueue(ONCE, "job " + i, batch.with(keyed));
        }
        fixture().queue.enqueue(ONCE, "of nobody", keyed);
        batch.pause();
        batch.seal();
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> begun.add(text))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> begun.contains("of nobody"));
            await().atMost(Fixture.SOON)
                    .until(() -> batch.jobs(0, 10).stream().allMatch(job -> job.state() == JobState.PAUSED));
            assertThat(begun).containsExactly("of nobody");
            assertThat(batch.resume()).isTrue();
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
        }
        assertThat(info(batch).isSuccess()).isTrue();
        assertThat(begun).hasSize(6);
    }

    /** If the duplicate stayed a first job, the rest would wait forever for a job that is not of this batch. */
    @Test
    default void theNextJobReplacesAFirstJobThatWasADuplicate() throws Exception {
        EnqueueOptions there = ONCE.defaults().uniqueKey("job 0");
        fixture().queue.enqueue(ONCE, "job 0", there);
        Batch batch = fixture().queue.batch("careful").canary(2).open();
        fixture()
                .queue
                .enqueueAll(ONCE, texts(5), text -> batch.with(ONCE.defaults().uniqueKey(text)));
        batch.seal();
        assertThat(batch.jobs(0, 100))
                .filteredOn(job -> job.state() == JobState.PAUSED)
                .hasSize(2);
        Worker worker = fixture().newWorker().handle(ONCE, (text, run) -> {}).start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> info(batch).isDone());
        }
        assertThat(info(batch).completed()).isEqualTo(4);
        assertThat(info(batch).stoppedAt()).isNull();
    }

    /** The transaction's snapshot is older than the batch. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void theRestWaitsAtAnyIsolationLevel() throws Exception {
        assumeThat(fixture().product).isIn(Product.MARIADB, Product.MYSQL);
        Batch batch;
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            fixture().execute(connection, "SELECT COUNT(*) FROM pawl_batch");
            batch = fixture().queue.batch("careful").canary(1).open();
            batch.within(connection).enqueueAll(ONCE, texts(3));
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(states(batch)).containsExactly(AVAILABLE, PAUSED, PAUSED);
    }

    private Workflow chain() {
        return fixture()
                .queue
                .workflow("order 4711")
                .job("first", ONCE, "first")
                .then("second", ONCE, "second")
                .then("third", ONCE, "third")
                .start();
    }

    private Job job(Workflow workflow, String node) {
        long jobs =
                workflow.info().orElseThrow().node(node).orElseThrow().jobs().id();
        return fixture().queue.batch(jobs).jobs(0, 10).get(0);
    }

    /** The node waits for other nodes and is paused: both have to end before it runs. */
    @Test
    default void aNodeIsPausedWhileItWaitsForOthers() throws Exception {
        Workflow workflow = chain();
        Batch second = fixture().queue.batch(job(workflow, "second").batch().orElseThrow());
        second.pause();
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> begun.add(text))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> job(workflow, "second").state() == JobState.PAUSED);
            assertThat(begun).containsExactly("first");
            assertThat(job(workflow, "third").state()).isEqualTo(JobState.PENDING);
            second.resume();
            await().atMost(Fixture.SOON)
                    .until(() -> workflow.info().orElseThrow().isDone());
        }
        assertThat(begun).containsExactly("first", "second", "third");
    }

    @Test
    default void aPausedWorkflowBeginsNothingAndGoesOnAsAWhole() throws Exception {
        Workflow workflow = chain();
        Batch whole = fixture().queue.batch(workflow.id());
        whole.pause();
        assertThat(workflow.info().orElseThrow().state()).isEqualTo("paused");
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(ONCE, (text, run) -> begun.add(text))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON)
                    .until(() -> job(workflow, "first").state() == JobState.PAUSED || !begun.isEmpty());
            assertThat(begun).isEmpty();
            whole.resume();
            await().atMost(Fixture.SOON)
                    .until(() -> workflow.info().orElseThrow().isDone());
        }
        assertThat(begun).containsExactly("first", "second", "third");
    }
}
