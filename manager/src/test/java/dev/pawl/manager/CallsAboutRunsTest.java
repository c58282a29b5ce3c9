package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a manager handles workers' calls and missing answers. */
class CallsAboutRunsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String[] CALLS = {"renew", "progress", "outcome"};

    private final RawWorker worker = new RawWorker();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final JobQueue queue = queue();

    CallsAboutRunsTest() throws IOException {}

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        worker.close();
    }

    private JobQueue queue() {
        TestDatabase database = TestServers.sqlite().createDatabase();
        HikariDataSource pool = database.newDataSource(6);
        JobQueue made = JobQueue.open(pool);
        open.addAll(List.of(made, pool, database));
        return made;
    }

    private Manager manager(JobQueue of, KindOptions options, Duration answerTimeout) {
        Manager manager = Manager.on(of)
                .worker(worker.url())
                .kind("work", options)
                .answerTimeout(answerTimeout)
                .secret(new Secret(RawWorker.SECRET))
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, null)
                .start();
        open.add(0, manager);
        return manager;
    }

    private static long enqueue(JobQueue to) {
        return to.enqueue(new JobRequest("work", "{}", EnqueueOptions.DEFAULTS)).jobId();
    }

    private static Job job(JobQueue of, long id) {
        return of.admin().jobs().find(id).orElseThrow();
    }

    private void awaitCompleted(long id) {
        await().atMost(SOON).until(() -> job(queue, id).state() == JobState.COMPLETED);
    }

    @Test
    void otherMethodsAreRefusedWithTheOneThatIsAllowed() throws Exception {
        manager(queue, KindOptions.DEFAULTS, Duration.ofSeconds(30));
        enqueue(queue);
        Protocol.Job job = worker.nextTaken();
        HttpRequest get = HttpRequest.newBuilder(URI.create(job.callback() + "/jobs/" + job.id() + "/renew"))
                .header("Authorization", "Bearer " + RawWorker.SECRET)
                .build();
        HttpResponse<Void> refused = HttpClient.newHttpClient().send(get, HttpResponse.BodyHandlers.discarding());
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).hasValue("POST");
    }

    /** The worker should have stopped the run; a worker that continues is refused on every renewal. */
    @Test
    void runsAreNotRenewedPastTheirMaximumRunTime() throws Exception {
        manager(
                queue,
                KindOptions.DEFAULTS.maxRunTime(Duration.ofSeconds(8)).buffer(Duration.ofMillis(100)),
                Duration.ofSeconds(30));
        long id = enqueue(queue);
        Protocol.Job job = worker.nextTaken();
        assertThat(worker.call(job, "renew")).isEqualTo(200);
        await().atMost(SOON).until(() -> worker.call(job, "renew") == 409);
        assertThat(worker.call(job, "progress")).isEqualTo(409);
        assertThat(job(queue, id))
                .as("the lease still belongs to this run, so no other has begun")
                .satisfies(still -> assertThat(still.state()).isEqualTo(JobState.RUNNING))
                .satisfies(still -> assertThat(still.leaseToken()).isEqualTo(job.leaseToken()));
        assertThat(worker.call(job, "outcome")).as("what is done is done").isEqualTo(204);
    }

    /** Regression test: a worker called every manager again and again, because each answered that the database was unavailable. */
    @Test
    void outcomesThatTheDatabaseRejectsAreRefusedPermanently() throws Exception {
        manager(queue, KindOptions.DEFAULTS, Duration.ofSeconds(30));
        long id = enqueue(queue);
        Protocol.Job job = worker.nextTaken();
        assertThat(worker.call(job, "renew")).isEqualTo(200);
        refuseEnds();
        assertThat(worker.call(job, "outcome")).isEqualTo(400);
        assertThat(job(queue, id).state()).isEqualTo(JobState.RUNNING);
    }

    private void refuseEnds() throws Exception {
        HikariDataSource pool = (HikariDataSource) open.get(open.size() - 2);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TRIGGER no_end BEFORE DELETE ON pawl_job BEGIN SELECT RAISE(ABORT, 'no'); END");
        }
    }

    /** Two installations that share a worker and a secret use the same job id. */
    @Test
    void callsAboutRunsOfAnotherDatabaseAreRedirected() throws Exception {
        JobQueue other = queue();
        manager(queue, KindOptions.DEFAULTS, Duration.ofSeconds(30));
        long id = enqueue(queue);
        Protocol.Job own = worker.nextTaken();
        manager(other, KindOptions.DEFAULTS, Duration.ofSeconds(30));
        assertThat(enqueue(other)).isEqualTo(id);
        Protocol.Job others = worker.nextTaken();
        assertThat(worker.call(own, "renew")).isEqualTo(200);
        for (String call : CALLS) {
            assertThat(worker.call(own, call, others.token())).as(call).isEqualTo(421);
        }
        assertThat(job(queue, id).state()).isEqualTo(JobState.RUNNING);
        assertThat(job(queue, id).progress()).isNull();
        assertThat(worker.call(own, "outcome")).isEqualTo(204);
        assertThat(worker.call(others, "outcome")).isEqualTo(204);
    }

    /** The worker has the job and runs it, but its answer was lost: no other worker may get the job while it renews. */
    @Test
    void aLostAnswerDoesNotReassignTheJob() throws Exception {
        AtomicInteger offers = new AtomicInteger();
        worker.responder = exchange -> {
            if (offers.getAndIncrement() == 0) {
                worker.hang();
            }
            RawWorker.answer(exchange, 200, "{\"outcome\": \"completed\"}");
        };
        Manager manager = manager(queue, KindOptions.DEFAULTS, Duration.ofSeconds(5));
        long lost = enqueue(queue);
        Protocol.Job job = worker.nextTaken();
        assertThat(worker.call(job, "renew")).isEqualTo(200);
        await().atMost(SOON).until(() -> manager.stats().running() == 0);
        // the first answer has been recorded before this job completes
        awaitCompleted(enqueue(queue));
        assertThat(job(queue, lost).state()).isEqualTo(JobState.RUNNING);
        assertThat(job(queue, lost).leaseToken()).isEqualTo(job.leaseToken());
        assertThat(manager.stats().snoozed()).isZero();
        assertThat(offers).hasValue(2);
        assertThat(worker.call(job, "outcome")).isEqualTo(204);
        assertThat(job(queue, lost).attempt()).isEqualTo(1);
    }

    /** Three errors block the worker; then one trial call is made, and once it succeeds, calls are concurrent again. */
    @Test
    void recoveredWorkersGetConcurrentJobs() throws Exception {
        AtomicInteger offers = new AtomicInteger();
        CountDownLatch both = new CountDownLatch(2);
        AtomicBoolean met = new AtomicBoolean(true);
        worker.responder = exchange -> {
            int offer = offers.incrementAndGet();
            if (offer <= 3) {
                RawWorker.answer(exchange, 302, "");
                return;
            }
            if (offer > 4) {
                both.countDown();
                meet(both, met);
            }
            RawWorker.answer(exchange, 200, "{\"outcome\": \"completed\"}");
        };
        List<Long> jobs = List.of(enqueue(queue), enqueue(queue), enqueue(queue));
        manager(queue, KindOptions.DEFAULTS, Duration.ofSeconds(30));
        jobs.forEach(this::awaitCompleted);
        assertThat(offers).hasValue(6);
        assertThat(met).as("neither had to wait for the other").isTrue();
    }

    private static void meet(CountDownLatch both, AtomicBoolean met) {
        try {
            if (!both.await(60, TimeUnit.SECONDS)) {
                met.set(false);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
