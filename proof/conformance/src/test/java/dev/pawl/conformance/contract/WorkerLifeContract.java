package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobLogLine;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.StartedLeases;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Running jobs and their workers: renewed, interrupted, released, lost, taken over. */
@WhiteBox
interface WorkerLifeContract extends WithWorker {
    @Test
    default void cancellingARunningJobInterruptsItsHandler(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        long id = fixture.enqueue();
        CountDownLatch running = new CountDownLatch(1);
        AtomicReference<Boolean> told = new AtomicReference<>(false);
        try (Worker worker = fixture.newWorker()
                .lease(Fixture.SAFE_LEASE)
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
            assertThat(running.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            fixture.admin.jobs().cancel(id);
            fixture.awaitState(id, JobState.CANCELLED);
            await().until(() -> worker.stats().cancelled() == 1);
        }
        assertThat(told.get()).isTrue();
    }

    @Test
    default void aTimeoutInterruptsTheHandlerAndCountsAsAFailure(Fixture fixture) throws Exception {
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        try (Worker worker = fixture.newWorker()
                .handle(
                        GREET,
                        (name, job) -> {
                            assertThat(job.timeLeft()).isPresent();
                            new CountDownLatch(1).await();
                        },
                        HandlerOptions.DEFAULTS.timeout(Duration.ofMillis(50)))
                .start()) {
            fixture.awaitState(id, JobState.DISCARDED);
            await().until(() -> worker.stats().running() == 0);
        }
        assertThat(fixture.admin
                        .runs()
                        .failedAttempts(id, Admin.UNLIMITED)
                        .get(0)
                        .error())
                .contains("timed out after 50 ms");
    }

    /** The job's own settings override those of the handler and the worker, and travel with the job. */
    @Test
    default void aJobMayBringItsTimeoutAndItsRetryPolicy(Fixture fixture) throws Exception {
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS
                .maxAttempts(2)
                .timeout(Duration.ofMillis(50))
                .retryFixed(Duration.ZERO));
        long later = fixture.enqueue(EnqueueOptions.DEFAULTS
                .timeout(Duration.ofMillis(50))
                .retryExponential(Duration.ofDays(1), Duration.ofDays(1)));
        try (Worker worker = fixture.newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ofHours(1)))
                .handle(
                        GREET,
                        (name, job) -> new CountDownLatch(1).await(),
                        HandlerOptions.DEFAULTS.timeout(Duration.ofHours(1)))
                .start()) {
            fixture.awaitState(id, JobState.DISCARDED);
            await().atMost(SOON)
                    .until(() -> fixture.admin
                                    .runs()
                                    .failedAttempts(later, Admin.UNLIMITED)
                                    .size()
                            == 1);
            await().until(() -> worker.stats().running() == 0);
        }
        assertThat(fixture.admin.runs().failedAttempts(id, Admin.UNLIMITED))
                .hasSize(2)
                .allMatch(attempt -> attempt.error().contains("timed out after 50 ms"));
        assertThat(fixture.job(later).availableAt())
                .isAfter(fixture.job(later).createdAt().plus(Duration.ofHours(12)));
    }

    /** Otherwise a run that takes longer than the time between two deployments would restart forever, without a trace. */
    @Test
    default void runsThatAWorkerInterruptsAsItStopsAreCounted(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        for (int deployment = 0; deployment < 3; deployment++) {
            CountDownLatch running = new CountDownLatch(1);
            Worker worker = fixture.newWorker()
                    .lease(Fixture.SAFE_LEASE)
                    .handle(GREET, (name, job) -> {
                        running.countDown();
                        new CountDownLatch(1).await();
                    })
                    .start();
            assertThat(running.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            worker.stop(Duration.ZERO);
        }
        assertThat(fixture.job(id).attempt()).isZero();
        assertThat(fixture.admin.runs().log(id, Admin.UNLIMITED)).hasSize(3).allMatch(JobLogLine::tellsOfInterruption);
        assertThat(fixture.store.interruptions(List.of(id, id + 1))).containsOnly(Map.entry(id, 3));
    }

    @Test
    default void aLongJobIsRenewedAndNotRescued(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        long id = fixture.enqueue();
        CountDownLatch enough = new CountDownLatch(1);
        try (Worker worker = fixture.newWorker()
                .lease(Fixture.SAFE_LEASE)
                .handle(GREET, (name, job) -> {
                    job.progress(30);
                    job.log("half way");
                    enough.await();
                })
                .start()) {
            await().atMost(SOON).until(() -> fixture.job(id).startedAt() != null);
            Job before = fixture.job(id);
            await().atMost(SOON).until(() -> {
                Job now = fixture.job(id);
                return Duration.between(before.leaseExpiresAt(), now.leaseExpiresAt())
                                .compareTo(Duration.ofSeconds(2))
                        > 0;
            });
            await().atMost(SOON).until(() -> Objects.equals(fixture.job(id).progress(), 30));
            await().atMost(SOON)
                    .until(() -> !fixture.admin.runs().log(id, Admin.UNLIMITED).isEmpty());
            enough.countDown();
            fixture.awaitState(id, JobState.COMPLETED);
            assertThat(worker.stats().rescued()).isZero();
        }
        assertThat(fixture.job(id).attempt()).isEqualTo(1);
    }

    /** The job is taken from the worker, as another process would do in a rescue after a long pause of this process. */
    @Test
    default void aHandlerThatLostItsLeaseIsInterruptedAndCannotCommit(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        long id = fixture.enqueueRow();
        CountDownLatch running = new CountDownLatch(1);
        AtomicReference<Object> seen = new AtomicReference<>("nothing");
        AtomicInteger runs = new AtomicInteger();
        try (Worker worker = fixture.newWorker()
                .lease(Fixture.SAFE_LEASE)
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
            assertThat(running.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            fixture.execute("UPDATE pawl_job SET state = 0, leased_by = NULL, started_at = NULL,"
                    + " lease_expires_at = NULL WHERE id = " + id);
            fixture.awaitState(id, JobState.COMPLETED);
            await().atMost(SOON).until(() -> worker.stats().leasesLost() == 1);
        }
        assertThat(seen.get()).isInstanceOf(LeaseLostException.class);
        assertThat(runs).hasValue(2);
        assertThat(fixture.job(id).attempt()).isEqualTo(2);
    }

    @Test
    default void stopReturnsJobsWithoutChargingAnAttempt(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        CountDownLatch busy = new CountDownLatch(2);
        Worker worker = fixture.newWorker()
                .concurrency(2)
                .handle(GREET, (name, job) -> {
                    if (name.startsWith("slow")) {
                        busy.countDown();
                        new CountDownLatch(1).await();
                    }
                })
                .start();
        // Quick jobs come first, so that the worker has learned to claim ahead when the slow jobs come.
        fixture.queue.enqueueAll(
                GREET, IntStream.range(0, 500).mapToObj(i -> "n" + i).toList());
        await().atMost(SOON).until(() -> worker.stats().completed() == 500);
        fixture.queue.enqueueAll(
                GREET, IntStream.range(0, 50).mapToObj(i -> "slow" + i).toList());
        assertThat(busy.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        worker.stop(Duration.ofMillis(50));
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_job WHERE state = 0 AND attempt = 0"))
                .isEqualTo(50);
        assertThat(fixture.count("pawl_attempt")).isZero();
        assertThat(fixture.admin.workers().list())
                .filteredOn(info -> info.id() == worker.id())
                .singleElement()
                .satisfies(info -> assertThat(info.stoppedAt()).isNotNull());
        worker.stop(Duration.ZERO);
    }

    @Test
    default void abandonedJobsOfADeadWorkerAreRunByAnother(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        fixture.claimOne(Duration.ofMillis(5)); // by a worker that then disappears
        try (Worker worker = fixture.newWorker()
                .lease(Duration.ofSeconds(2))
                .handle(GREET, (name, job) -> {})
                .start()) {
            fixture.awaitState(id, JobState.COMPLETED);
            await().atMost(SOON).until(() -> worker.stats().rescued() == 1);
        }
        assertThat(fixture.job(id).attempt()).isEqualTo(2);
        assertThat(fixture.admin
                        .runs()
                        .failedAttempts(id, Admin.UNLIMITED)
                        .get(0)
                        .error())
                .contains("abandoned")
                .contains("(test)");
    }

    @Test
    default void aJobThatAlwaysKillsItsWorkerIsDiscardedWithTheCause(Fixture fixture) throws Exception {
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        Grant begun = fixture.claimOne(Duration.ofMillis(5));
        new WorkerRegistry(fixture.database)
                .logStarts(fixture.worker, StartedLeases.encode(List.of(begun.lease())), Duration.ofSeconds(10));
        try (Worker worker = fixture.newWorker()
                .lease(Duration.ofSeconds(2))
                .handle(GREET, (name, job) -> {})
                .start()) {
            fixture.awaitState(id, JobState.DISCARDED);
            assertThat(worker.stats().completed()).isZero();
        }
        assertThat(fixture.admin
                        .runs()
                        .failedAttempts(id, Admin.UNLIMITED)
                        .get(0)
                        .error())
                .contains("the lease ran out");
    }

    /** The process died between the claim and the start, or never got the reply to its claim. */
    @Test
    default void aJobAtItsLastAttemptThatWasOnlyClaimedIsRun(Fixture fixture) throws Exception {
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        fixture.claimOne(Duration.ofMillis(5));
        try (Worker worker = fixture.newWorker()
                .lease(Duration.ofSeconds(2))
                .handle(GREET, (name, job) -> {})
                .start()) {
            fixture.awaitState(id, JobState.COMPLETED);
            await().atMost(SOON).until(() -> worker.stats().rescued() == 1);
        }
    }
}
