package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Workflow;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.admin.WorkflowNode.After;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.OnFailure;
import dev.pawl.conformance.Drawn;
import dev.pawl.conformance.chaos.WorkflowCheck.Fact;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * Workflows whose jobs fail and add jobs, while users cancel and retry jobs, and workers are killed. No job may run too early or be stuck.
 */
@Drawn(number = 6, of = 11, run = 1, all = "PAWL_KILLS")
@Execution(ExecutionMode.CONCURRENT)
class WorkflowKillTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int KILLS = 3;

    /** The most workflows that are started between two kills. */
    private static final int WORKFLOWS = 12;

    private static void killOn(TestServer server) throws Exception {
        long seed = System.nanoTime();
        List<JavaProcess> workers = new ArrayList<>();
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = JobQueue.open(pool)) {
            List<Workflow> workflows = new ArrayList<>();
            Set<Long> retried = new HashSet<>();
            try {
                Random random = new Random(seed);
                for (int i = 0; i < 3; i++) {
                    workers.add(start(database));
                }
                for (int kill = 0; kill < KILLS; kill++) {
                    int victim = random.nextInt(workers.size());
                    workers.get(victim).awaitOutput(" works", SOON);
                    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300 + random.nextInt(700));
                    int most = workflows.size() + WORKFLOWS;
                    while (System.nanoTime() - end < 0) { // a random moment is the point
                        if (workflows.size() < most) {
                            workflows.add(WorkflowCheck.random(queue, random));
                        }
                        if (random.nextInt(4) == 0) {
                            WorkflowCheck.runUserCommand(queue.admin(), random, retried);
                        }
                    }
                    workers.get(victim).close();
                    workers.set(victim, start(database));
                }
                await().atMost(SOON)
                        .pollInterval(Duration.ofMillis(200))
                        .untilAsserted(() -> assertThat(WorkflowCheck.live(queue.admin()))
                                .as("jobs that run or could, with seed %d", seed)
                                .isEmpty());
                await().atMost(SOON)
                        .pollInterval(Duration.ofMillis(200))
                        .untilAsserted(() -> assertThat(violations(queue, workflows, retried))
                                .as("seed %d", seed)
                                .isEmpty());
            } finally {
                workers.forEach(JavaProcess::close);
            }
            assertThat(workflows.stream().map(each -> each.info().orElseThrow()).filter(WorkflowInfo::isDone))
                    .isNotEmpty();
        }
    }

    private static List<String> violations(JobQueue queue, List<Workflow> workflows, Set<Long> retried) {
        return workflows.stream()
                .flatMap(workflow ->
                        WorkflowCheck.violations(WorkflowCheck.fact(queue, workflow.id(), retried)).stream())
                .toList();
    }

    private static JavaProcess start(TestDatabase database) {
        return JavaProcess.start(WorkflowWorker.class, Map.of(), database.jdbcUrl());
    }

    @Test
    @Drawn(number = 0, of = 4, run = 1, all = "PAWL_KILLS")
    void workflowsOnPostgres() throws Exception {
        killOn(TestServers.postgres());
    }

    @Test
    @Drawn(number = 3, of = 4, run = 1, all = "PAWL_KILLS")
    void workflowsOnMariaDb() throws Exception {
        killOn(TestServers.mariaDb());
    }

    @Test
    @Drawn(number = 2, of = 4, run = 1, all = "PAWL_KILLS")
    void workflowsOnSqlite() throws Exception {
        killOn(TestServers.sqlite());
    }

    @Test
    @Drawn(number = 1, of = 4, run = 1, all = "PAWL_KILLS")
    @EnabledIfEnvironmentVariable(named = "PAWL_TEST_MYSQL_URL", matches = "jdbc:.*")
    void workflowsOnMySql() throws Exception {
        killOn(TestServers.mySql().orElseThrow());
    }

    private static final BatchInfo COMPLETED = batch(1, "a", 1, 0, 0);
    private static final BatchInfo FAILED = batch(1, "a", 0, 1, 0);
    private static final BatchInfo OPEN = batch(2, "b", 0, 0, 0);

    /** The check itself must detect violations. */
    @Test
    void plantedViolationsAreFound() {
        Job done = job(JobState.COMPLETED);
        Job waits = Job.builder(2, "node", "default").state(JobState.PENDING).build();
        BatchInfo then = batch(2, "b", 1, 0, 0);
        assertThat(WorkflowCheck.violations(fact(COMPLETED, done, then, true, true, done, 0, OnFailure.BLOCK)))
                .isEmpty();
        assertThat(WorkflowCheck.violations(
                        fact(FAILED, job(JobState.DISCARDED), OPEN, false, false, waits, 0, OnFailure.BLOCK)))
                .isEmpty();
        found("not released: stuck", fact(COMPLETED, done, OPEN, false, true, waits, 0, OnFailure.BLOCK));
        found("wrong about a", fact(COMPLETED, done, OPEN, false, false, waits, 0, OnFailure.BLOCK));
        found("left behind", fact(COMPLETED, done, OPEN, true, true, waits, 0, OnFailure.BLOCK));
        found("has run too early", fact(COMPLETED, done, then, true, true, done, 1, OnFailure.BLOCK));
        found("counts completed ones wrongly", fact(COMPLETED, done, OPEN, true, true, done, 0, OnFailure.BLOCK));
        Job discarded = job(JobState.DISCARDED);
        found("released too early", fact(FAILED, discarded, then, true, false, done, 0, OnFailure.BLOCK));
        found("not cancelled", fact(FAILED, discarded, OPEN, false, false, waits, 0, OnFailure.CANCEL));
        found("stuck", fact(FAILED, discarded, OPEN, false, true, waits, 0, OnFailure.RUN_ANYWAY));
    }

    private static void found(String violation, Fact fact) {
        assertThat(WorkflowCheck.violations(fact))
                .anySatisfy(words -> assertThat(words).contains(violation));
    }

    /** The facts about a workflow of two nodes, in which b follows a. */
    private static Fact fact(
            BatchInfo a, Job ofA, BatchInfo b, boolean free, boolean met, Job ofB, int early, OnFailure onFailure) {
        int done = b.isDone() ? 1 : 0;
        BatchInfo whole = new BatchInfo(
                9,
                null,
                "w",
                2,
                a.completed() + b.completed(),
                a.failed() + b.failed(),
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                done == 1 ? Instant.EPOCH : null,
                null,
                0);
        WorkflowNode first = new WorkflowNode(a, true, List.of());
        WorkflowNode next = new WorkflowNode(b, free, List.of(new After("a", onFailure, met)));
        return new Fact(
                new WorkflowInfo(whole, List.of(first, next)),
                Map.of("a", List.of(ofA), "b", List.of(ofB)),
                Map.of("a", List.of(0), "b", List.of(early)),
                Set.of());
    }

    private static Job job(JobState state) {
        return Job.builder(1, "node", "default").state(state).build();
    }

    private static BatchInfo batch(long id, String name, long completed, long failed, long cancelled) {
        boolean isDone = completed + failed + cancelled > 0;
        Instant then = Instant.EPOCH;
        return new BatchInfo(
                id, 9L, name, 1, completed, failed, cancelled, then, then, null, isDone ? then : null, null, 0);
    }
}
