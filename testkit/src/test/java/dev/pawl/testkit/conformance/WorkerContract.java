package dev.pawl.testkit.conformance;

import static dev.pawl.testkit.conformance.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.EnqueueOptions;
import dev.pawl.FailedAttempt;
import dev.pawl.HandlerOptions;
import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.LeaseLostException;
import dev.pawl.Outcome;
import dev.pawl.Retention;
import dev.pawl.RetryPolicy;
import dev.pawl.Strategy;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The engine over the real store. */
interface WorkerContract extends Contract {
    Duration SOON = Duration.ofSeconds(20);

    private WorkerBuilder worker() {
        return Worker.on(fixture().queue)
                .strategy(fixture().strategy)
                .pollInterval(Duration.ofMillis(100))
                .grace(Duration.ofSeconds(5));
    }

    /** What a worker does every second. */
    private void sweepMarked() throws Exception {
        while (fixture().store.sweep(1000) > 0) {}
    }

    /** Its open transaction keeps others from the row, and on SQLite from the whole file. */
    private void assumeNoTransactionAroundHandlers() {
        assumeThat(fixture().strategy).isNotInstanceOf(Strategy.Transactional.class);
    }

    private void awaitState(long id, JobState state) {
        await().atMost(SOON).until(() -> fixture().job(id).state() == state);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.testkit.conformance.Contract#strategies")
    default void everyJobIsRunOnce(Strategy strategy) throws Exception {
        int jobs = 1500;
        Set<String> run = ConcurrentHashMap.newKeySet();
        AtomicInteger runs = new AtomicInteger();
        fixture()
                .queue
                .enqueueAll(
                        GREET, IntStream.range(0, jobs).mapToObj(i -> "n" + i).toList());
        try (Worker worker = worker().strategy(strategy)
                .handle(GREET, (name, job) -> {
                    runs.incrementAndGet();
                    run.add(name);
                })
                .start()) {
            assertThat(worker.awaitIdle(SOON)).isTrue();
            assertThat(worker.stats().completed()).isEqualTo(jobs);
        }
        assertThat(run).hasSize(jobs);
        assertThat(runs).hasValue(jobs);
        sweepMarked();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_job_history WHERE state = 2 AND attempt = 1"))
                .isEqualTo(jobs);
    }

    @Test
    default void jobsEnqueuedWhileTheWorkerIsIdleStartSoon() throws Exception {
        Semaphore started = new Semaphore(0);
        try (Worker worker = worker().pollInterval(Duration.ofHours(1))
                .handle(GREET, (name, job) -> started.release())
                .start()) {
            assertThat(worker.awaitIdle(SOON)).isTrue();
            for (int i = 0; i < 5; i++) {
                fixture().enqueue(); // with an hour between two polls only the wake-up can bring it
                assertThat(started.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
            }
            try (Connection connection = fixture().dataSource().getConnection()) {
                connection.setAutoCommit(false);
                fixture().queue.enqueue(connection, GREET, "in a transaction");
                connection.commit();
            }
            assertThat(started.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    default void aFailureIsRetriedUntilTheAttemptsAreUsedUp() throws Exception {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.maxAttempts(3));
        AtomicInteger attempts = new AtomicInteger();
        try (Worker worker = worker().retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(GREET, (name, job) -> {
                    attempts.incrementAndGet();
                    assertThat(job.isLastAttempt()).isEqualTo(job.attempt() == 3);
                    throw new IllegalStateException("boom " + job.attempt() + " \0 with NUL");
                })
                .start()) {
            awaitState(id, JobState.DISCARDED);
            assertThat(worker.stats().failed()).isEqualTo(2);
        }
        assertThat(attempts).hasValue(3);
        assertThat(fixture().admin.failedAttempts(id))
                .extracting(FailedAttempt::error)
                .allSatisfy(error -> assertThat(error).contains("IllegalStateException: boom"))
                .hasSize(3);
    }

    @Test
    default void anErrorOrAnUnreadablePayloadFailsTheAttemptNotTheWorker() throws Exception {
        long bad = fixture()
                .queue
                .enqueue(new dev.pawl.JobRequest("greet", "{not json", EnqueueOptions.DEFAULTS.maxAttempts(1)))
                .jobId();
        long error = fixture().enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        try (Worker worker = worker().concurrency(1)
                .handle(GREET, (name, job) -> {
                    throw new StackOverflowError("too deep");
                })
                .start()) {
            awaitState(bad, JobState.DISCARDED);
            awaitState(error, JobState.DISCARDED);
            assertThat(worker.stats().discarded()).isEqualTo(2);
        }
        assertThat(fixture().admin.failedAttempts(bad).get(0).error()).contains("cannot be read as java.lang.String");
    }

    @Test
    default void everyOutcomeDoesWhatItSays() throws Exception {
        AtomicInteger snoozes = new AtomicInteger();
        long snoozed = fixture().queue.enqueue(GREET, "snooze").jobId();
        long cancelled = fixture().queue.enqueue(GREET, "cancel").jobId();
        long discarded = fixture().queue.enqueue(GREET, "discard").jobId();
        long retried = fixture().queue.enqueue(GREET, "retry").jobId();
        try (Worker worker = worker().handleWithOutcome(GREET, (what, job) -> switch (what) {
                    case "snooze" ->
                        snoozes.incrementAndGet() < 3 ? Outcome.snoozeFor(Duration.ZERO) : Outcome.completed();
                    case "cancel" -> Outcome.cancel("not wanted");
                    case "discard" -> Outcome.discard("hopeless");
                    default -> job.attempt() == 1 ? Outcome.retryAfter(Duration.ZERO, "not yet") : Outcome.completed();
                })
                .start()) {
            awaitState(snoozed, JobState.COMPLETED);
            awaitState(cancelled, JobState.CANCELLED);
            awaitState(discarded, JobState.DISCARDED);
            awaitState(retried, JobState.COMPLETED);
            assertThat(worker.stats().snoozed()).isEqualTo(2);
        }
        assertThat(fixture().job(snoozed).attempt()).isEqualTo(1);
        assertThat(fixture().job(cancelled).reason()).isEqualTo("not wanted");
        assertThat(fixture().job(discarded).reason()).isEqualTo("hopeless");
        assertThat(fixture().job(retried).attempt()).isEqualTo(2);
    }

    @Test
    default void aTransactionCommitsWritesAndCompletionTogether() throws Exception {
        fixture().execute("CREATE TABLE pawl_effect (job_id bigint PRIMARY KEY, attempt int)");
        String insert = fixture().database.dialect().sql("INSERT INTO pawl_effect VALUES (?, ?)");
        fixture()
                .queue
                .enqueueAll(
                        GREET, IntStream.range(0, 100).mapToObj(i -> "n" + i).toList());
        try (Worker worker = worker().retryPolicy(RetryPolicy.fixed(Duration.ZERO))
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
                        }))
                .start()) {
            await().atMost(SOON).until(() -> worker.stats().completed() == 100);
        }
        assertThat(fixture().count("pawl_effect")).isEqualTo(100);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_effect WHERE attempt = 1 AND job_id % 3 = 0"))
                .isZero();
        sweepMarked();
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_job_history WHERE state = 2"))
                .isEqualTo(100);
    }

    @Test
    default void cancellingARunningJobInterruptsItsHandler() throws Exception {
        assumeNoTransactionAroundHandlers();
        long id = fixture().enqueue();
        CountDownLatch running = new CountDownLatch(1);
        AtomicReference<Boolean> told = new AtomicReference<>(false);
        try (Worker worker = worker().lease(Duration.ofSeconds(2))
                .handle(GREET, (name, job) -> {
                    running.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        told.set(job.isCancelled());
                        throw e;
                    }
                })
                .start()) {
            assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
            fixture().admin.cancel(id);
            awaitState(id, JobState.CANCELLED);
            assertThat(worker.stats().cancelled()).isLessThanOrEqualTo(1);
        }
        assertThat(told.get()).isTrue();
    }

    @Test
    default void aTimeoutInterruptsTheHandlerAndCountsAsAFailure() throws Exception {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        try (Worker worker = worker().handle(
                        GREET,
                        (name, job) -> {
                            assertThat(job.timeLeft()).isPresent();
                            new CountDownLatch(1).await();
                        },
                        HandlerOptions.DEFAULTS.timeout(Duration.ofMillis(50)))
                .start()) {
            awaitState(id, JobState.DISCARDED);
            assertThat(worker.stats().running()).isZero();
        }
        assertThat(fixture().admin.failedAttempts(id).get(0).error()).contains("timed out after PT0.05S");
    }

    @Test
    default void aLongJobIsRenewedAndNotRescued() throws Exception {
        assumeNoTransactionAroundHandlers();
        long id = fixture().enqueue();
        CountDownLatch enough = new CountDownLatch(1);
        try (Worker worker = worker().lease(Duration.ofSeconds(1))
                .handle(GREET, (name, job) -> {
                    job.progress(30);
                    job.log("half way");
                    enough.await();
                })
                .start()) {
            await().atMost(SOON).until(() -> fixture().job(id).startedAt() != null);
            Job before = fixture().job(id);
            await().atMost(SOON).until(() -> {
                Job now = fixture().job(id);
                return Duration.between(before.leaseExpiresAt(), now.leaseExpiresAt())
                                .compareTo(Duration.ofSeconds(2))
                        > 0;
            });
            assertThat(fixture().job(id).progress()).isEqualTo(30);
            await().atMost(SOON).until(() -> !fixture().admin.log(id).isEmpty());
            enough.countDown();
            awaitState(id, JobState.COMPLETED);
            assertThat(worker.stats().rescued()).isZero();
        }
        assertThat(fixture().job(id).attempt()).isEqualTo(1);
    }

    /** Somebody takes the job away, as a rescue would after a long pause of the process. */
    @Test
    default void aHandlerThatHasLostItsLeaseIsInterruptedToldAndRefused() throws Exception {
        assumeNoTransactionAroundHandlers();
        long id = fixture().enqueue();
        CountDownLatch running = new CountDownLatch(1);
        AtomicReference<Object> seen = new AtomicReference<>("nothing");
        AtomicInteger runs = new AtomicInteger();
        try (Worker worker = worker().lease(Duration.ofSeconds(2))
                .handle(GREET, (name, job) -> {
                    if (runs.incrementAndGet() > 1) {
                        return;
                    }
                    running.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        try {
                            job.transaction(connection -> seen.set("a late write"));
                        } catch (LeaseLostException lost) {
                            seen.set(lost);
                        }
                    }
                })
                .start()) {
            assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
            fixture()
                    .execute("UPDATE pawl_job SET state = 0, leased_by = NULL, started_at = NULL,"
                            + " lease_expires_at = NULL WHERE id = " + id);
            awaitState(id, JobState.COMPLETED);
            await().atMost(SOON).until(() -> worker.stats().leasesLost() == 1);
        }
        assertThat(seen.get()).isInstanceOf(LeaseLostException.class);
        assertThat(runs).hasValue(2);
        assertThat(fixture().job(id).attempt()).isEqualTo(2);
    }

    @Test
    default void stopGivesBackWhatHasNotStartedAndInterruptsTheRestWithoutChargingThem() throws Exception {
        assumeNoTransactionAroundHandlers();
        CountDownLatch busy = new CountDownLatch(2);
        Worker worker = worker().concurrency(2)
                .handle(GREET, (name, job) -> {
                    if (name.startsWith("slow")) {
                        busy.countDown();
                        new CountDownLatch(1).await();
                    }
                })
                .start();
        // Fast ones first, so that the worker has learned to claim ahead when the slow ones come.
        fixture()
                .queue
                .enqueueAll(
                        GREET, IntStream.range(0, 500).mapToObj(i -> "n" + i).toList());
        await().atMost(SOON).until(() -> worker.stats().completed() == 500);
        fixture()
                .queue
                .enqueueAll(
                        GREET, IntStream.range(0, 50).mapToObj(i -> "slow" + i).toList());
        assertThat(busy.await(10, TimeUnit.SECONDS)).isTrue();
        worker.stop(Duration.ofMillis(50));
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_job WHERE state = 0 AND attempt = 0"))
                .isEqualTo(50);
        assertThat(fixture().count("pawl_attempt")).isZero();
        assertThat(fixture().admin.workers())
                .filteredOn(info -> info.id() == worker.id())
                .singleElement()
                .satisfies(info -> assertThat(info.stoppedAt()).isNotNull());
        worker.stop(Duration.ZERO);
    }

    @Test
    default void abandonedJobsOfADeadWorkerAreRunByAnother() throws Exception {
        long id = fixture().enqueue();
        fixture().claimOne(Duration.ofMillis(5)); // by a worker that is never heard of again
        try (Worker worker = worker().handle(GREET, (name, job) -> {}).start()) {
            awaitState(id, JobState.COMPLETED);
            await().atMost(SOON).until(() -> worker.stats().rescued() == 1);
        }
        assertThat(fixture().job(id).attempt()).isEqualTo(2);
        assertThat(fixture().admin.failedAttempts(id).get(0).error())
                .contains("abandoned")
                .contains("(test)");
    }

    @Test
    default void aJobThatAlwaysKillsItsWorkerIsDiscardedWithTheCause() throws Exception {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        fixture().claimOne(Duration.ofMillis(5));
        try (Worker worker = worker().handle(GREET, (name, job) -> {}).start()) {
            awaitState(id, JobState.DISCARDED);
            assertThat(worker.stats().completed()).isZero();
        }
        assertThat(fixture().admin.failedAttempts(id).get(0).error()).contains("the lease ran out");
    }

    @Test
    default void aPoolOfOneConnectionServesTenHandlers() throws Exception {
        try (Fixture small = new Fixture(testDatabase(), 1, Retention.DEFAULTS)) {
            small.queue.enqueueAll(
                    GREET, IntStream.range(0, 300).mapToObj(i -> "n" + i).toList());
            try (Worker worker = Worker.on(small.queue)
                    .strategy(fixture().strategy)
                    .concurrency(10)
                    .handle(GREET, (name, job) -> job.transaction(connection -> {}))
                    .start()) {
                await().atMost(SOON).until(() -> worker.stats().completed() == 300);
            }
        }
    }

    @Test
    default void queuesAreServedInOrderOfPreference() throws Exception {
        ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
        for (String queue : List.of("low", "high", "low", "high")) {
            fixture().queue.enqueue(GREET, queue, EnqueueOptions.DEFAULTS.queue(queue));
        }
        try (Worker worker = worker().queues("high", "low")
                .concurrency(1)
                .handle(GREET, (queue, job) -> order.add(queue))
                .start()) {
            assertThat(worker.awaitIdle(SOON)).isTrue();
        }
        assertThat(order).containsExactly("high", "high", "low", "low");
    }

    @Test
    default void weightedQueuesAreAllServed() throws Exception {
        for (String queue : List.of("a", "b")) {
            fixture()
                    .queue
                    .enqueueAll(
                            GREET,
                            IntStream.range(0, 200).mapToObj(i -> queue).toList(),
                            name -> EnqueueOptions.DEFAULTS.queue(name));
        }
        try (Worker worker = worker().weightedQueues(java.util.Map.of("a", 9, "b", 1))
                .handle(GREET, (queue, job) -> {})
                .start()) {
            await().atMost(SOON).until(() -> worker.stats().completed() == 400);
        }
    }
}
