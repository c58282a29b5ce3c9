package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static dev.pawl.conformance.contract.Fixture.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.Worker;
import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.Signal;
import dev.pawl.api.WorkerCommand;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Each cause that keeps a job from running is reported to users. Each cause has a test with its name, and one test checks that none is
 * missing.
 */
@Specified
@WhiteBox
interface WaitReasonContract extends Contract {
    private List<WaitReason> reasons(long id) {
        return fixture().admin.jobs().waitReasons(id);
    }

    private WaitReason only(long id, Cause cause) {
        List<WaitReason> of =
                reasons(id).stream().filter(reason -> reason.cause() == cause).toList();
        assertThat(of).as("%s among %s", cause, reasons(id)).hasSize(1);
        return of.get(0);
    }

    private List<Cause> causes(long id) {
        return reasons(id).stream().map(WaitReason::cause).toList();
    }

    /** Registers a worker, which may not claim before it has a row. */
    private long worker(int concurrency) throws SQLException {
        return new WorkerRegistry(fixture().database)
                .register("able", List.of("default"), List.of("greet"), concurrency, concurrency, Map.of());
    }

    private void noneCanBeClaimed() throws SQLException {
        assertThat(fixture().claim(5)).isEmpty();
    }

    private SqlKeys keys() {
        return new SqlKeys(fixture().database);
    }

    private static EnqueueOptions key() {
        return EnqueueOptions.DEFAULTS.key("k");
    }

    @Test
    default void everyCauseHasATest() {
        List<String> tests = Arrays.stream(WaitReasonContract.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .map(method -> method.getName().toLowerCase(Locale.ROOT))
                .toList();
        List<String> causes = Arrays.stream(Cause.values())
                .map(cause -> cause.name().replace("_", "").toLowerCase(Locale.ROOT))
                .toList();
        assertThat(tests).containsAll(causes);
    }

    @Test
    default void jobsThatDoNotWaitHaveNoReasons() throws Exception {
        long id = fixture().enqueue();
        fixture().claimOne();
        assertThat(reasons(id)).isEmpty();
        assertThat(reasons(id + 1_000)).isEmpty();
    }

    @Test
    default void queuePaused() throws Exception {
        long id = fixture().enqueue();
        fixture().admin.queues().pause("default");
        noneCanBeClaimed();
        assertThat(only(id, Cause.QUEUE_PAUSED))
                .isEqualTo(new WaitReason(Cause.QUEUE_PAUSED, "queue default is paused", null, "default"));
        // The other cause is reported as well.
        only(id, Cause.KIND_WITHOUT_WORKER);
        fixture().admin.queues().resume("default");
        assertThat(causes(id)).doesNotContain(Cause.QUEUE_PAUSED);
    }

    @Test
    default void allPaused() throws Exception {
        long id = fixture().enqueue();
        fixture().admin.queues().pauseAll();
        noneCanBeClaimed();
        assertThat(only(id, Cause.ALL_PAUSED))
                .isEqualTo(new WaitReason(Cause.ALL_PAUSED, "all queues are paused", null, ""));
        assertThat(causes(id)).doesNotContain(Cause.QUEUE_PAUSED);
        fixture().admin.queues().resumeAll();
        assertThat(causes(id)).doesNotContain(Cause.ALL_PAUSED);
    }

    @Test
    default void batchPaused() throws Exception {
        Batch batch = fixture().queue.batch("b").open();
        EnqueueOptions own = batch.with(EnqueueOptions.DEFAULTS);
        long id = fixture().enqueue(own);
        batch.pause();
        assertThat(only(id, Cause.BATCH_PAUSED).about()).isEqualTo(Long.toString(batch.id()));
        assertThat(only(id, Cause.BATCH_PAUSED).text()).isEqualTo("batch " + batch.id() + " is paused");
        batch.resume();
        assertThat(causes(id)).doesNotContain(Cause.BATCH_PAUSED);
    }

    @Test
    default void batchCanary() throws Exception {
        Batch batch = fixture().queue.batch("b").canary(1).open();
        long first = fixture().enqueue(batch.with(EnqueueOptions.DEFAULTS));
        long second = fixture().enqueue(batch.with(EnqueueOptions.DEFAULTS));
        assertThat(fixture().job(second).state()).isEqualTo(JobState.PAUSED);
        only(second, Cause.BATCH_CANARY);
        assertThat(causes(first)).doesNotContain(Cause.BATCH_CANARY);
    }

    @Test
    default void batchStopped() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        Batch batch = fixture().queue.batch("b").stopWhen(20, 1).open();
        EnqueueOptions own = batch.with(EnqueueOptions.DEFAULTS);
        fixture().enqueue(own);
        long id = fixture().enqueue(own);
        batch.seal();
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e")))
                .isTrue();
        only(id, Cause.BATCH_STOPPED);
        fixture().runDuties();
        assertThat(fixture().job(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void expired() throws Exception {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.expiresIn(Duration.ofMillis(1)));
        await().atMost(SOON).until(() -> causes(id).contains(Cause.EXPIRED));
        only(id, Cause.EXPIRED);
    }

    @Test
    default void workflowPending() {
        Workflow chain = fixture()
                .queue
                .workflow("w")
                .job("first", GREET, "a")
                .then("second", GREET, "b")
                .start();
        long node =
                chain.info().orElseThrow().node("second").orElseThrow().jobs().id();
        long id = fixture().queue.batch(node).jobs(0, 10).get(0).id();
        assertThat(only(id, Cause.WORKFLOW_PENDING))
                .isEqualTo(new WaitReason(
                        Cause.WORKFLOW_PENDING,
                        "other jobs of its workflow come first: those of node first",
                        null,
                        Long.toString(chain.id())));
    }

    @Test
    default void scheduled() throws Exception {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        noneCanBeClaimed();
        assertThat(only(id, Cause.SCHEDULED).until())
                .isEqualTo(fixture().job(id).availableAt());
        long keyed = fixture().enqueue(key().delay(Duration.ofHours(1)));
        assertThat(only(keyed, Cause.SCHEDULED).until())
                .isEqualTo(fixture().admin.jobs().dueAt(keyed).orElseThrow());
        assertThat(causes(keyed)).doesNotContain(Cause.KEY_BLOCKED, Cause.KEY_RELEASE);
    }

    @Test
    default void retry() throws Exception {
        long id = fixture().enqueueRow();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Retry(Duration.ofHours(1), "boom"));
        WaitReason reason = only(id, Cause.RETRY);
        assertThat(reason.until()).isEqualTo(fixture().job(id).availableAt());
        assertThat(reason.text()).startsWith("its next attempt, 2 of ");
        assertThat(causes(id)).doesNotContain(Cause.SCHEDULED);
    }

    @Test
    default void signal() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        Signal<String> approved = Signal.of("approved", String.class);
        long id = fixture().enqueue();
        try (Worker worker = fixture()
                .newWorker()
                .handle(GREET, (text, run) -> run.steps().await(approved, Duration.ofDays(1)))
                .start()) {
            await().atMost(SOON).until(() -> causes(id).contains(Cause.SIGNAL));
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(only(id, Cause.SIGNAL).text()).isEqualTo("its handler waits for the signal 'approved'");
        assertThat(causes(id)).doesNotContain(Cause.SCHEDULED);
    }

    @Test
    default void keyOutage() throws Exception {
        long id = fixture().enqueue(key());
        fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), "their server is down");
        noneCanBeClaimed();
        WaitReason reason = only(id, Cause.KEY_OUTAGE);
        assertThat(reason.text()).isEqualTo("its key is paused: their server is down");
        assertThat(reason.until()).isNotNull();
        assertThat(causes(id)).doesNotContain(Cause.KEY_RELEASE);
    }

    @Test
    default void keyBlocked() throws Exception {
        long first = fixture().enqueue(key());
        long second = fixture().enqueue(key());
        long third = fixture().enqueue(key());
        assertThat(only(second, Cause.KEY_BLOCKED).about()).isEqualTo(Long.toString(first));
        keys().releaseJobs(List.of(new JobKey("default", "k")));
        assertThat(fixture().claimOne().job().id()).isEqualTo(first);
        noneCanBeClaimed();
        assertThat(only(second, Cause.KEY_BLOCKED).text()).isEqualTo("job " + first + " of its key runs before it");
        assertThat(only(third, Cause.KEY_BLOCKED).text())
                .isEqualTo("job " + first + " of its key runs before it, and 1 job more");
    }

    @Test
    default void aKeyWithRoomOfASharedLimitIsNotBlockedByItsRunningJob() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").together(2));
        fixture().enqueue(key());
        keys().releaseJobs(List.of(new JobKey("default", "k")));
        long second = fixture().enqueue(key());
        assertThat(causes(second)).contains(Cause.KEY_RELEASE).doesNotContain(Cause.KEY_BLOCKED);
        keys().releaseJobs(List.of(new JobKey("default", "k")));
        long third = fixture().enqueue(key());
        only(third, Cause.KEY_BLOCKED);
    }

    @Test
    default void keyRate() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").rate(1, Duration.ofHours(1)));
        fixture().enqueue(key());
        long second = fixture().enqueue(key());
        try (Worker worker =
                fixture().newWorker().handle(GREET, (text, run) -> {}).start()) {
            await().atMost(SOON).until(() -> causes(second).contains(Cause.KEY_RATE));
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(only(second, Cause.KEY_RATE).until()).isNotNull();
        assertThat(causes(second)).doesNotContain(Cause.KEY_RELEASE);
    }

    @Test
    default void keyRelease() throws Exception {
        long id = fixture().enqueue(key());
        noneCanBeClaimed();
        only(id, Cause.KEY_RELEASE);
        keys().releaseJobs(List.of(new JobKey("default", "k")));
        assertThat(causes(id)).doesNotContain(Cause.KEY_RELEASE, Cause.KEY_BLOCKED);
    }

    @Test
    default void queueWithoutWorker() throws Exception {
        worker(1);
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.queue("nowhere"));
        assertThat(only(id, Cause.QUEUE_WITHOUT_WORKER).text()).isEqualTo("no live worker claims from queue nowhere");
        assertThat(causes(id)).doesNotContain(Cause.KIND_WITHOUT_WORKER);
    }

    @Test
    default void kindWithoutWorker() throws Exception {
        long id = fixture().enqueue();
        assertThat(only(id, Cause.KIND_WITHOUT_WORKER).about()).isEqualTo("greet");
        worker(1);
        assertThat(causes(id)).containsExactly(Cause.NEXT);
    }

    @Test
    default void workersQuiet() throws Exception {
        long id = fixture().enqueue();
        long worker = worker(1);
        fixture().admin.workers().command(worker, WorkerCommand.QUIET);
        only(id, Cause.WORKERS_QUIET);
        fixture().admin.workers().command(worker, WorkerCommand.WORK);
        assertThat(causes(id)).containsExactly(Cause.NEXT);
    }

    @Test
    default void outage() throws Exception {
        long id = fixture().enqueue();
        fixture().queue.limits().pause(Subject.kind("greet"), Duration.ofHours(1), "smtp is down");
        fixture().queue.limits().pause(Subject.kind("other"), Duration.ofHours(1), "not about it");
        WaitReason reason = only(id, Cause.OUTAGE);
        assertThat(reason.text()).isEqualTo("kind greet is paused: smtp is down");
        assertThat(reason.until()).isNotNull();
        fixture().queue.limits().pause(Subject.queue("default"), Duration.ofHours(1), "");
        assertThat(reasons(id)).extracting(WaitReason::text).contains("queue default is paused");
    }

    @Test
    default void limitFull() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        fixture().queue.limits().set(Limit.kind("greet").atOnce(1));
        fixture().enqueue();
        CountDownLatch enough = new CountDownLatch(1);
        try (Worker worker = fixture()
                .newWorker()
                .concurrency(2)
                .handle(GREET, (text, run) -> {
                    boolean unused = enough.await(SOON.toSeconds(), TimeUnit.SECONDS);
                })
                .start()) {
            await().atMost(SOON)
                    .until(() -> fixture()
                                    .admin
                                    .queues()
                                    .list(Admin.UNLIMITED)
                                    .get(0)
                                    .running()
                            == 1);
            long second = fixture().enqueue();
            await().atMost(SOON).until(() -> causes(second).contains(Cause.LIMIT_FULL));
            assertThat(only(second, Cause.LIMIT_FULL).text()).isEqualTo("kind greet is at its limit: 1 at once");
            enough.countDown();
            fixture().awaitState(second, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    default void rate() throws Exception {
        fixture().queue.limits().set(Limit.queue("default").rate(1, Duration.ofHours(1)));
        long first = fixture().enqueue();
        try (Worker worker =
                fixture().newWorker().handle(GREET, (text, run) -> {}).start()) {
            fixture().awaitState(first, JobState.COMPLETED);
            long second = fixture().enqueue();
            await().atMost(SOON).until(() -> causes(second).contains(Cause.RATE));
            assertThat(only(second, Cause.RATE).until()).isNotNull();
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    default void workersBusy() throws Exception {
        fixture().assumeOneServer("a node leaves jobs behind a gap of ids for a moment");
        long worker = worker(1);
        fixture().enqueue();
        List<Grant> claimed =
                fixture().rows().claim(new ClaimRequest("default", List.of("greet"), 1, worker, Fixture.LEASE, false));
        assertThat(claimed).hasSize(1);
        long id = fixture().enqueue();
        assertThat(causes(id)).containsExactly(Cause.WORKERS_BUSY);
    }

    @Test
    default void queuePosition() throws Exception {
        worker(5);
        List<Long> ids =
                List.of(fixture().enqueue(), fixture().enqueue(), fixture().enqueue());
        assertThat(ids.stream()
                        .map(id -> reasons(id).stream().map(WaitReason::text).collect(Collectors.joining()))
                        .toList())
                .containsExactly(
                        "nothing keeps it from running: the next claim of a worker takes it",
                        "1 job of queue default is before it",
                        "2 jobs of queue default are before it");
    }

    @Test
    default void next() throws Exception {
        worker(1);
        long id = fixture().enqueue();
        assertThat(causes(id)).containsExactly(Cause.NEXT);
        assertThat(Objects.requireNonNull(fixture().claimOne()).job().id()).isEqualTo(id);
    }
}
