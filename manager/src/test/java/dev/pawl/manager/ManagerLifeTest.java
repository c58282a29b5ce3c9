package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.SlotSeries;
import dev.pawl.admin.Admin;
import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.Strategy;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How runs behave when their manager ends or their time is up. */
class ManagerLifeTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    /**
     * Heartbeat of workers. A run that is not renewed for three heartbeats stops. The heartbeat is long enough that a busy machine alone
     * does not cause this.
     */
    private static final Duration HEARTBEAT = Duration.ofSeconds(3);
    /** The lease of a manager, and of a worker with this heartbeat. */
    private static final Duration LEASE = HEARTBEAT.multipliedBy(4);

    private static final Secret SECRET = new Secret("a-secret-of-the-test");

    private final TestDatabase database = TestServers.sqlite().createDatabase();
    private final HikariDataSource pool = database.newDataSource(6);
    private final JobQueue queue = JobQueue.open(pool);
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger live = new AtomicInteger();
    private final AtomicInteger mostLive = new AtomicInteger();

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

    private static URI url(WorkerServer server) {
        return URI.create("http://localhost:" + server.port());
    }

    private WorkerServer worker(dev.pawl.api.JobHandler.WithOutcome<String> handler) {
        WorkerServer server = WorkerServer.with(SECRET)
                .answerWithin(Duration.ZERO)
                .handle("work", (payload, run) -> {
                    begun.incrementAndGet();
                    mostLive.accumulateAndGet(live.incrementAndGet(), Math::max);
                    try {
                        return handler.handle(payload, run);
                    } finally {
                        live.decrementAndGet();
                    }
                })
                .start(anyPort());
        open.add(0, server);
        return server;
    }

    private Manager manager(URI worker, KindOptions options) {
        return start(Manager.on(queue).worker(worker).kind("work", options).heartbeat(HEARTBEAT));
    }

    private Manager start(ManagerBuilder builder) {
        Manager manager = builder.secret(SECRET)
                .listen(anyPort(), null, null)
                .lease(LEASE)
                .grace(Duration.ofSeconds(1))
                .start();
        open.add(0, manager);
        return manager;
    }

    private long enqueue() {
        return queue.enqueue(new JobRequest("work", "{}", EnqueueOptions.DEFAULTS))
                .jobId();
    }

    private Job job(long id) {
        return queue.admin().jobs().find(id).orElseThrow();
    }

    private Instant leaseEnd(long id) {
        return Objects.requireNonNull(job(id).leaseExpiresAt(), "it is running");
    }

    private void awaitState(long id, JobState state) {
        await().atMost(SOON).until(() -> job(id).state() == state);
    }

    @Test
    void runsOutliveTheirManagerAndReportToTheNext() {
        CountDownLatch done = new CountDownLatch(1);
        WorkerServer worker = worker((payload, run) -> {
            done.await();
            return Outcome.completed();
        });
        long id = enqueue();
        Manager first = manager(url(worker), KindOptions.DEFAULTS);
        await().atMost(SOON).until(() -> begun.get() == 1);
        first.close();
        assertThat(job(id).state()).as("it is not put back while it runs").isEqualTo(JobState.RUNNING);
        Manager second = manager(url(worker), KindOptions.DEFAULTS);
        // The run outlives any lease that the first manager could have given.
        Instant lease = leaseEnd(id);
        await().atMost(SOON).until(() -> leaseEnd(id).isAfter(lease.plus(LEASE).plusSeconds(1)));
        done.countDown();
        awaitState(id, JobState.COMPLETED);
        assertThat(begun).hasValue(1);
        assertThat(job(id).attempt()).isEqualTo(1);
        await().atMost(SOON).until(() -> second.stats().completed() == 1);
    }

    @Test
    void unrenewedRunsStopBeforeTheJobRunsAgain() {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        WorkerServer worker = worker((payload, run) -> {
            if (run.attempt() == 1) {
                try {
                    never.await();
                } finally {
                    interrupted.countDown();
                }
            }
            return Outcome.completed();
        });
        long id = enqueue();
        Manager first = manager(url(worker), KindOptions.DEFAULTS);
        await().atMost(SOON).until(() -> begun.get() == 1);
        first.close();
        await().atMost(SOON).until(() -> interrupted.getCount() == 0);
        assertThat(job(id).leaseExpiresAt())
                .as("the database waits longer than the worker")
                .isNotNull();
        manager(url(worker), KindOptions.DEFAULTS);
        awaitState(id, JobState.COMPLETED);
        assertThat(mostLive).hasValue(1);
    }

    @Test
    void cancelledRunsStop() {
        CountDownLatch never = new CountDownLatch(1);
        WorkerServer worker = worker((payload, run) -> {
            never.await();
            return Outcome.completed();
        });
        long id = enqueue();
        manager(url(worker), KindOptions.DEFAULTS);
        await().atMost(SOON).until(() -> begun.get() == 1);
        queue.admin().jobs().cancel(id);
        awaitState(id, JobState.CANCELLED);
        await().atMost(SOON).until(() -> live.get() == 0);
    }

    /** A run that ignores its deadline is renewed until the end of the buffer, but no longer. */
    @Test
    void runsAreGivenUpAfterMaxRunTimeAndBuffer() {
        RunRenewals runs = new RunRenewals(queue);
        long id = enqueue();
        runs.begin(id);
        assertThat(runs.renew(Duration.ofMinutes(10))).isEqualTo(dev.pawl.spi.RemoteRun.Renewal.RENEWED);
        assertThat(runs.renew(Duration.ZERO)).isEqualTo(dev.pawl.spi.RemoteRun.Renewal.OVERDUE);
        KindOptions options =
                KindOptions.DEFAULTS.maxRunTime(Duration.ofSeconds(7)).buffer(Duration.ofSeconds(3));
        assertThat(options.longest()).isEqualTo(Duration.ofSeconds(10));
    }

    /** The run ignores both its deadline and an interrupt; until the end of the buffer it may still report. */
    @Test
    void jobsRunAgainOnlyAfterTheBuffer() {
        List<Long> starts = new CopyOnWriteArrayList<>();
        CountDownLatch released = new CountDownLatch(1);
        WorkerServer worker = worker((payload, run) -> {
            starts.add(System.nanoTime());
            if (run.attempt() == 1) {
                boolean interrupted = false;
                while (released.getCount() > 0) {
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        interrupted = true; // and continues
                    }
                }
                assertThat(interrupted).isTrue();
            }
            return Outcome.completed();
        });
        long id = enqueue();
        manager(
                url(worker),
                KindOptions.DEFAULTS.maxRunTime(Duration.ofSeconds(1)).buffer(Duration.ofSeconds(5)));
        try {
            await().atMost(SOON).until(() -> starts.size() == 2);
        } finally {
            released.countDown();
        }
        assertThat(Duration.ofNanos(starts.get(1) - starts.get(0))).isGreaterThan(Duration.ofSeconds(6));
        awaitState(id, JobState.COMPLETED);
    }

    @Test
    void stoppingWorkersPutTheirJobsBack() {
        CountDownLatch never = new CountDownLatch(1);
        WorkerServer worker = worker((payload, run) -> {
            never.await();
            return Outcome.completed();
        });
        long id = enqueue();
        manager(url(worker), KindOptions.DEFAULTS);
        await().atMost(SOON).until(() -> begun.get() == 1);
        worker.close();
        awaitState(id, JobState.AVAILABLE);
        assertThat(job(id).attempt()).isZero();
        assertThat(live).hasValue(0);
    }

    @Test
    void localThreadsRespectCapacityAndMaxRunTime() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger withoutTime = new AtomicInteger();
        LocalChannel local = new LocalChannel("local", 2, Map.of("work", (payload, run) -> {
            begun.incrementAndGet();
            mostLive.accumulateAndGet(live.incrementAndGet(), Math::max);
            try {
                if (run.timeLeft().isEmpty()) {
                    withoutTime.incrementAndGet();
                }
                if (run.job().id() == 1 && run.attempt() == 1) {
                    never.await(); // until its time is up
                }
                return Outcome.completed();
            } finally {
                live.decrementAndGet();
            }
        }));
        long stuck = enqueue();
        int jobs = 100;
        for (int i = 1; i < jobs; i++) {
            enqueue();
        }
        Manager manager = start(Manager.on(queue)
                .channel(local)
                .kind("work", KindOptions.DEFAULTS.maxRunTime(Duration.ofSeconds(1)))
                .pollInterval(Duration.ofMillis(50)));
        await().atMost(SOON).until(() -> manager.stats().completed() == jobs);
        assertThat(mostLive).hasValueLessThanOrEqualTo(2);
        assertThat(withoutTime).hasValue(0);
        assertThat(queue.admin()
                        .runs()
                        .failedAttempts(stuck, Admin.UNLIMITED)
                        .get(0)
                        .error())
                .contains("did not end within 1 s, and was interrupted");
    }

    /** As in docs/guides/remote-workers.md. */
    @Test
    void localThreadsReserveANumberAndReleaseItOnFailure() {
        SlotSeries series = queue.slots().series("sold");
        List<Long> handedOut = Collections.synchronizedList(new ArrayList<>());
        LocalChannel local = new LocalChannel("local", 1, Map.of("work", series.aroundWithOutcome((payload, run) -> {
            handedOut.add(run.slot().orElseThrow().number());
            return run.attempt() == 1 ? Outcome.retryAfter(Duration.ZERO, "not yet") : Outcome.completed();
        })));
        enqueue();
        enqueue();
        Manager manager = start(Manager.on(queue)
                .channel(local)
                .kind("work", KindOptions.DEFAULTS)
                .pollInterval(Duration.ofMillis(50)));
        await().atMost(SOON).until(() -> manager.stats().completed() == 2);
        assertThat(handedOut).hasSize(4).containsOnly(1L, 2L);
        assertThat(series.lastUsed()).contains("2");
    }

    @Test
    void aTransactionalQueueIsManagedWithoutTransactions() {
        WorkerServer worker = worker((payload, run) -> Outcome.completed());
        queue.admin().queues().setStrategy("default", new Strategy.Transactional());
        long id = enqueue();
        manager(url(worker), KindOptions.DEFAULTS);
        awaitState(id, JobState.COMPLETED);
        assertThat(job(id).attempt()).isEqualTo(1);
        assertThatThrownBy(() -> start(Manager.on(queue)
                        .worker(url(worker))
                        .kind("work", KindOptions.DEFAULTS)
                        .strategy(new Strategy.Transactional())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("handed off");
    }

    @Test
    void unusableWorkersAreReportedWithTheReason() throws Exception {
        List<RemoteWorkerStatus> told = java.util.Collections.synchronizedList(new ArrayList<>());
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        WorkerServer stranger = WorkerServer.with(new Secret("another-secret-of-16"))
                .handle("work", (payload, run) -> Outcome.completed())
                .start(anyPort());
        open.add(0, stranger);
        WorkerServer other = WorkerServer.with(SECRET)
                .handle("other", (payload, run) -> Outcome.completed())
                .start(anyPort());
        open.add(0, other);
        WorkerServer good = worker((payload, run) -> Outcome.completed());
        Manager manager = start(Manager.on(queue)
                .worker(URI.create("http://localhost:" + closed))
                .worker(url(stranger))
                .worker(url(other))
                .worker(url(good))
                .onWorker(told::add)
                .kind("work", KindOptions.DEFAULTS));
        await().atMost(SOON).until(() -> told.size() == 4);
        assertThat(manager.workers())
                .extracting(RemoteWorkerStatus::problem)
                .satisfiesExactly(
                        problem -> assertThat(problem).contains("is it running"),
                        problem -> assertThat(problem).contains("PAWL_SECRET"),
                        problem -> assertThat(problem).contains("other").contains("work"),
                        problem -> assertThat(problem).isNull());
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(queue.admin().workers().remote())
                        .as("as 'pawl workers' shows it")
                        .extracting(RemoteWorkerInfo::status)
                        .extracting(RemoteWorkerStatus::url, status -> status.problem() == null)
                        .contains(
                                tuple("http://localhost:" + closed, false),
                                tuple(url(good).toString(), true)));
    }

    /** The write and the completion of the job are one commit, as with any other handler. */
    @Test
    void localTransactionsCompleteTheirJob() throws Exception {
        execute("CREATE TABLE effect (job_id bigint)");
        List<JobState> after = java.util.Collections.synchronizedList(new ArrayList<>());
        LocalChannel local = new LocalChannel("local", 1, Map.of("work", (payload, run) -> {
            run.transaction(connection -> {
                try (Statement insert = connection.createStatement()) {
                    insert.execute("INSERT INTO effect VALUES (" + run.job().id() + ")");
                }
            });
            after.add(job(run.job().id()).state());
            return Outcome.completed();
        }));
        long id = enqueue();
        start(Manager.on(queue).channel(local).kind("work", KindOptions.DEFAULTS));
        awaitState(id, JobState.COMPLETED);
        await().atMost(SOON).until(() -> !after.isEmpty());
        assertThat(after).containsExactly(JobState.COMPLETED);
        assertThat(execute("DELETE FROM effect WHERE job_id = " + id)).isEqualTo(1);
    }

    private int execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return statement.getUpdateCount();
        }
    }

    /** A manager of one worker has two kinds whose probes hang; the third kind is still probed. */
    @Test
    void hangingProbesDelayNoOtherKind() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(2);
        RawWorker mute = new RawWorker(""); // accepts all kinds and never calls back
        open.add(0, mute);
        KindOptions hangs = KindOptions.DEFAULTS.probe(
                job -> {
                    hanging.countDown();
                    never.await();
                    return false;
                },
                Duration.ofMillis(20));
        queue.enqueue(new JobRequest("one", "{}", EnqueueOptions.DEFAULTS));
        queue.enqueue(new JobRequest("two", "{}", EnqueueOptions.DEFAULTS));
        long id = enqueue();
        start(Manager.on(queue)
                .worker(mute.url())
                .kind("one", hangs)
                .kind("two", hangs)
                .kind("work", KindOptions.DEFAULTS.probe(job -> hanging.getCount() == 0, Duration.ofMillis(20))));
        awaitState(id, JobState.COMPLETED);
    }

    /** One worker accepts connections and never answers: each poll of it takes five seconds, but does not delay polls of the others. */
    @Test
    void hangingWorkersDelayNoOtherWorker() throws Exception {
        List<String> told = java.util.Collections.synchronizedList(new ArrayList<>());
        WorkerServer good = worker((payload, run) -> Outcome.completed());
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            start(Manager.on(queue)
                    .worker(URI.create("http://localhost:" + silent.getLocalPort()))
                    .worker(url(good))
                    .onWorker(status -> told.add(status.url()))
                    .kind("work", KindOptions.DEFAULTS));
            awaitState(enqueue(), JobState.COMPLETED);
            assertThat(told)
                    .as("well, before the other has been given up")
                    .startsWith(url(good).toString());
        }
    }
}
