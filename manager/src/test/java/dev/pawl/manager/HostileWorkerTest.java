package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that knows the secret but violates the protocol, beside an honest one. */
class HostileWorkerTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Secret SECRET = new Secret(RawWorker.SECRET);

    private final TestDatabase database = TestServers.sqlite().createDatabase();
    private final HikariDataSource pool = database.newDataSource(6);
    private final JobQueue queue = JobQueue.open(pool);
    private final RawWorker hostile = new RawWorker();
    private final AtomicInteger lured = new AtomicInteger();
    private volatile String manner = "accept";
    private @Nullable Manager manager;

    HostileWorkerTest() throws IOException {}

    @BeforeEach
    void prepare() {
        hostile.responder = this::answer;
        hostile.on("/lure", exchange -> {
            lured.incrementAndGet();
            RawWorker.answer(exchange, 200, "{\"outcome\": \"completed\"}");
        });
    }

    /** Leases outlast delays on a busy machine. */
    private void manage() {
        manage(Duration.ofSeconds(60), Duration.ofSeconds(20));
    }

    private void manage(Duration maxRunTime, Duration lease) {
        manager = Manager.on(queue)
                .worker(hostile.url())
                .kind("work", KindOptions.DEFAULTS.maxRunTime(maxRunTime).buffer(Duration.ZERO))
                .answerTimeout(Duration.ofSeconds(1))
                .heartbeat(Duration.ofSeconds(5))
                .lease(lease)
                .secret(SECRET)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, null)
                .start();
    }

    @AfterEach
    void stop() {
        if (manager != null) {
            manager.close();
        }
        hostile.close();
        queue.close();
        pool.close();
        database.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        switch (manner) {
            case "accept" -> RawWorker.answer(exchange, 202, "");
            case "garbage" -> RawWorker.answer(exchange, 200, "{\"outcome\": [garbage");
            case "unknown outcome" -> RawWorker.answer(exchange, 200, "{\"outcome\": \"rich\"}");
            case "honest" -> RawWorker.answer(exchange, 200, "{\"outcome\": \"completed\"}");
            case "huge" -> {
                exchange.sendResponseHeaders(200, 0);
                byte[] block = new byte[1 << 20];
                try (OutputStream out = exchange.getResponseBody()) {
                    for (int i = 0; i < 100; i++) {
                        out.write(block);
                    }
                }
            }
            case "never ending" -> {
                exchange.sendResponseHeaders(200, 0);
                try (OutputStream out = exchange.getResponseBody()) {
                    while (!Thread.currentThread().isInterrupted()) {
                        out.write(' ');
                        out.flush();
                        Delay.work(50); // being slow is the purpose
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            case "redirect" -> {
                exchange.getResponseHeaders().set("Location", hostile.url() + "/lure");
                RawWorker.answer(exchange, 307, "");
            }
            default -> RawWorker.answer(exchange, Integer.parseInt(manner), "");
        }
    }

    private long enqueue() {
        return queue.enqueue(new JobRequest("work", "{}", EnqueueOptions.DEFAULTS))
                .jobId();
    }

    private Job job(long id) {
        return queue.admin().jobs().find(id).orElseThrow();
    }

    /** A proxy may have answered instead: no worker has asked for permission to begin, so the run has not begun. */
    @Test
    void unstartedJobsLoseNoAttempt() throws Exception {
        manage(Duration.ofSeconds(2), Duration.ofSeconds(4));
        manner = "502";
        long id = queue.enqueue(new JobRequest("work", "{}", EnqueueOptions.DEFAULTS.maxAttempts(1)))
                .jobId();
        hostile.nextTaken();
        hostile.nextTaken(); // after the manager's lease
        assertThat(job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(job(id).attempt()).isEqualTo(1);
        assertThat(queue.admin().runs().failedAttempts(id, Admin.UNLIMITED)).isEmpty();
    }

    /** The answer is 503. A refusal would make the worker give up. */
    @Test
    void workersRetryWhileTheDatabaseIsUnavailable() throws Exception {
        manage();
        enqueue();
        Protocol.Job job = hostile.nextTaken();
        String secret = RawWorker.SECRET;
        assertThat(hostile.call(secret, job, "renew", Map.of("token", job.token())))
                .isEqualTo(200);
        pool.close();
        for (String what : new String[] {"outcome", "renew", "progress"}) {
            assertThat(hostile.call(
                            secret, job, what, Map.of("token", job.token(), "outcome", "completed", "percent", 1)))
                    .as(what)
                    .isEqualTo(503);
        }
    }

    @Test
    void wrongTokensWrongSecretsAndReplaysAreRefused() throws Exception {
        manage();
        String secret = RawWorker.SECRET;
        long id = enqueue();
        Protocol.Job job = hostile.nextTaken();
        Map<String, Object> good = Map.of("token", job.token(), "outcome", "completed");
        assertThat(hostile.call(secret, job, "renew", good)).as("it begins").isEqualTo(200);
        assertThat(hostile.call(null, job, "outcome", good)).isEqualTo(401);
        assertThat(hostile.call("another-secret-16", job, "outcome", good)).isEqualTo(401);
        for (String what : new String[] {"outcome", "renew", "progress"}) {
            assertThat(hostile.call(secret, job, what, Map.of("token", "wrong", "outcome", "completed", "percent", 1)))
                    .as(what)
                    .isEqualTo(409);
        }
        assertThat(hostile.call(secret, job, "outcome", Map.of("token", job.token())))
                .isEqualTo(400);
        assertThat(hostile.send(
                        secret,
                        job.callback() + "/jobs/" + job.id() + "/outcome",
                        "nonsense".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(400);
        assertThat(hostile.send(secret, job.callback() + "/jobs/../../x", new byte[0]))
                .isEqualTo(404);
        assertThat(job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(hostile.call(secret, job, "outcome", good)).isEqualTo(204);
        assertThat(job(id).state()).as("204 comes after the commit").isEqualTo(JobState.COMPLETED);
        assertThat(hostile.call(secret, job, "outcome", good)).isEqualTo(409);
        assertThat(job(id).attempt()).isEqualTo(1);
    }

    @Test
    void outcomesOfEarlierRunsAreRefused() throws Exception {
        manage(Duration.ofSeconds(10), Duration.ofSeconds(10));
        long id = enqueue();
        String secret = RawWorker.SECRET;
        Protocol.Job first = hostile.nextTaken();
        assertThat(hostile.call(secret, first, "renew", Map.of("token", first.token())))
                .as("it begins, and is never heard of again: so it is given away once more")
                .isEqualTo(200);
        Protocol.Job second = hostile.nextTaken();
        assertThat(hostile.call(secret, second, "renew", Map.of("token", second.token())))
                .isEqualTo(200);
        assertThat(second.token()).isNotEqualTo(first.token());
        assertThat(second.leaseToken()).isGreaterThan(first.leaseToken());
        assertThat(hostile.call(secret, first, "outcome", Map.of("token", first.token(), "outcome", "completed")))
                .isEqualTo(409);
        for (String what : new String[] {"renew", "progress"}) {
            assertThat(hostile.call(secret, first, what, Map.of("token", first.token(), "percent", 1)))
                    .as("a run that is over must not go on: %s", what)
                    .isEqualTo(409);
        }
        assertThat(hostile.call(secret, second, "outcome", Map.of("token", second.token(), "outcome", "completed")))
                .isEqualTo(204);
        await().atMost(SOON).until(() -> job(id).state() == JobState.COMPLETED);
        assertThat(job(id).attempt()).isEqualTo(2);
    }

    @Test
    void oversizedCallsAreCutOff() throws Exception {
        manage();
        enqueue();
        Protocol.Job job = hostile.nextTaken();
        assertThat(hostile.call(RawWorker.SECRET, job, "renew", Map.of("token", job.token())))
                .isEqualTo(200);
        int status;
        try {
            status = hostile.send(
                    RawWorker.SECRET, job.callback() + "/jobs/" + job.id() + "/outcome", new byte[100 << 20]);
        } catch (IOException cut) {
            status = 413;
        }
        assertThat(status).isEqualTo(413);
        assertThat(hostile.call(RawWorker.SECRET, job, "renew", Map.of("token", job.token())))
                .as("it answers; on a slow machine the lease has run out by now")
                .isIn(200, 409);
    }

    /** After each invalid answer the job is retried, and it completes once the worker is honest. */
    @ParameterizedTest
    @ValueSource(strings = {"garbage", "unknown outcome", "huge", "never ending", "redirect", "500", "418", "503"})
    void invalidAnswersBreakNothing(String lie) throws Exception {
        manage(Duration.ofSeconds(2), Duration.ofSeconds(4));
        manner = lie;
        long id = enqueue();
        assertThat(hostile.nextTaken().id()).isEqualTo(id);
        // A run that may have begun keeps its lease. Once the lease has expired, the job is offered again at once.
        await().atMost(SOON).until(() -> job(id).state() == JobState.AVAILABLE || !hostile.taken.isEmpty());
        manner = "honest";
        await().atMost(SOON).until(() -> {
            if (job(id).state() == JobState.COMPLETED) {
                return true;
            }
            queue.admin().jobs().retry(id); // skips its backoff
            return false;
        });
        assertThat(lured).as("redirects are not followed").hasValue(0);
    }

    /**
     * Three errors open the circuit, and the first trial call fails, too. During the second trial call the worker has no free capacity.
     * Then it recovers.
     */
    @Test
    void recoveredWorkersGetJobs() throws Exception {
        manage(Duration.ofSeconds(2), Duration.ofSeconds(4));
        manner = "302";
        long id = enqueue();
        for (int i = 0; i < 4; i++) {
            assertThat(hostile.nextTaken().id()).isEqualTo(id);
        }
        manner = "503";
        hostile.taken.clear();
        assertThat(hostile.nextTaken().id()).isEqualTo(id);
        manner = "honest";
        await().atMost(SOON).until(() -> job(id).state() == JobState.COMPLETED);
        assertThat(queue.admin().runs().assignments(id, Admin.UNLIMITED))
                .as("no worker is recorded that did not accept the job")
                .isEmpty();
    }

    /** Connections that never authenticate do not occupy capacity for long. */
    @Test
    void unauthenticatedCallersDoNotBlockWorkers() throws Exception {
        manage();
        enqueue();
        Protocol.Job job = hostile.nextTaken();
        assertThat(hostile.call(RawWorker.SECRET, job, "renew", Map.of("token", job.token())))
                .isEqualTo(200);
        URI callback = URI.create(job.callback());
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 600; i++) {
                Socket socket = new Socket(callback.getHost(), callback.getPort());
                socket.getOutputStream().write("POST /jobs".getBytes(StandardCharsets.UTF_8));
                strangers.add(socket);
            }
            assertThat(hostile.call(
                            RawWorker.SECRET, job, "outcome", Map.of("token", job.token(), "outcome", "completed")))
                    .isEqualTo(204);
        } finally {
            for (Socket socket : strangers) {
                socket.close();
            }
        }
    }
}
