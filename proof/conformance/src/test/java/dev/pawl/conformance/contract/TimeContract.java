package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.WorkerCommand;
import dev.pawl.conformance.Specified;
import dev.pawl.servers.Delay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that start too late, runs that should end, and workers that should pause. */
@Specified
interface TimeContract extends Contract {
    @Test
    default void aJobThatComesTooLateIsNotRun() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        long late = fixture().enqueue(EnqueueOptions.DEFAULTS.expiresIn(Duration.ofMillis(1)));
        long past = fixture().enqueue(EnqueueOptions.DEFAULTS.expiresAt(Instant.parse("2020-01-01T00:00:00Z")));
        long inTime = fixture().enqueue(EnqueueOptions.DEFAULTS.expiresIn(Duration.ofHours(1)));
        fixture().letPass(Duration.ofMillis(3));
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, (text, run) -> runs.incrementAndGet())
                .start();
        try (worker) {
            fixture().awaitState(late, JobState.CANCELLED);
            fixture().awaitState(past, JobState.CANCELLED);
            fixture().awaitState(inTime, JobState.COMPLETED);
        }
        assertThat(runs.get()).isEqualTo(1);
        assertThat(fixture().job(past).reason()).isEqualTo("expired: it was to begin before 2020-01-01T00:00:00Z");
        Job job = fixture().job(late);
        assertThat(job.expiresAt()).contains(job.createdAt().plusMillis(1));
        assertThat(fixture().admin.runs().failedAttempts(late, Admin.UNLIMITED)).isEmpty();
    }

    @Test
    default void aJobIsNotTriedAgainWhenItsTimeIsOver() {
        AtomicInteger runs = new AtomicInteger();
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.expiresIn(Duration.ofSeconds(9)));
        Worker worker = fixture()
                .newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(9_200)))
                .handle(GREET, (text, run) -> {
                    runs.incrementAndGet();
                    throw new IllegalStateException("no");
                })
                .start();
        try (worker) {
            fixture().awaitState(id, JobState.CANCELLED);
        }
        assertThat(runs.get()).isEqualTo(1);
    }

    /** The worker notices the cancel before it renews the lease, which it does only after a quarter of the lease. */
    @Test
    default void aRunIsCancelledWithinASecondOrTwo() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        long id = fixture().enqueue();
        Worker worker = fixture()
                .newWorker()
                .lease(Duration.ofMinutes(10))
                .handle(GREET, (text, run) -> {
                    running.countDown();
                    try {
                        Delay.work(300_000);
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                })
                .start();
        try (worker) {
            assertThat(running.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            try (JobQueue elsewhere = program()) {
                assertThat(elsewhere.admin().jobs().cancel(id)).isEqualTo(CancelResult.REQUESTED);
            }
            assertThat(interrupted.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            fixture().awaitState(id, JobState.CANCELLED);
        }
        assertThat(fixture().job(id).reason()).isEqualTo("cancelled while it was running");
    }

    /** Stands for another program: a queue on the same tables whose changes are not announced to the other queues of this process. */
    private JobQueue program() {
        return JobQueue.builder(fixture().dataSource())
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open();
    }

    @Test
    default void aQueueIsPausedForAllWorkersAtOnce() {
        Set<Long> begun = ConcurrentHashMap.newKeySet();
        List<Worker> workers = new ArrayList<>();
        try (JobQueue elsewhere = program()) {
            for (JobQueue queue : List.of(fixture().queue, elsewhere)) {
                workers.add(Worker.on(queue)
                        .strategy(fixture().strategy)
                        .pollInterval(Duration.ofMillis(50))
                        .queues("default", "other")
                        .handle(GREET, (text, run) -> begun.add(run.job().id()))
                        .start());
            }
            fixture().awaitState(fixture().enqueue(), JobState.COMPLETED);
            try (JobQueue third = program()) {
                third.admin().queues().pause("default");
            }
            List<Long> paused = enqueued("default", 20);
            for (int round = 0; round < 5; round++) { // each worker has polled its queues more than once
                enqueued("other", 20).forEach(id -> fixture().awaitState(id, JobState.COMPLETED));
            }
            assertThat(begun).doesNotContainAnyElementsOf(paused);
            assertThat(fixture().admin.queues().resume("default")).isTrue();
            paused.forEach(id -> fixture().awaitState(id, JobState.COMPLETED));
        } finally {
            workers.forEach(Worker::close);
        }
    }

    private List<Long> enqueued(String queue, int jobs) {
        return IntStream.range(0, jobs)
                .mapToObj(i -> fixture().enqueue(EnqueueOptions.DEFAULTS.queue(queue)))
                .toList();
    }

    /** The handler cannot be stopped; but its job ends, and its capacity is free again. */
    @Test
    default void aHandlerThatIgnoresItsInterruptIsLeftToItself() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        JobType<String> stubborn = JobType.of("stubborn", String.class);
        AtomicBoolean end = new AtomicBoolean();
        AtomicInteger ended = new AtomicInteger();
        long id = fixture()
                .queue
                .enqueue(stubborn, "x", EnqueueOptions.DEFAULTS.maxAttempts(1))
                .jobId();
        Worker worker = fixture()
                .newWorker()
                .concurrency(1)
                .handle(
                        stubborn,
                        (text, run) -> {
                            while (!end.get()) {
                                Thread.onSpinWait();
                                boolean ignored = Thread.interrupted();
                            }
                            ended.incrementAndGet();
                        },
                        HandlerOptions.DEFAULTS.timeout(Duration.ofMillis(100)))
                .handle(GREET, (text, run) -> {})
                .start();
        try (worker) {
            fixture().awaitState(id, JobState.DISCARDED);
            assertThat(fixture().admin.runs().failedAttempts(id, Admin.UNLIMITED))
                    .singleElement()
                    .satisfies(attempt -> assertThat(attempt.error()).contains("ignores the interrupt"));
            fixture().awaitState(fixture().enqueue(), JobState.COMPLETED);
            end.set(true);
            await().atMost(Fixture.SOON).until(() -> ended.get() == 1);
            fixture().awaitState(fixture().enqueue(), JobState.COMPLETED);
            assertThat(fixture().job(id).state()).isEqualTo(JobState.DISCARDED);
        } finally {
            end.set(true);
        }
    }

    /** The key must prevent two concurrent runs. */
    @Test
    default void aHandlerThatIgnoresItsInterruptKeepsItsKey() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        JobType<String> stubborn = JobType.of("stubborn", String.class);
        AtomicBoolean end = new AtomicBoolean();
        AtomicBoolean runs = new AtomicBoolean();
        AtomicBoolean beside = new AtomicBoolean();
        EnqueueOptions key = EnqueueOptions.DEFAULTS.key("k");
        long id = fixture().queue.enqueue(stubborn, "x", key.maxAttempts(1)).jobId();
        long next = fixture().queue.enqueue(GREET, "next", key).jobId();
        Worker worker = fixture()
                .newWorker()
                .concurrency(1)
                .handle(
                        stubborn,
                        (text, run) -> {
                            runs.set(true);
                            while (!end.get()) {
                                Thread.onSpinWait();
                                boolean ignored = Thread.interrupted();
                            }
                            runs.set(false);
                        },
                        HandlerOptions.DEFAULTS.timeout(Duration.ofMillis(100)))
                .handle(GREET, (text, run) -> beside.compareAndSet(false, text.equals("next") && runs.get()))
                .start();
        try (worker) {
            await().atMost(Fixture.SOON).untilTrue(runs);
            // although the stuck handler still runs, it uses no capacity
            fixture().awaitState(fixture().enqueue(), JobState.COMPLETED);
            long ofAnother = fixture()
                    .queue
                    .enqueue(GREET, "other", EnqueueOptions.DEFAULTS.key("other"))
                    .jobId();
            fixture().awaitState(ofAnother, JobState.COMPLETED);
            assertThat(fixture().job(id).state()).isEqualTo(JobState.RUNNING);
            assertThat(fixture().job(next).state()).isEqualTo(JobState.BLOCKED);
            end.set(true);
            fixture().awaitState(id, JobState.DISCARDED);
            assertThat(fixture().admin.runs().failedAttempts(id, Admin.UNLIMITED))
                    .singleElement()
                    .satisfies(attempt -> assertThat(attempt.error()).contains("ignores the interrupt"));
            fixture().awaitState(next, JobState.COMPLETED);
            assertThat(beside).isFalse();
        } finally {
            end.set(true);
        }
    }

    private WorkerInfo info(Worker worker) {
        return fixture().admin.workers().list().stream()
                .filter(one -> one.id() == worker.id())
                .findAny()
                .orElseThrow();
    }

    @Test
    default void aWorkerIsPausedAndStoppedRemotely() throws Exception {
        Worker worker = fixture().newWorker().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            fixture().awaitState(fixture().enqueue(), JobState.COMPLETED);
            assertThat(info(worker).command()).isEqualTo(WorkerCommand.WORK);
            assertThat(fixture().admin.workers().command(worker.id(), WorkerCommand.STOP))
                    .isTrue();
            assertThat(info(worker).command()).isEqualTo(WorkerCommand.STOP);
            await().atMost(Duration.ofSeconds(30)).until(() -> !worker.isAlive());
            await().atMost(Fixture.SOON).until(() -> info(worker).stoppedAt() != null);
        }
        assertThat(fixture().admin.workers().command(worker.id(), WorkerCommand.WORK))
                .as("it has stopped")
                .isFalse();
    }

    @Test
    default void laterVersionsAreLeftAloneAndEarlierOnesRun() {
        JobType<String> first = JobType.of("import", String.class);
        JobType<String> second = first.version(2);
        JobType<String> third = first.version(3);
        long one = fixture().queue.enqueue(first, "1").jobId();
        long two = fixture().queue.enqueue(second, "2").jobId();
        long three = fixture().queue.enqueue(third, "3").jobId();
        try (Worker worker =
                fixture().newWorker().handle(second, (text, run) -> {}).start()) {
            assertThat(worker.isAlive()).isTrue();
            fixture().awaitState(one, JobState.COMPLETED);
            fixture().awaitState(two, JobState.COMPLETED);
            assertThat(fixture().job(three).state()).isEqualTo(JobState.AVAILABLE);
        }
        try (Worker worker =
                fixture().newWorker().handle(third, (text, run) -> {}).start()) {
            assertThat(worker.isAlive()).isTrue();
            fixture().awaitState(three, JobState.COMPLETED);
        }
    }
}
