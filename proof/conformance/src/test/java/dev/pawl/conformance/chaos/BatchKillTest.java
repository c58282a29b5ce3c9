package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Batch;
import dev.pawl.BatchBuilder;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.conformance.Drawn;
import dev.pawl.conformance.chaos.BatchCheck.Called;
import dev.pawl.conformance.chaos.BatchCheck.Fact;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Batches whose jobs fail, add jobs and open batches, while users cancel, pause and retry jobs and whole batches, and workers are killed.
 * Every callback must run once and not too early, and no job may be stuck.
 */
@Drawn(number = 8, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class BatchKillTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int KILLS = 4;
    private static final int BATCHES = 12;
    private static final int MAX = 10_000;

    private final Set<Long> retried = new HashSet<>();

    private void killOn(TestServer server) throws Exception {
        long seed = System.nanoTime();
        List<JavaProcess> workers = new ArrayList<>();
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = JobQueue.open(pool)) {
            try {
                Random random = new Random(seed);
                List<Batch> open = new ArrayList<>();
                for (int i = 0; i < BATCHES; i++) {
                    BatchBuilder builder = queue.batch("batch " + i)
                            .onDone(BatchWorker.CALLBACK, "done")
                            .onFailed(BatchWorker.CALLBACK, "failed")
                            .onSuccess(BatchWorker.CALLBACK, "success");
                    Batch batch = (i % 4 == 3 ? builder.stopWhen(10, 5) : builder).open();
                    add(queue, batch, random);
                    open.add(batch);
                }
                List<Batch> all = List.copyOf(open);
                for (int i = 0; i < 3; i++) {
                    workers.add(start(database));
                }
                for (int kill = 0; kill < KILLS; kill++) {
                    int victim = random.nextInt(workers.size());
                    workers.get(victim).awaitOutput(" works", SOON);
                    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(1_000));
                    while (System.nanoTime() - end < 0) { // a random moment is the point
                        runUserCommand(queue.admin(), random);
                        if (random.nextInt(10) == 0) {
                            runUserCommand(queue.admin(), all.get(random.nextInt(all.size())), random);
                        }
                        if (!open.isEmpty() && random.nextInt(10) == 0) {
                            Batch batch = open.get(random.nextInt(open.size()));
                            add(queue, batch, random);
                            if (random.nextBoolean() && open.remove(batch)) {
                                batch.seal();
                            }
                        }
                    }
                    workers.get(victim).close();
                    workers.set(victim, start(database));
                }
                open.forEach(Batch::seal);
                all.forEach(Batch::resume);
                // A list may miss a job that is enqueued during the call, by a job that then ends: so the facts are
                // awaited, too.
                await().atMost(SOON).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
                    assertThat(live(queue.admin()))
                            .as("jobs that are stuck, with seed %d", seed)
                            .isEmpty();
                    assertThat(violations(queue)).as("seed %d", seed).isEmpty();
                    assertThat(live(queue.admin()))
                            .as("jobs that the first list has missed, with seed %d", seed)
                            .isEmpty();
                });
            } finally {
                workers.forEach(JavaProcess::close);
            }
            assertThat(violations(queue)).as("seed %d", seed).isEmpty();
        }
    }

    private List<String> violations(JobQueue queue) {
        List<String> violations = new ArrayList<>();
        facts(queue).forEach(fact -> violations.addAll(BatchCheck.violations(fact)));
        return violations;
    }

    private static void add(JobQueue queue, Batch batch, Random random) {
        for (int i = random.nextInt(8); i > 0; i--) {
            EnqueueOptions options = BatchWorker.WORK.defaults().maxAttempts(1 + random.nextInt(3));
            boolean later = random.nextInt(4) == 0;
            queue.enqueue(BatchWorker.WORK, 3, batch.with(later ? options.delay(Duration.ofMillis(300)) : options));
        }
    }

    /** User commands. */
    private void runUserCommand(Admin admin, Random random) {
        List<Job> jobs = admin.jobs().list(JobFilter.ALL.kind("work").limit(50));
        if (jobs.isEmpty()) {
            return;
        }
        Job job = jobs.get(random.nextInt(jobs.size()));
        if (random.nextInt(4) == 0) {
            admin.jobs().cancel(job.id());
        } else if (job.state() == JobState.DISCARDED || random.nextInt(6) == 0) {
            retried.add(job.batch().orElseThrow());
            admin.jobs().retry(job.id());
        }
    }

    private static void runUserCommand(Admin admin, Batch whole, Random random) {
        switch (random.nextInt(6)) {
            case 0 -> whole.cancel();
            case 1 -> {
                JobFilter some = JobFilter.ALL.kind("work").state(JobState.AVAILABLE);
                ChangeResult unused = admin.jobs().changeAll(some, new JobChange.Cancel(), count -> {});
            }
            case 2, 3 -> whole.pause();
            default -> {
                boolean unused = whole.resume();
            }
        }
    }

    private static List<Job> live(Admin admin) {
        return admin.jobs().list(JobFilter.ALL.limit(MAX)).stream()
                .filter(job -> !job.state().isFinished())
                .toList();
    }

    private List<Fact> facts(JobQueue queue) {
        Admin admin = queue.admin();
        Map<Long, List<Called>> callbacks = new HashMap<>();
        for (Job job : admin.jobs().list(JobFilter.ALL.kind("callback").limit(MAX))) {
            long of = Long.parseLong(job.headers().get("pawl-callback-of"));
            long openThen = Long.parseLong(admin.jobs().result(job.id()).orElse("0"));
            callbacks
                    .computeIfAbsent(of, id -> new ArrayList<>())
                    .add(new Called(job.payload().replace("\"", ""), openThen));
        }
        List<Fact> facts = new ArrayList<>();
        for (BatchInfo outer : queue.batches(Long.MAX_VALUE, MAX)) {
            boolean unused = addFact(queue, outer, callbacks, facts);
        }
        assertThat(facts).hasSizeGreaterThanOrEqualTo(BATCHES);
        return facts;
    }

    /** {@return whether a job of the batch, or of a batch inside it, was retried} */
    private boolean addFact(JobQueue queue, BatchInfo info, Map<Long, List<Called>> callbacks, List<Fact> facts) {
        List<BatchInfo> inner = queue.batch(info.id()).batches(MAX);
        boolean again = retried.contains(info.id());
        for (BatchInfo each : inner) {
            again |= addFact(queue, each, callbacks, facts);
        }
        facts.add(new Fact(
                info,
                queue.batch(info.id()).jobs(0, MAX).stream().map(Job::state).toList(),
                inner,
                callbacks.getOrDefault(info.id(), List.of()),
                info.parent() == null ? List.of("done", "failed", "success") : List.of("done"),
                again));
        return again;
    }

    private static JavaProcess start(TestDatabase database) {
        return JavaProcess.start(BatchWorker.class, Map.of(), database.jdbcUrl());
    }

    @Test
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void batchesOnPostgres() throws Exception {
        killOn(TestServers.postgres());
    }

    @Test
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    void batchesOnMariaDb() throws Exception {
        killOn(TestServers.mariaDb());
    }

    @Test
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void batchesOnSqlite() throws Exception {
        killOn(TestServers.sqlite());
    }

    @Test
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    void batchesOnMySql() throws Exception {
        killOn(TestServers.mySql().orElseThrow());
    }

    /** The check itself must detect violations. */
    @Test
    void plantedViolationsAreFound() {
        List<JobState> jobs = List.of(JobState.COMPLETED, JobState.COMPLETED);
        Called done = new Called("done", 0);
        Called success = new Called("success", 0);
        List<String> all = List.of("done", "failed", "success");
        BatchInfo good = info(2, 2, 0, true);
        assertThat(BatchCheck.violations(new Fact(good, jobs, List.of(), List.of(done, success), all, false)))
                .isEmpty();
        found("not called back 'success'", new Fact(good, jobs, List.of(), List.of(done), all, false));
        found("'done' 2 times", new Fact(good, jobs, List.of(), List.of(done, done, success), all, false));
        found("too early", new Fact(good, jobs, List.of(), List.of(new Called("done", 1), success), all, false));
        found("stuck", new Fact(info(2, 2, 0, false), jobs, List.of(), List.of(done, success), all, false));
        found("lost count", new Fact(info(3, 3, 0, true), jobs, List.of(), List.of(done, success), all, false));
        found("failed ones wrongly", new Fact(info(2, 1, 1, true), jobs, List.of(), List.of(done), all, false));
        found(
                "without a reason",
                new Fact(good, jobs, List.of(), List.of(done, success, new Called("failed", 0)), all, false));
        found(
                "not called back 'failed'",
                new Fact(
                        info(2, 1, 1, true),
                        List.of(JobState.COMPLETED, JobState.DISCARDED),
                        List.of(),
                        List.of(done),
                        all,
                        false));
    }

    private static void found(String violation, Fact fact) {
        assertThat(BatchCheck.violations(fact))
                .anySatisfy(words -> assertThat(words).contains(violation));
    }

    private static BatchInfo info(long jobs, long completed, long failed, boolean done) {
        Instant then = Instant.EPOCH;
        return new BatchInfo(1, null, "b", jobs, completed, failed, 0, then, then, null, done ? then : null, null, 0);
    }
}
