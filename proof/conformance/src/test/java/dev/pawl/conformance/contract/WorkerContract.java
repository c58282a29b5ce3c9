package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.ChunkOptions;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.TypeToken;
import dev.pawl.conformance.RunsOn;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine over the real store: which jobs run, in which order, and with which outcome. */
interface WorkerContract extends WithWorker {
    @Test
    default void everyJobRunsOnce(Fixture fixture) throws Exception {
        int jobs = 600;
        Set<String> run = ConcurrentHashMap.newKeySet();
        AtomicInteger runs = new AtomicInteger();
        fixture.queue.enqueueAll(
                GREET, IntStream.range(0, jobs).mapToObj(i -> "n" + i).toList());
        try (Worker worker = fixture.newWorker()
                .handle(GREET, (name, job) -> {
                    runs.incrementAndGet();
                    run.add(name);
                })
                .start()) {
            assertThat(worker.awaitIdle(SOON)).isTrue();
            await().atMost(SOON).until(() -> worker.stats().completed() == jobs);
        }
        assertThat(run).hasSize(jobs);
        assertThat(runs).hasValue(jobs);
        fixture.sweepMarked();
        assertThat(fixture.admin
                        .jobs()
                        .list(JobFilter.ALL.state(JobState.COMPLETED).limit(1000)))
                .hasSize(jobs)
                .allSatisfy(job -> assertThat(job.attempt()).isEqualTo(1));
    }

    @Test
    default void anIdleWorkerStartsNewJobsAtOnce(Fixture fixture) throws Exception {
        Semaphore started = new Semaphore(0);
        try (Worker worker = fixture.newWorker()
                .pollInterval(Duration.ofHours(1))
                .handle(GREET, (name, job) -> started.release())
                .start()) {
            assertThat(worker.awaitIdle(SOON)).isTrue();
            for (int i = 0; i < 5; i++) {
                fixture.enqueue(); // polls are an hour apart, so only a wake-up can make the worker find it
                assertThat(started.tryAcquire(SOON.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }
            try (Connection connection = fixture.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                fixture.queue.within(connection).enqueue(GREET, "in a transaction");
                connection.commit();
            }
            assertThat(started.tryAcquire(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    default void aFailureIsRetriedUntilTheAttemptsAreUsedUp(Fixture fixture) throws Exception {
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(3));
        AtomicInteger attempts = new AtomicInteger();
        try (Worker worker = fixture.newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(GREET, (name, job) -> {
                    attempts.incrementAndGet();
                    assertThat(job.isLastAttempt()).isEqualTo(job.attempt() == 3);
                    throw new IllegalStateException("boom " + job.attempt() + " \0 with NUL");
                })
                .start()) {
            fixture.awaitState(id, JobState.DISCARDED);
            assertThat(worker.stats().failed()).isEqualTo(2);
        }
        assertThat(attempts).hasValue(3);
        assertThat(fixture.admin.runs().failedAttempts(id, Admin.UNLIMITED))
                .extracting(FailedAttempt::error)
                .allSatisfy(error -> assertThat(error).contains("IllegalStateException: boom"))
                .hasSize(3);
    }

    @Test
    default void anErrorOrAnUnreadablePayloadFailsTheAttemptOnly(Fixture fixture) throws Exception {
        long bad = fixture.queue
                .enqueue(new dev.pawl.api.JobRequest("greet", "{not json", EnqueueOptions.DEFAULTS.maxAttempts(1)))
                .jobId();
        long error = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        try (Worker worker = fixture.newWorker()
                .concurrency(1)
                .handle(GREET, (name, job) -> {
                    throw new StackOverflowError("too deep");
                })
                .start()) {
            fixture.awaitState(bad, JobState.DISCARDED);
            fixture.awaitState(error, JobState.DISCARDED);
            await().until(() -> worker.stats().discarded() == 2);
        }
        assertThat(fixture.admin
                        .runs()
                        .failedAttempts(bad, Admin.UNLIMITED)
                        .get(0)
                        .error())
                .contains("cannot be read as java.lang.String");
    }

    @Test
    default void everyOutcomeIsRecorded(Fixture fixture) throws Exception {
        AtomicInteger snoozes = new AtomicInteger();
        long snoozed = fixture.queue.enqueue(GREET, "snooze").jobId();
        long cancelled = fixture.queue.enqueue(GREET, "cancel").jobId();
        long discarded = fixture.queue.enqueue(GREET, "discard").jobId();
        long retried = fixture.queue.enqueue(GREET, "retry").jobId();
        try (Worker worker = fixture.newWorker()
                .handle(GREET, Handlers.completing((what, job) -> switch (what) {
                    case "snooze" ->
                        snoozes.incrementAndGet() < 3 ? Outcome.snoozeFor(Duration.ZERO) : Outcome.completed();
                    case "cancel" -> Outcome.cancel("not wanted");
                    case "discard" -> Outcome.discard("hopeless");
                    default -> job.attempt() == 1 ? Outcome.retryAfter(Duration.ZERO, "not yet") : Outcome.completed();
                }))
                .start()) {
            fixture.awaitState(snoozed, JobState.COMPLETED);
            fixture.awaitState(cancelled, JobState.CANCELLED);
            fixture.awaitState(discarded, JobState.DISCARDED);
            fixture.awaitState(retried, JobState.COMPLETED);
            assertThat(worker.stats().snoozed()).isEqualTo(2);
        }
        assertThat(fixture.job(snoozed).attempt()).isEqualTo(1);
        assertThat(fixture.job(cancelled).reason()).isEqualTo("not wanted");
        assertThat(fixture.job(discarded).reason()).isEqualTo("hopeless");
        assertThat(fixture.job(retried).attempt()).isEqualTo(2);
    }

    @Test
    default void aTransactionCommitsWritesAndCompletionTogether(Fixture fixture) throws Exception {
        fixture.execute("CREATE TABLE pawl_effect (job_id bigint PRIMARY KEY, attempt int)");
        String insert = fixture.database.dialect().sql("INSERT INTO pawl_effect VALUES (?, ?)");
        fixture.queue.enqueueAll(
                GREET, IntStream.range(0, 100).mapToObj(i -> "n" + i).toList());
        try (Worker worker = fixture.newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(
                        GREET,
                        (name, job) -> job.transaction(connection -> {
                            try (var statement = connection.prepareStatement(insert)) {
                                statement.setLong(1, job.job().id());
                                statement.setInt(2, job.attempt());
                                statement.executeUpdate();
                            }
                            if (job.attempt() == 1 && job.job().id() % 3 == 0) {
                                throw new IllegalStateException("after the write");
                            }
                            if (job.attempt() == 1 && job.job().id() % 7 == 0) {
                                throw WorkerContract.<RuntimeException>unchecked(
                                        new Throwable("neither of the usual two"));
                            }
                        }))
                .start()) {
            await().atMost(SOON).until(() -> worker.stats().completed() == 100);
        }
        assertThat(fixture.count("pawl_effect")).isEqualTo(100);
        assertThat(fixture.longOf(
                        "SELECT COUNT(*) FROM pawl_effect WHERE attempt = 1 AND (job_id % 3 = 0 OR job_id % 7 = 0)"))
                .isZero();
        fixture.sweepMarked();
        assertThat(fixture.admin
                        .jobs()
                        .list(JobFilter.ALL.state(JobState.COMPLETED).limit(200)))
                .hasSize(100);
    }

    /**
     * Regression: after a deadlock, MySQL and MariaDB have rolled back the transaction, and released its lock of the job's row. A handler
     * that caught the exception wrote the rest of its effect, which was committed with the completion of its job.
     */
    @ParameterizedTest
    @ValueSource(strings = {"run", "chunk", "step"})
    @RunsOn({Product.MYSQL, Product.MARIADB, Product.SQLITE})
    default void aHandlerThatCatchesARollbackDoesNotCommitTheRest(String way, Fixture fixture) throws Exception {
        assumeTrue(fixture.product != Product.POSTGRESQL);
        if (way.equals("step")) {
            fixture.assumeNoTransactionAroundHandlers();
        }
        fixture.execute("CREATE TABLE pawl_effect (job_id bigint, half varchar(10))");
        String insert = fixture.database.dialect().sql("INSERT INTO pawl_effect VALUES (?, ?)");
        AtomicInteger runs = new AtomicInteger();
        JobRun.TransactionWork halves = connection -> {
            for (String half : List.of("first", "second")) {
                if (runs.incrementAndGet() == 2) {
                    connection.rollback(); // like a rollback by the server, between the halves of the first attempt
                }
                try (var statement = connection.prepareStatement(insert)) {
                    statement.setLong(1, 1);
                    statement.setString(2, half);
                    statement.executeUpdate();
                }
            }
        };
        WorkerBuilder builder = fixture.newWorker().retryPolicy(RetryPolicy.fixed(Duration.ZERO));
        switch (way) {
            case "chunk" ->
                builder.handle(
                        GREET,
                        Handlers.chunked(
                                ChunkOptions.of(20),
                                chunk -> chunk.transaction((connection, items) -> halves.run(connection))));
            case "step" ->
                builder.handle(
                        GREET,
                        (name, run) -> run.steps().inTransaction("halves", TypeToken.of(String.class), connection -> {
                            halves.run(connection);
                            return "both";
                        }));
            default -> builder.handle(GREET, (name, run) -> run.transaction(halves));
        }
        try (Worker worker = builder.start()) {
            fixture.awaitState(fixture.enqueue(), JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(runs).hasValue(4);
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_effect WHERE half = 'first'"))
                .isEqualTo(1);
    }

    /** PostgreSQL refuses all statements after an error, and the commit. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void aHandlerThatCatchesAnErrorDoesNotCommit(Fixture fixture) throws Exception {
        assumeTrue(fixture.product == Product.POSTGRESQL);
        fixture.execute("CREATE TABLE pawl_effect (attempt int)");
        AtomicInteger runs = new AtomicInteger();
        try (Worker worker = fixture.newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(
                        GREET,
                        (name, run) -> run.transaction(connection -> {
                            try (var statement = connection.createStatement()) {
                                statement.execute("INSERT INTO "
                                        + fixture.database.dialect().sql("pawl_effect") + " VALUES ("
                                        + runs.incrementAndGet() + ")");
                                if (runs.get() == 1) {
                                    statement.execute("SELECT 1 / 0");
                                }
                            } catch (SQLException caught) {
                                assertThat(caught.getSQLState()).isEqualTo("22012");
                            }
                        }))
                .start()) {
            fixture.awaitState(fixture.enqueue(), JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(fixture.longOf("SELECT MIN(attempt) FROM pawl_effect")).isEqualTo(2);
        assertThat(fixture.count("pawl_effect")).isEqualTo(1);
    }

    /** Throws it as other JVM languages do, where a Throwable that is neither an Exception nor an Error needs no declaration. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E unchecked(Throwable any) throws E {
        throw (E) any;
    }

    @Test
    default void aMissingOutcomeRollsBackTheTransactionAroundTheHandler(Fixture fixture) throws Exception {
        fixture.execute("CREATE TABLE pawl_effect (attempt int)");
        String insert = "INSERT INTO pawl_effect VALUES (%d)";
        long id = fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(GREET, Handlers.completing((name, job) -> {
                    job.transaction(connection -> fixture.execute(connection, insert.formatted(job.attempt())));
                    return job.attempt() == 1 ? nothing() : Outcome.completed();
                }))
                .start()) {
            fixture.awaitState(id, JobState.COMPLETED);
            await().until(() -> worker.stats().completed() == 1);
        }
        assertThat(fixture.count("pawl_effect")).isEqualTo(1);
        assertThat(fixture.longOf("SELECT attempt FROM pawl_effect")).isEqualTo(fixture.isTransactional() ? 2 : 1);
        assertThat(fixture.admin.runs().failedAttempts(id, Admin.UNLIMITED)).hasSize(fixture.isTransactional() ? 1 : 0);
    }

    @SuppressWarnings("NullAway") // as careless handlers do
    private static Outcome nothing() {
        return null;
    }

    @Test
    default void aPoolOfOneConnectionServesTenHandlers(Fixture fixture) throws Exception {
        try (Fixture small = fixture.another(1, Retention.DEFAULTS)) {
            small.queue.enqueueAll(
                    GREET, IntStream.range(0, 100).mapToObj(i -> "n" + i).toList());
            try (Worker worker = small.newWorker()
                    .concurrency(10)
                    .handle(GREET, (name, job) -> job.transaction(connection -> {}))
                    .start()) {
                await().atMost(SOON.multipliedBy(3)).until(() -> worker.stats().completed() == 100);
            }
        }
    }

    @Test
    default void queuesAreServedInOrderOfPreference(Fixture fixture) throws Exception {
        ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
        for (String queue : List.of("low", "high", "low", "high")) {
            fixture.queue.enqueue(GREET, queue, EnqueueOptions.DEFAULTS.queue(queue));
        }
        try (Worker worker = fixture.newWorker()
                .queues("high", "low")
                .concurrency(1)
                .handle(GREET, (queue, job) -> order.add(queue))
                .start()) {
            assertThat(worker.awaitIdle(SOON)).isTrue();
        }
        assertThat(order).containsExactly("high", "high", "low", "low");
    }

    @Test
    default void weightedQueuesAreAllServed(Fixture fixture) throws Exception {
        for (String queue : List.of("a", "b")) {
            fixture.queue.enqueueAll(
                    GREET,
                    IntStream.range(0, 200).mapToObj(i -> queue).toList(),
                    name -> EnqueueOptions.DEFAULTS.queue(name));
        }
        try (Worker worker = fixture.newWorker()
                .weightedQueues(java.util.Map.of("a", 9, "b", 1))
                .handle(GREET, (queue, job) -> {})
                .start()) {
            await().atMost(SOON).until(() -> worker.stats().completed() == 400);
        }
    }
}
