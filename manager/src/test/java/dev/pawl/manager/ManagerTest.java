package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobAssignment;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagerTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Secret SECRET = new Secret("a secret of the test".replace(' ', '-'));

    private final TestDatabase database = TestServers.sqlite().createDatabase();
    private final HikariDataSource pool = database.newDataSource(6);
    private final JobQueue queue = JobQueue.open(pool);
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        queue.close();
        pool.close();
        database.close();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private WorkerServer worker(WorkerServer.Builder builder) {
        WorkerServer server = builder.start(anyPort());
        open.add(0, server);
        return server;
    }

    private static URI url(WorkerServer server) {
        return URI.create("http://localhost:" + server.port());
    }

    private Manager manager(ManagerBuilder builder) {
        Manager manager = builder.secret(SECRET).listen(anyPort(), null, null).start();
        open.add(0, manager);
        return manager;
    }

    private long enqueue(String payload, EnqueueOptions options) {
        return queue.enqueue(new JobRequest("work", payload, options)).jobId();
    }

    private void awaitState(long id, JobState state) {
        await().atMost(SOON).until(() -> job(id).state() == state);
    }

    private Job job(long id) {
        return queue.admin().jobs().find(id).orElseThrow();
    }

    /** Regression test: jobs of an idle worker waited for minutes behind 3,000 jobs whose worker was down. */
    @Test
    void kindsWithoutAWorkerDelayNoOtherKind() throws Exception {
        queue.enqueueAll(Collections.nCopies(1000, new JobRequest("away", "{}", EnqueueOptions.DEFAULTS)));
        WorkerServer idle =
                worker(WorkerServer.with(SECRET).capacity(4).handle("work", (payload, run) -> Outcome.completed()));
        Manager manager = manager(Manager.on(queue)
                .concurrency(4)
                .worker(URI.create("http://localhost:1"))
                .worker(url(idle))
                .kind("away", KindOptions.DEFAULTS)
                .kind("work", KindOptions.DEFAULTS));
        for (int i = 0; i < 20; i++) {
            enqueue("{}", EnqueueOptions.DEFAULTS);
        }
        await().atMost(SOON).until(() -> manager.stats().completed() == 20);
        assertThat(manager.stats().claimed()).isLessThan(100);
    }

    /** The policy applies to a failure in the worker's answer and to one in a later call. */
    @Test
    void failuresFollowTheKindsRetryPolicy() {
        for (Duration answerWithin : List.of(Duration.ofSeconds(5), Duration.ZERO)) {
            WorkerServer worker =
                    worker(WorkerServer.with(SECRET).answerWithin(answerWithin).handle("work", (payload, run) -> {
                        throw new IllegalStateException("broken");
                    }));
            long id = enqueue("{}", EnqueueOptions.DEFAULTS);
            try (Manager manager = Manager.on(queue)
                    .worker(url(worker))
                    .kind("work", KindOptions.DEFAULTS.retryPolicy(RetryPolicy.fixed(Duration.ofDays(3))))
                    .secret(SECRET)
                    .listen(anyPort(), null, null)
                    .start()) {
                await().atMost(SOON)
                        .until(() -> queue.admin()
                                        .runs()
                                        .failedAttempts(id, Admin.UNLIMITED)
                                        .size()
                                == 1);
                assertThat(manager.stats().completed()).isZero();
                assertThat(job(id).attempt()).isEqualTo(1);
            }
            assertThat(Duration.between(Instant.now(), job(id).availableAt())).isGreaterThan(Duration.ofDays(2));
        }
    }

    @Test
    void jobsRunOnSeveralWorkersAndAreRecorded() throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        CountDownLatch remote = new CountDownLatch(1);
        WorkerServer one = worker(WorkerServer.with(SECRET).handle("work", (payload, run) -> {
            remote.countDown();
            seen.add(payload);
            return Outcome.completed();
        }));
        LocalChannel local = new LocalChannel("threads", 4, Map.of("work", (payload, run) -> {
            boolean unused = remote.await(SOON.toSeconds(), TimeUnit.SECONDS); // otherwise it might run all of them
            seen.add(payload);
            return Outcome.completed();
        }));
        int jobs = 200;
        for (int i = 0; i < jobs; i++) {
            enqueue("\"" + i + "\"", EnqueueOptions.DEFAULTS);
        }
        Manager manager =
                manager(Manager.on(queue).worker(url(one)).channel(local).kind("work", KindOptions.DEFAULTS));
        await().atMost(SOON).until(() -> manager.stats().completed() == jobs);
        assertThat(seen).hasSize(jobs);
        Set<String> workers = ConcurrentHashMap.newKeySet();
        for (long id = 1; id <= jobs; id++) {
            List<JobAssignment> assignments = queue.admin().runs().assignments(id, Admin.UNLIMITED);
            assertThat(assignments).hasSize(1);
            workers.add(assignments.get(0).worker());
        }
        assertThat(workers).containsExactlyInAnyOrder(url(one).toString(), "threads");
    }

    @Test
    void headersAreSentWithTheJob() {
        AtomicReference<Map<String, String>> seen = new AtomicReference<>(Map.of());
        WorkerServer worker = worker(WorkerServer.with(SECRET).handle("work", (payload, run) -> {
            seen.set(run.job().headers());
            return Outcome.completed();
        }));
        Manager manager = manager(Manager.on(queue).worker(url(worker)).kind("work", KindOptions.DEFAULTS));
        long id = enqueue(
                "{}", EnqueueOptions.DEFAULTS.header("traceparent", "00-ü").header("empty", ""));
        awaitState(id, JobState.COMPLETED);
        assertThat(seen.get()).isEqualTo(Map.of("traceparent", "00-ü", "empty", ""));
        await().atMost(SOON).until(() -> manager.stats().completed() == 1);
    }

    @Test
    void optionsAreSentWithTheJob() {
        AtomicReference<Job> seen = new AtomicReference<>();
        WorkerServer worker = worker(WorkerServer.with(SECRET).handle("work", (payload, run) -> {
            seen.set(run.job());
            return Outcome.completed();
        }));
        Manager manager = manager(Manager.on(queue).worker(url(worker)).kind("work", KindOptions.DEFAULTS));
        Batch batch = queue.batch("b").open();
        long id = enqueue(
                "{}", batch.with(EnqueueOptions.DEFAULTS.key("k").cost(3).expiresIn(Duration.ofHours(1))));
        awaitState(id, JobState.COMPLETED);
        Job job = queue.admin().jobs().find(id).orElseThrow();
        Job sent = Objects.requireNonNull(seen.get());
        assertThat(sent.key()).hasValue("k");
        assertThat(sent.batch()).hasValue(batch.id());
        assertThat(sent.cost()).isEqualTo(3);
        assertThat(sent.expiresAt()).isPresent().isEqualTo(job.expiresAt());
        await().atMost(SOON).until(() -> manager.stats().completed() == 1);
    }

    @Test
    void longJobsAnswerLaterWithProgressAndLog() {
        CountDownLatch enough = new CountDownLatch(1);
        WorkerServer slow =
                worker(WorkerServer.with(SECRET).answerWithin(Duration.ZERO).handle("work", (payload, run) -> {
                    run.log("working");
                    await().atMost(SOON).until(() -> {
                        run.progress(42);
                        return enough.getCount() == 0;
                    });
                    return Outcome.completed();
                }));
        long id = enqueue("{}", EnqueueOptions.DEFAULTS);
        manager(Manager.on(queue)
                .worker(url(slow))
                .heartbeat(Duration.ofSeconds(3))
                .kind("work", KindOptions.DEFAULTS));
        await().atMost(SOON).until(() -> Integer.valueOf(42).equals(job(id).progress()));
        enough.countDown();
        awaitState(id, JobState.COMPLETED);
        await().atMost(SOON)
                .until(() -> !queue.admin().runs().log(id, Admin.UNLIMITED).isEmpty());
        assertThat(job(id).attempt()).isEqualTo(1);
    }

    @Test
    void everyOutcomeIsReported() {
        AtomicInteger snoozes = new AtomicInteger();
        AtomicInteger outages = new AtomicInteger();
        for (Duration answerWithin : List.of(Duration.ofSeconds(5), Duration.ZERO)) {
            WorkerServer worker = worker(WorkerServer.with(SECRET)
                    .answerWithin(answerWithin)
                    .handle("work", (payload, run) -> switch (payload) {
                        case "\"cancel\"" -> Outcome.cancel("not wanted");
                        case "\"discard\"" -> Outcome.discard("hopeless");
                        case "\"snooze\"" ->
                            snoozes.getAndIncrement() % 2 == 0 ? Outcome.snoozeFor(Duration.ZERO) : Outcome.completed();
                        case "\"outage\"" -> // regression: it was reported as a failure
                            switch (outages.getAndIncrement() % 3) {
                                case 0 -> Outcome.unavailable(Duration.ZERO, "the gateway is down");
                                case 1 -> Outcome.keyUnavailable(Duration.ZERO, "the customer is down");
                                default -> Outcome.completed();
                            };
                        case "\"retry\"" ->
                            run.attempt() == 1 ? Outcome.retryAfter(Duration.ZERO, "not yet") : Outcome.completed();
                        default -> throw new IllegalStateException("boom in the worker");
                    }));
            long cancelled = enqueue("\"cancel\"", EnqueueOptions.DEFAULTS);
            long discarded = enqueue("\"discard\"", EnqueueOptions.DEFAULTS);
            long snoozed = enqueue("\"snooze\"", EnqueueOptions.DEFAULTS);
            long delayed = enqueue("\"outage\"", EnqueueOptions.DEFAULTS);
            long retried = enqueue("\"retry\"", EnqueueOptions.DEFAULTS);
            long failed = enqueue("\"fail\"", EnqueueOptions.DEFAULTS.maxAttempts(1));
            try (Manager manager = Manager.on(queue)
                    .worker(url(worker))
                    .kind("work", KindOptions.DEFAULTS)
                    .secret(SECRET)
                    .listen(anyPort(), null, null)
                    .start()) {
                awaitState(cancelled, JobState.CANCELLED);
                awaitState(discarded, JobState.DISCARDED);
                awaitState(snoozed, JobState.COMPLETED);
                awaitState(delayed, JobState.COMPLETED);
                awaitState(retried, JobState.COMPLETED);
                awaitState(failed, JobState.DISCARDED);
                assertThat(manager.stats().snoozed()).isPositive();
            }
            assertThat(job(snoozed).attempt()).isEqualTo(1);
            assertThat(job(delayed).attempt()).isEqualTo(1);
            assertThat(queue.admin().runs().log(delayed, Admin.UNLIMITED).toString())
                    .contains("not available: the gateway is down", "not available for its key: the customer is down");
            assertThat(job(retried).attempt()).isEqualTo(2);
            assertThat(queue.admin()
                            .runs()
                            .failedAttempts(failed, Admin.UNLIMITED)
                            .get(0)
                            .error())
                    .contains("boom in the worker")
                    .doesNotContain("RunFailed")
                    .doesNotContain("dev.pawl.internal");
        }
    }

    @Test
    void missingWorkersAreSkippedAndFullOnesAwaited() throws Exception {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        WorkerServer small = worker(WorkerServer.with(SECRET).capacity(2).handle("work", (payload, run) -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            atOnce.decrementAndGet();
            return Outcome.completed();
        }));
        for (int i = 0; i < 60; i++) {
            enqueue("{}", EnqueueOptions.DEFAULTS);
        }
        Manager manager = manager(Manager.on(queue)
                .worker(URI.create("http://localhost:1"))
                .worker(url(small))
                .kind("work", KindOptions.DEFAULTS));
        await().atMost(SOON).until(() -> manager.stats().completed() == 60);
        assertThat(most.get()).isLessThanOrEqualTo(2);
        assertThat(manager.stats().failed()).isZero();
    }

    @Test
    void aFileOrARowCompletesAJob(@TempDir Path folder) throws Exception {
        // This worker accepts jobs and never calls back.
        WorkerServer mute =
                worker(WorkerServer.with(SECRET).answerWithin(Duration.ZERO).handle("work", (payload, run) -> {
                    new CountDownLatch(1).await();
                    return Outcome.completed();
                }));
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE done (job_id bigint)");
        }
        CompletionProbe file = CompletionProbe.file(job -> folder.resolve(job.id() + ".done"));
        CompletionProbe row = CompletionProbe.row(pool, "SELECT 1 FROM done WHERE job_id = ?");
        long byFile = enqueue("{}", EnqueueOptions.DEFAULTS);
        long byRow = enqueue("{}", EnqueueOptions.DEFAULTS);
        manager(Manager.on(queue)
                .worker(url(mute))
                .kind(
                        "work",
                        KindOptions.DEFAULTS.probe(job -> file.isDone(job) || row.isDone(job), Duration.ofMillis(20))));
        await().atMost(SOON)
                .until(() -> !queue.admin()
                        .runs()
                        .assignments(byRow, Admin.UNLIMITED)
                        .isEmpty());
        assertThat(job(byFile).state()).isEqualTo(JobState.RUNNING);
        Files.createFile(folder.resolve(byFile + ".done"));
        awaitState(byFile, JobState.COMPLETED);
        assertThat(job(byRow).state()).isEqualTo(JobState.RUNNING);
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("INSERT INTO done VALUES (" + byRow + ")");
        }
        awaitState(byRow, JobState.COMPLETED);
    }

    @Test
    void overlongRunsAreRetried() {
        WorkerServer slow =
                worker(WorkerServer.with(SECRET).answerWithin(Duration.ZERO).handle("work", (payload, run) -> {
                    if (run.attempt() == 1) {
                        new CountDownLatch(1).await(); // until its deadline interrupts it
                    }
                    return Outcome.completed();
                }));
        long id = enqueue("{}", EnqueueOptions.DEFAULTS);
        manager(Manager.on(queue)
                .worker(url(slow))
                .kind(
                        "work",
                        KindOptions.DEFAULTS.maxRunTime(Duration.ofSeconds(1)).buffer(Duration.ZERO)));
        awaitState(id, JobState.COMPLETED);
        assertThat(job(id).attempt()).isGreaterThanOrEqualTo(2); // a second is short on a busy machine
    }

    @Test
    void invalidConfigurationsAreRefusedAtStart() {
        assertThatThrownBy(() -> Manager.on(queue).start()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Manager.on(queue)
                        .kind("work", KindOptions.DEFAULTS)
                        .worker(URI.create("http://localhost:1"))
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("secret");
        assertThatThrownBy(() -> Manager.on(queue).worker(URI.create("ftp://localhost")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Manager.on(queue).worker(URI.create("http://user:hunter2@my_worker:8081")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://my_worker:8081")
                .hasMessageContaining("underscore")
                .hasMessageNotContaining("hunter2");
        for (String callback : List.of("http://my_manager:8080", "my-manager:8080", "http://a b", "/jobs")) {
            assertThatThrownBy(() -> Manager.on(queue).listen(anyPort(), callback, null))
                    .as("workers of Java could not call it")
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("call back");
        }
        assertThatThrownBy(() -> new Secret("short"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("short");
        assertThat(SECRET.toString()).isEqualTo("Secret");
    }
}
