package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.EnqueueOptions;
import dev.pawl.JobQueue;
import dev.pawl.JobRun;
import dev.pawl.JobState;
import dev.pawl.Outcome;
import dev.pawl.RetryPolicy;
import dev.pawl.Strategy;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Handlers that share a transaction: {@code transactional} with a batch. */
interface SharedTransactionContract extends Contract {
    int JOBS = 10;

    private WorkerBuilder sharing(JobQueue queue) {
        return Worker.on(queue)
                .strategy(new Strategy.Transactional(JOBS))
                .concurrency(1)
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO));
    }

    private void enqueue(Fixture fixture, int jobs) throws SQLException {
        fixture.execute("CREATE TABLE pawl_effect (job_id bigint, attempt int)");
        fixture.queue.enqueueAll(GREET, Collections.nCopies(jobs, "n"));
    }

    private static void write(Fixture fixture, JobRun run) throws Exception {
        run.transaction(connection -> fixture.execute(
                connection, "INSERT INTO pawl_effect VALUES (" + run.job().id() + ", " + run.attempt() + ")"));
    }

    private static void assertEachOnce(Fixture fixture, int jobs) throws Exception {
        assertThat(fixture.count("pawl_effect")).isEqualTo(jobs);
        assertThat(fixture.longOf("SELECT COUNT(DISTINCT job_id) FROM pawl_effect"))
                .isEqualTo(jobs);
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_job_history WHERE state = 2"))
                .isEqualTo(jobs);
    }

    @Test
    default void aBatchIsOneCommitAndUntilThenNobodySeesIt(Fixture fixture) throws Exception {
        int jobs = 20 * JOBS;
        enqueue(fixture, jobs);
        List<Long> seen = new ArrayList<>();
        try (Worker worker = sharing(fixture.queue)
                .handle(GREET, (name, run) -> {
                    write(fixture, run);
                    seen.add(fixture.count("pawl_effect"));
                })
                .start()) {
            await().until(() -> worker.stats().completed() == jobs);
        }
        assertThat(seen).hasSize(jobs).isSorted();
        assertThat(seen.stream().distinct().count())
                .as("commits of %d jobs in batches of ten", jobs)
                .isBetween(20L, 60L);
        assertEachOnce(fixture, jobs);
    }

    @Test
    default void whatFailsUndoesItsOwnWritesOnly(Fixture fixture) throws Exception {
        enqueue(fixture, JOBS);
        List<String> alone = Collections.synchronizedList(new ArrayList<>());
        try (Worker worker = sharing(fixture.queue)
                .handleWithOutcome(GREET, (name, run) -> {
                    write(fixture, run);
                    if (run.attempt() == 2) {
                        alone.add(run.job().id() + " sees " + fixture.count("pawl_effect"));
                    } else if (run.job().id() % 5 == 0) {
                        throw new IllegalStateException("after the write");
                    } else if (run.job().id() % 5 == 1) {
                        run.transaction(connection ->
                                fixture.execute(connection, "INSERT INTO pawl_effect VALUES ('x', -1, 0)"));
                    } else if (run.job().id() % 5 == 2) {
                        return Outcome.retryAfter(Duration.ZERO, "not yet");
                    }
                    return Outcome.completed();
                })
                .start()) {
            await().until(() -> worker.stats().completed() == JOBS);
            assertThat(worker.stats().failed()).isEqualTo(6);
        }
        assertEachOnce(fixture, JOBS);
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_effect WHERE attempt = 1"))
                .isEqualTo(4);
        assertThat(alone).hasSize(6);
    }

    /** Nothing of the batch is done then; each has failed an attempt, and is tried alone. */
    @Test
    default void whenTheCommitFailsAllAreTriedAgainAndAlone(Fixture fixture) throws Exception {
        enqueue(fixture, JOBS);
        AtomicReference<Thread> handler = new AtomicReference<>();
        List<Long> seen = new ArrayList<>();
        JobQueue queue = JobQueue.builder(TamperedDataSource.of(fixture.dataSource(), statement -> {
                    if (statement.equals(TamperedDataSource.COMMIT)
                            && handler.compareAndSet(Thread.currentThread(), null)) {
                        throw new SQLException("refused by the test", "23000");
                    }
                }))
                .tablePrefix(fixture.prefix)
                .open();
        try (queue;
                Worker worker = sharing(queue)
                        .handle(GREET, (name, run) -> {
                            write(fixture, run);
                            if (run.attempt() == 1) {
                                handler.set(Thread.currentThread());
                            } else {
                                seen.add(fixture.count("pawl_effect"));
                            }
                        })
                        .start()) {
            await().until(() -> worker.stats().completed() == JOBS);
            assertThat(worker.stats().failed()).isEqualTo(JOBS);
        }
        assertEachOnce(fixture, JOBS);
        assertThat(seen).as("committed by those before").containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    /** It must not lose its only attempt to the commit of others. */
    @Test
    default void aJobWithOneAttemptRunsAlone(Fixture fixture) throws Exception {
        fixture.execute("CREATE TABLE pawl_effect (job_id bigint, attempt int)");
        fixture.queue.enqueueAll(GREET, Collections.nCopies(3, "n"), name -> EnqueueOptions.DEFAULTS.maxAttempts(1));
        List<Long> seen = new ArrayList<>();
        try (Worker worker = sharing(fixture.queue)
                .handle(GREET, (name, run) -> {
                    write(fixture, run);
                    seen.add(fixture.count("pawl_effect"));
                })
                .start()) {
            await().until(() -> worker.stats().completed() == 3);
        }
        assertThat(seen).containsExactly(0L, 1L, 2L);
    }

    /** A handler that ends the transaction by itself has undone what the others did in it. */
    @Test
    default void aHandlerThatRollsBackByItselfCompletesNobody(Fixture fixture) throws Exception {
        enqueue(fixture, JOBS);
        try (Worker worker = sharing(fixture.queue)
                .handle(GREET, (name, run) -> {
                    write(fixture, run);
                    if (run.attempt() == 1 && run.job().id() % JOBS == 0) {
                        run.transaction(connection -> connection.rollback());
                        write(fixture, run);
                    }
                })
                .start()) {
            await().until(() -> worker.stats().completed() == JOBS);
        }
        assertEachOnce(fixture, JOBS);
        assertThat(fixture.admin.list(dev.pawl.admin.JobFilter.ALL.state(JobState.COMPLETED)))
                .hasSize(JOBS);
    }
}
