package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Retention;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests each cause of stuck batches that users of other queues reported, by the number of Sidekiq's issue. Also tests the cost of a batch.
 * {@code BatchKillTest} covers killed processes.
 */
@Specified
@WhiteBox
interface StuckBatchContract extends Contract {
    JobType<String> AFTER = JobType.of("after", String.class);

    private Batch batch(String name) {
        return fixture()
                .queue
                .batch(name)
                .onDone(AFTER, "done " + name)
                .onSuccess(AFTER, "success " + name)
                .open();
    }

    private List<String> afterwards() {
        return fixture().admin.jobs().list(JobFilter.ALL.kind("after").limit(100)).stream()
                .map(Job::payload)
                .map(payload -> payload.replace("\"", ""))
                .sorted()
                .toList();
    }

    private void complete(Batch batch, int jobs) throws Exception {
        List<Settlement> runs = fixture().claim(jobs).stream()
                .map(grant -> new Settlement(
                        grant.lease(),
                        new Verdict.Completed(),
                        grant.job().batch().orElse(0)))
                .toList();
        assertThat(fixture().finish(runs)).as("of batch %s", batch.id()).hasSize(jobs);
    }

    /** #5143: a deployment stops the worker while jobs of the batch run, and others have been claimed ahead. */
    @Test
    default void aDeploymentInTheMiddleLosesNoJob() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        Batch batch = batch("b");
        batch.enqueueAll(GREET, IntStream.range(0, 40).mapToObj(i -> "x").toList());
        batch.seal();
        CountDownLatch begun = new CountDownLatch(3);
        CountDownLatch never = new CountDownLatch(1);
        Worker old = fixture()
                .newWorker()
                .concurrency(3)
                .grace(Duration.ZERO)
                .handle(GREET, (text, run) -> {
                    begun.countDown();
                    never.await();
                })
                .start();
        try (old) {
            begun.await();
        }
        Worker next = fixture()
                .newWorker()
                .retryPolicy(attempt -> Duration.ZERO)
                .handle(GREET, (text, run) -> {})
                .handle(AFTER, (text, run) -> {})
                .start();
        try (next) {
            await().atMost(Fixture.SOON).until(() -> batch.info().orElseThrow().isDone());
        }
        assertThat(batch.info().orElseThrow().completed()).isEqualTo(40);
        assertThat(afterwards()).containsExactly("done b", "success b");
    }

    /** #3050, #5903: an empty batch. */
    @Test
    default void aBatchWithoutJobsCallsBack() {
        batch("b").seal();
        assertThat(afterwards()).containsExactly("done b", "success b");
    }

    /** #5455: an empty batch is part of another, which waits for the empty batch and its callbacks. */
    @Test
    default void anEmptyInnerBatchCallsBackAndEndsForTheOuterBatch() throws Exception {
        Batch outer = batch("outer");
        outer.enqueue(GREET, "x");
        Batch inner = outer.batch("inner").onSuccess(GREET, "inner has ended").open();
        outer.seal();
        complete(outer, 1);
        assertThat(outer.info().orElseThrow().isDone()).isFalse();
        inner.seal();
        assertThat(outer.info().orElseThrow().isDone())
                .as("the callback is part of it")
                .isFalse();
        complete(outer, 1);
        assertThat(afterwards()).containsExactly("done outer", "success outer");
    }

    /** #5455 again: all inner batches are empty, and so is the whole. */
    @Test
    default void emptyBatchesWithinEmptyOnesAreDone() {
        Batch outer = batch("outer");
        Batch middle = outer.batch("middle").open();
        Batch inner = middle.batch("inner").open();
        outer.seal();
        middle.seal();
        inner.seal();
        assertThat(outer.info().orElseThrow().isSuccess()).isTrue();
        assertThat(afterwards()).containsExactly("done outer", "success outer");
    }

    /** #2888: all first jobs have ended before more are added. */
    @Test
    default void jobsAddedAfterTheFirstHaveEndedAreWaitedFor() throws Exception {
        Batch batch = batch("b");
        batch.enqueue(GREET, "first");
        complete(batch, 1);
        assertThat(afterwards()).isEmpty();
        batch.enqueue(GREET, "second");
        batch.seal();
        assertThat(afterwards()).isEmpty();
        complete(batch, 1);
        assertThat(afterwards()).containsExactly("done b", "success b");
    }

    /**
     * #4896: batches at any depth. A job opens batches within its own batch, even after this batch has been sealed. The outermost batch
     * waits for the deepest ones.
     */
    @Test
    default void aJobOpensBatchesWithinItsOwnAndTheWholeWaitsForThem() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        Batch batch = batch("b");
        batch.enqueue(GREET, "3");
        batch.seal();
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, (text, run) -> {
                    int depth = Integer.parseInt(text);
                    if (depth > 0) {
                        Batch inner = fixture()
                                .queue
                                .batch(run)
                                .orElseThrow()
                                .batch("depth " + depth)
                                .onSuccess(AFTER, "success " + depth)
                                .open();
                        inner.enqueueAll(GREET, List.of(depth - 1 + "", depth - 1 + ""));
                        inner.seal();
                    }
                })
                .handle(AFTER, (text, run) -> {})
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).until(() -> batch.info().orElseThrow().isDone());
        }
        List<String> expected = new ArrayList<>(List.of("done b", "success b", "success 3"));
        expected.addAll(Collections.nCopies(2, "success 2"));
        expected.addAll(Collections.nCopies(4, "success 1"));
        assertThat(afterwards()).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** #6260: a job is discarded twice, because the worker that ran it was presumed dead. The job is counted once. */
    @Test
    default void aJobThatIsDiscardedTwiceIsCountedOnce() throws Exception {
        Batch batch = batch("b");
        fixture().queue.enqueue(GREET, "x", batch.with(EnqueueOptions.DEFAULTS.maxAttempts(1)));
        batch.enqueue(GREET, "y");
        batch.seal();
        List<Grant> grants = fixture().claim(2);
        Verdict dead = new Verdict.Discarded("all attempts failed", "on purpose");
        assertThat(fixture().finish(grants.get(0).lease(), dead)).isTrue();
        assertThat(fixture().finish(grants.get(0).lease(), dead)).isFalse();
        assertThat(batch.info().orElseThrow().failed()).isOne();
        assertThat(batch.info().orElseThrow().ended()).isOne();
        assertThat(fixture()
                        .finish(List.of(new Settlement(grants.get(1).lease(), new Verdict.Completed(), batch.id()))))
                .hasSize(1);
        assertThat(batch.info().orElseThrow().isDone()).isTrue();
        assertThat(batch.jobs(0, 10)).extracting(Job::state).allMatch(JobState::isFinished);
        assertThat(afterwards()).containsExactly("done b");
    }

    /**
     * A member costs one more row, but no statement of its own when it is enqueued or ends. So ten members take as many statements as a
     * hundred.
     */
    @Test
    default void membersCostNoStatementOfTheirOwn() throws Exception {
        Batch few = batch("few");
        Batch many = batch("many");
        int plain = statements(null, 100);
        int ofTen = statements(few, 10);
        int ofHundred = statements(many, 100);
        assertThat(ofHundred).as("of a hundred, where ten take as many").isEqualTo(ofTen);
        assertThat(ofHundred - plain)
                .as("for the batch, its members, the lock and the count")
                .isBetween(1, 8);
        assertThat(fixture().count("pawl_batch_job")).isEqualTo(110);
        assertThat(many.info().orElseThrow().completed()).isEqualTo(100);
    }

    /** {@return how many statements it takes to enqueue and complete some jobs, in a batch if one is given} */
    private int statements(@Nullable Batch batch, int jobs) throws Exception {
        List<String> statements = Collections.synchronizedList(new ArrayList<>());
        Pattern settings = Pattern.compile("pawl_(lane|queue)\\b"); // read once in two seconds
        DataSource counted = TamperedDataSource.of(fixture().pool, sql -> {
            if (!settings.matcher(sql).find()) {
                statements.add(sql);
            }
        });
        List<String> texts = IntStream.range(0, jobs).mapToObj(i -> "x").toList();
        try (JobQueue queue = JobQueue.builder(counted)
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open()) {
            statements.clear();
            if (batch == null) {
                queue.enqueueAll(GREET, texts);
            } else {
                queue.batch(batch.id()).enqueueAll(GREET, texts);
            }
        }
        ClaimStrategy strategy = new SqlJobStore(
                        Databases.of(fixture().pool, fixture().prefix),
                        new Database(counted, fixture().database.dialect()),
                        Retention.DEFAULTS)
                .strategy(fixture().strategy);
        List<String> enqueued = List.copyOf(statements);
        List<Settlement> runs = fixture().claimBy(strategy, jobs).stream()
                .map(grant -> new Settlement(
                        grant.lease(),
                        new Verdict.Completed(),
                        grant.job().batch().orElse(0)))
                .toList();
        statements.clear();
        assertThat(strategy.settle(runs).accepted()).hasSize(jobs);
        statements.addAll(enqueued);
        return statements.size();
    }
}
