package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.Worker;
import dev.pawl.Workflow;
import dev.pawl.WorkflowBuilder;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.Choice;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.OnFailure;
import dev.pawl.api.Retention;
import dev.pawl.api.TypeToken;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.conformance.chaos.WorkflowCheck;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs with dependencies: none runs too early, and each runs once, with any outcome of its dependencies. */
@Specified
@WhiteBox
interface WorkflowContract extends Contract {
    JobType<Integer> ADD = JobType.of("add", Integer.class);
    Verdict DONE = new Verdict.Completed();
    Verdict FAILED = new Verdict.Discarded("failed", "on purpose");

    private WorkflowBuilder workflow() {
        return fixture().queue.workflow("w");
    }

    private WorkflowInfo info(Workflow workflow) {
        return workflow.info().orElseThrow();
    }

    /** {@return the states of the nodes, by name} */
    private String states(Workflow workflow) {
        WorkflowInfo info = info(workflow);
        TreeMap<String, WorkflowNode.State> states = new TreeMap<>();
        info.nodes().forEach(node -> states.put(node.name(), info.state(node)));
        return info.state() + " " + states;
    }

    private List<Job> jobs(Workflow workflow, String node) {
        return fixture()
                .queue
                .batch(info(workflow).node(node).orElseThrow().jobs().id())
                .jobs(0, 10_000);
    }

    private long job(Workflow workflow, String node) {
        return jobs(workflow, node).get(0).id();
    }

    /** Ends all jobs that can run now, and returns their payloads, which are node names. */
    private List<String> end(Verdict verdict) throws SQLException {
        List<Grant> grants = new ArrayList<>();
        for (List<Grant> some = fixture().claim(100);
                !some.isEmpty();
                some = fixture().claim(100)) {
            grants.addAll(some);
        }
        assertThat(fixture()
                        .finish(grants.stream()
                                .map(grant -> new Settlement(
                                        grant.lease(),
                                        verdict,
                                        grant.job().batch().orElse(0)))
                                .toList()))
                .hasSize(grants.size());
        return grants.stream()
                .map(grant -> grant.job().payload().replace("\"", ""))
                .sorted()
                .toList();
    }

    @Test
    default void eachJobOfAChainWaitsForTheOneBeforeIt() throws Exception {
        Workflow chain = workflow()
                .job("a", GREET, "a")
                .then("b", GREET, "b", EnqueueOptions.DEFAULTS.priority(7))
                .then("c", GREET, "c")
                .start();
        assertThat(states(chain)).isEqualTo("running {a=RUNNING, b=WAITING, c=WAITING}");
        Job waiting = fixture().job(job(chain, "b"));
        assertThat(waiting.state()).isEqualTo(JobState.PENDING);
        assertThat(waiting.availableAt()).isEqualTo(waiting.createdAt());
        assertThat(fixture().queue.workflow(waiting).map(Workflow::id)).hasValue(chain.id());
        assertThat(end(DONE)).containsExactly("a");
        assertThat(fixture().job(waiting.id()).state()).isNotEqualTo(JobState.PENDING);
        assertThat(end(DONE)).containsExactly("b");
        assertThat(states(chain)).isEqualTo("running {a=COMPLETED, b=COMPLETED, c=RUNNING}");
        assertThat(end(DONE)).containsExactly("c");
        assertThat(end(DONE)).isEmpty();
        assertThat(info(chain).isSuccess()).isTrue();
        assertThat(info(chain).state()).isEqualTo("done");
        assertThat(fixture().queue.workflows(Long.MAX_VALUE, 10))
                .extracting(BatchInfo::id)
                .containsExactly(chain.id());
        assertThat(fixture().queue.batches(Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    default void aJoinWaitsForAllAlsoWhenTheyEndTogether() throws Exception {
        Workflow diamond = workflow()
                .job("a", GREET, "a")
                .job("b", GREET, "b")
                .after("a")
                .job("c", GREET, "c")
                .after("a")
                .job("d", GREET, "d")
                .after("b", "c")
                .start();
        assertThat(end(DONE)).containsExactly("a");
        assertThat(end(DONE)).containsExactly("b", "c");
        assertThat(end(DONE)).containsExactly("d");
        assertThat(info(diamond).isSuccess()).isTrue();
    }

    @Test
    default void aRetryOfAFailedNodeReleasesItsDependents() throws Exception {
        Workflow chain = workflow()
                .job("a", GREET, "a")
                .then("b", GREET, "b", EnqueueOptions.DEFAULTS.priority(7))
                .onFailed(GREET, "told")
                .start();
        assertThat(end(FAILED)).containsExactly("a");
        assertThat(states(chain)).isEqualTo("blocked {a=FAILED, b=BLOCKED}");
        assertThat(end(DONE)).containsExactly("told");
        fixture().admin.jobs().retry(job(chain, "a"));
        assertThat(states(chain)).isEqualTo("running {a=RUNNING, b=WAITING}");
        assertThat(end(DONE)).containsExactly("a");
        assertThat(end(DONE)).containsExactly("b");
        assertThat(info(chain).isSuccess()).isTrue();
        fixture().runDuties();
        fixture().admin.jobs().retry(job(chain, "a"));
        assertThat(end(DONE)).as("the next one was released before").containsExactly("a");
        assertThat(info(chain).isSuccess()).isTrue();
        assertThat(end(DONE)).isEmpty();
    }

    @Test
    default void theJoinWaitsForARetriedNodeAgain() throws Exception {
        fixture().assumeOneServer("a node leaves jobs behind a gap of ids for a moment");
        Workflow join = workflow()
                .job("a", GREET, "a")
                .job("b", GREET, "b", EnqueueOptions.DEFAULTS.priority(1))
                .job("c", GREET, "c")
                .after("a", "b")
                .start();
        Grant first = fixture().claimOne();
        assertThat(first.job().payload()).contains("a");
        fixture()
                .finish(List.of(
                        new Settlement(first.lease(), DONE, first.job().batch().orElse(0))));
        fixture().runDuties();
        fixture().admin.jobs().retry(first.job().id());
        Grant other = fixture().claim(2).stream()
                .filter(grant -> grant.job().payload().contains("b"))
                .findFirst()
                .orElseThrow();
        fixture()
                .finish(List.of(
                        new Settlement(other.lease(), DONE, other.job().batch().orElse(0))));
        assertThat(fixture().job(job(join, "c")).state()).as("a runs again").isEqualTo(JobState.PENDING);
    }

    @Test
    default void aFailureCancelsOrRunsDependentsAsTheyDeclare() throws Exception {
        Workflow workflow = workflow()
                .job("a", GREET, "a")
                .job("cancelled", GREET, "cancelled")
                .after(OnFailure.CANCEL, "a")
                .job("cancelled too", GREET, "cancelled too")
                .after(OnFailure.CANCEL, "cancelled")
                .job("anyway", GREET, "anyway")
                .after(OnFailure.RUN_ANYWAY, "a", "cancelled too")
                .start();
        assertThat(end(FAILED)).containsExactly("a");
        fixture().runDuties();
        fixture().runDuties();
        assertThat(end(DONE)).containsExactly("anyway");
        assertThat(states(workflow))
                .isEqualTo("failed {a=FAILED, anyway=COMPLETED, cancelled=CANCELLED, cancelled too=CANCELLED}");
    }

    @Test
    default void cancelledDependentsWaitAgainWhenAllIsRetried() throws Exception {
        Workflow workflow = workflow()
                .job("a", GREET, "a")
                .job("b", GREET, "b", EnqueueOptions.DEFAULTS.key("k"))
                .after(OnFailure.CANCEL, "a")
                .start();
        assertThat(end(FAILED)).containsExactly("a");
        fixture().runDuties();
        assertThat(states(workflow)).isEqualTo("failed {a=FAILED, b=CANCELLED}");
        JobFilter ended = JobFilter.ALL.states(Choice.of(List.of(JobState.DISCARDED, JobState.CANCELLED)));
        fixture().admin.jobs().changeAll(ended, new JobChange.Retry(), done -> {});
        assertThat(fixture().job(job(workflow, "b")).state()).isEqualTo(JobState.PENDING);
        assertThat(fixture().count("pawl_keyed")).isZero();
        assertThat(end(DONE)).containsExactly("a");
        assertThat(fixture().job(job(workflow, "b")).state()).isNotEqualTo(JobState.PENDING);
        assertThat(fixture().job(job(workflow, "b")).state())
                .as("it is queued behind its key")
                .isEqualTo(JobState.BLOCKED);
        assertThat(fixture().count("pawl_keyed")).isOne();
    }

    @Test
    default void everyEndOfAJobCountsForItsDependents() throws Exception {
        EnqueueOptions alive = EnqueueOptions.DEFAULTS;
        Workflow workflow = workflow()
                .job("cancelled", GREET, "cancelled", alive.priority(1))
                .job("erased", GREET, "erased", alive.priority(1).tags("person"))
                .job("expired", GREET, "expired", alive.priority(1).expiresAt(Instant.EPOCH))
                .job("pruned", GREET, "pruned", alive.priority(-1))
                .job("next", GREET, "next")
                .after(OnFailure.RUN_ANYWAY, "cancelled", "erased", "expired", "pruned")
                .start();
        Grant first = fixture().claimOne();
        assertThat(first.job().payload()).contains("pruned");
        fixture()
                .finish(List.of(
                        new Settlement(first.lease(), DONE, first.job().batch().orElse(0))));
        fixture().runDuties();
        fixture().admin.jobs().changeAll(JobFilter.ALL.id(first.job().id()), new JobChange.Delete(), done -> {});
        fixture().admin.jobs().cancel(job(workflow, "cancelled"));
        fixture().admin.jobs().changeAll(JobFilter.ALL.id(job(workflow, "erased")), new JobChange.Erase(), done -> {});
        assertThat(fixture().job(job(workflow, "next")).state()).isEqualTo(JobState.PENDING);
        Worker worker = worker();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> info(workflow).isDone());
        }
        assertThat(states(workflow))
                .isEqualTo("failed {cancelled=CANCELLED, erased=CANCELLED, expired=CANCELLED, next=COMPLETED,"
                        + " pruned=COMPLETED}");
    }

    private Worker worker() {
        return fixture().newWorker().handle(GREET, (text, run) -> {}).start();
    }

    @Test
    default void changesOfManyJobsLetNothingRunTooEarly() throws Exception {
        Workflow workflow = workflow()
                .job("a", GREET, "a", EnqueueOptions.DEFAULTS.queue("other"))
                .job("b", GREET, "b", EnqueueOptions.DEFAULTS.key("k"))
                .after("a")
                .start();
        long id = job(workflow, "b");
        JobFilter all = JobFilter.ALL.states(Choice.of(List.of(JobState.values())));
        fixture().admin.jobs().changeAll(all, new JobChange.Retry(), done -> {});
        fixture().admin.jobs().changeAll(JobFilter.ALL, new JobChange.Reschedule(Instant.EPOCH), done -> {});
        fixture().admin.jobs().changeAll(JobFilter.ALL.id(id), new JobChange.Prioritize(-5), done -> {});
        fixture().admin.jobs().edit(id, JobEdit.NOTHING.priority(-7).payload("\"changed\""), "test");
        fixture().admin.jobs().changeAll(JobFilter.ALL.id(id), new JobChange.Move("moved"), done -> {});
        assertThat(fixture().job(id).state()).isEqualTo(JobState.PENDING);
        assertThat(fixture().job(id).queue()).isEqualTo("moved");
        assertThat(end(DONE)).isEmpty();
        fixture().admin.jobs().retry(id);
        assertThat(fixture().job(id).state()).as("a user retried this one").isNotEqualTo(JobState.PENDING);
    }

    @Test
    default void aLargeNodeIsReleasedInParts() throws Exception {
        int many = 1_203;
        Workflow workflow = workflow()
                .job("a", GREET, "a")
                .jobs("many", GREET, IntStream.range(0, many).mapToObj(i -> "x").toList())
                .after("a")
                .job("join", GREET, "join")
                .after("many")
                .start();
        assertThat(end(DONE)).containsExactly("a");
        assertThat(jobs(workflow, "many").stream().filter(job -> job.state() == JobState.PENDING))
                .hasSize(many - 1_000);
        fixture().runDuties();
        assertThat(jobs(workflow, "many")).noneMatch(job -> job.state() == JobState.PENDING);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_node WHERE pending_action > 0"))
                .isZero();
        for (int ended = 0; ended < many; ) {
            ended += end(DONE).size();
            fixture().runDuties();
        }
        assertThat(info(workflow).whole().completed()).isEqualTo(2);
        assertThat(end(DONE)).containsExactly("join");
        assertThat(info(workflow).isSuccess()).isTrue();
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aLockedJobIsReleasedLater() throws Exception {
        assumeThat(fixture().database.dialect().mayCommitLate())
                .as("several writers")
                .isTrue();
        Workflow workflow =
                workflow().job("a", GREET, "a").then("b", GREET, "b").start();
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            fixture().execute(connection, "SELECT id FROM pawl_job WHERE id = " + job(workflow, "b") + " FOR UPDATE");
            assertThat(end(DONE)).containsExactly("a");
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(fixture().job(job(workflow, "b")).state()).isEqualTo(JobState.PENDING);
        fixture().runDuties();
        assertThat(end(DONE)).containsExactly("b");
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_node WHERE pending_action > 0"))
                .isZero();
    }

    @Test
    default void aWorkflowIsCancelledAsAWhole() throws Exception {
        Workflow workflow = workflow()
                .job("a", GREET, "a")
                .job("b", GREET, "b")
                .after(OnFailure.RUN_ANYWAY, "a")
                .job("c", GREET, "c")
                .start();
        Grant running = fixture().claimOne();
        assertThat(workflow.cancel()).isEqualTo(3);
        fixture()
                .finish(List.of(new Settlement(
                        running.lease(),
                        new Verdict.Retry(Duration.ZERO, "was asked to stop"),
                        running.job().batch().orElse(0))));
        assertThat(states(workflow)).isEqualTo("failed {a=CANCELLED, b=CANCELLED, c=CANCELLED}");
        assertThat(end(DONE)).isEmpty();
        assertThat(workflow.cancel()).isZero();
    }

    @Test
    default void aWorkflowExistsOnlyIfItsTransactionCommits() throws Exception {
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            Workflow gone =
                    workflow().job("a", GREET, "a").then("b", GREET, "b").start(connection);
            connection.rollback();
            assertThat(gone.info()).isEmpty();
            Workflow there =
                    workflow().job("a", GREET, "a").then("b", GREET, "b").start(connection);
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(info(there).nodes()).hasSize(2);
            assertThatThrownBy(() -> workflow().job("a", GREET, "a").start(connection))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("autocommit");
        }
        assertThat(fixture().count("pawl_node")).isEqualTo(2);
        assertThat(end(DONE)).containsExactly("a");
    }

    @Test
    default void runsReadTheResultsOfTheirDependencies() throws Exception {
        assumeThat(fixture().isTransactional()).isFalse();
        Workflow workflow = fixture()
                .queue
                .workflow("sum")
                .jobs("parts", ADD, List.of(1, 2, 3))
                .job("sum", ADD, 0)
                .after("parts")
                .start();
        Worker worker = fixture()
                .newWorker()
                .handle(ADD, (number, run) -> {
                    Workflow own = fixture().queue.workflow(run).orElseThrow();
                    List<Integer> parts = new ArrayList<>();
                    if (number == 0) {
                        own.results("parts", TypeToken.of(Integer.class), parts::add);
                    } else if (number == 3) { // adds a job to its node: the next node waits for that, too
                        fixture().queue.batch(run).orElseThrow().enqueue(ADD, 10);
                    }
                    run.result(number + parts.stream().mapToInt(i -> i).sum());
                })
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> info(workflow).isDone());
        }
        assertThat(workflow.result("sum", Integer.class)).hasValue(16);
        assertThat(workflow.result("parts", Integer.class)).isPresent();
        List<Integer> all = new ArrayList<>();
        workflow.results("parts", Integer.class, all::add);
        assertThat(all).hasSizeGreaterThan(1);
        assertThatThrownBy(() -> workflow.result("sum", UUID.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("the result of job ", " does not fit java.util.UUID: it cannot be read");
        assertThatThrownBy(() -> workflow.result("pats", Integer.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no node 'pats'");
    }

    @Test
    default void invalidWorkflowsAreRefused() throws Exception {
        refused("no jobs", () -> workflow().start());
        refused("add a job", () -> workflow().then("a", GREET, "a"));
        refused("was not added before", () -> workflow().job("a", GREET, "a").after("b"));
        refused("was not added before", () -> workflow().job("a", GREET, "a").after("a"));
        refused(
                "twice",
                () -> workflow().job("a", GREET, "a").then("b", GREET, "b").after("a"));
        refused("already", () -> workflow().job("a", GREET, "a").job("a", GREET, "b"));
        refused("no payloads", () -> workflow().jobs("a", GREET, List.of()));
        refused("unique key", () -> workflow().job("a", GREET, "a", EnqueueOptions.DEFAULTS.uniqueKey("k")));
        refused("delay", () -> workflow().job("a", GREET, "a", EnqueueOptions.DEFAULTS.delay(Duration.ofDays(1))));
        refused("more than 1000 nodes", () -> {
            WorkflowBuilder many = workflow();
            IntStream.rangeClosed(0, 1_000).forEach(i -> many.job("" + i, GREET, "x"));
        });
        assertThat(fixture().count("pawl_batch")).isZero();
    }

    private void refused(String why, Runnable what) {
        assertThatThrownBy(what::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    default void itIsPrunedLikeABatch() throws Exception {
        Workflow workflow =
                workflow().job("a", GREET, "a").then("b", GREET, "b").start();
        assertThat(end(DONE)).hasSize(1);
        assertThat(end(DONE)).hasSize(1);
        fixture().runDuties();
        fixture().letPass(Duration.ofMillis(3));
        Duration brief = Duration.ofMillis(1);
        fixture().admin.maintenance().prune(new Retention(brief, brief, brief, 1));
        assertThat(workflow.info()).isEmpty();
        for (String table : List.of("pawl_batch", "pawl_batch_count", "pawl_batch_job", "pawl_node", "pawl_edge")) {
            assertThat(fixture().count(table)).as(table).isZero();
        }
    }

    @Test
    default void aBatchIsNoWorkflow() {
        Batch batch = fixture().queue.batch("b").open();
        batch.enqueue(GREET, "x");
        batch.batch("inner").open().seal();
        batch.seal();
        assertThat(fixture().queue.workflow(batch.id()).info()).isEmpty();
        assertThat(fixture().queue.workflow(4711).info()).isEmpty();
        assertThat(fixture().queue.workflows(Long.MAX_VALUE, 10)).isEmpty();
    }

    /** Random graphs, failures and user commands. */
    @Test
    default void nothingIsStuckAndNothingEarlyInRandomGraphs() {
        // on SQLite, the transaction around a handler holds the only write lock
        assumeThat(fixture().isTransactional()).isFalse();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Workflow> workflows = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            workflows.add(WorkflowCheck.random(fixture().queue, random));
        }
        Set<Long> retried = new HashSet<>();
        Worker worker = fixture()
                .newWorker()
                .retryPolicy(attempt -> Duration.ofMillis(10))
                .handle(WorkflowCheck.NODE, (percent, run) -> WorkflowCheck.run(fixture().queue, percent, run))
                .start();
        try (worker) {
            for (int i = 0; i < 15; i++) {
                WorkflowCheck.runUserCommand(fixture().admin, random, retried);
            }
            await().atMost(Fixture.SOON).untilAsserted(() -> {
                fixture().runDuties();
                assertThat(WorkflowCheck.live(fixture().admin))
                        .as("jobs that run or could, with seed %d", seed)
                        .isEmpty();
                assertThat(workflows)
                        .as("seed %d", seed)
                        .allSatisfy(workflow -> assertThat(WorkflowCheck.violations(
                                        WorkflowCheck.fact(fixture().queue, workflow.id(), retried)))
                                .isEmpty());
            });
        }
    }
}
