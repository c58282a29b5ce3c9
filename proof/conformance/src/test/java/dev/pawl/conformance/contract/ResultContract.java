package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobHandle;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.TypeToken;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Product;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Results of jobs, and callers that wait for them. */
@Specified
@WhiteBox
interface ResultContract extends Contract {
    /** The result of a job. */
    record Size(String text, int length) {}

    private JobHandle<Size> handle(long id) {
        return fixture().queue.handle(id, Size.class);
    }

    @Test
    default void resultsAreReadByOtherProcesses() throws Exception {
        List<Long> ids = IntStream.range(0, 20)
                .mapToObj(i -> fixture().queue.enqueue(GREET, "x".repeat(i)).jobId())
                .toList();
        assertThat(handle(ids.get(0)).status()).contains(JobState.AVAILABLE);
        assertThat(handle(ids.get(0)).result()).isEmpty();
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, Handlers.returning((text, run) -> new Size(text, text.length())))
                .start();
        // another queue over the same tables stands for another process
        try (worker;
                JobQueue other = JobQueue.builder(fixture().pool)
                        .tablePrefix(fixture().prefix)
                        .open()) {
            for (int i = 0; i < 20; i++) {
                JobHandle<Size> handle = other.handle(ids.get(i), Size.class);
                assertThat(handle.await(Fixture.SOON)).contains(JobState.COMPLETED);
                assertThat(handle.result()).contains(new Size("x".repeat(i), i));
            }
            assertThat(other.handle(ids.get(1), new TypeToken<Size>() {}).result())
                    .contains(new Size("x", 1));
        }
        assertThat(fixture().count("pawl_result")).isEqualTo(20);
    }

    @Test
    default void aResultIsKeptIfAndOnlyIfItsRunCompletesTheJob() throws Exception {
        long fails = fixture()
                .queue
                .enqueue(GREET, "fails", EnqueueOptions.DEFAULTS.maxAttempts(1))
                .jobId();
        long tooLong = fixture()
                .queue
                .enqueue(GREET, "too long", EnqueueOptions.DEFAULTS.maxAttempts(1))
                .jobId();
        long second = fixture().queue.enqueue(GREET, "second").jobId();
        Worker worker = fixture()
                .newWorker()
                .retryPolicy(attempt -> Duration.ZERO)
                .maxResultBytes(100)
                .handle(GREET, (text, run) -> {
                    run.result(text.equals("too long") ? "x".repeat(200) : text + run.attempt());
                    if (text.equals("fails") || (text.equals("second") && run.attempt() == 1)) {
                        throw new IllegalStateException("on purpose");
                    }
                })
                .start();
        try (worker) {
            fixture().awaitState(fails, JobState.DISCARDED);
            fixture().awaitState(tooLong, JobState.DISCARDED);
            fixture().awaitState(second, JobState.COMPLETED);
        }
        assertThat(fixture().queue.handle(fails, String.class).result()).isEmpty();
        assertThat(fixture().queue.handle(second, String.class).result()).contains("second2");
        assertThat(fixture()
                        .admin
                        .runs()
                        .failedAttempts(tooLong, Admin.UNLIMITED)
                        .get(0)
                        .error())
                .contains("202 bytes, the maximum is 100", "maxResultBytes");
        assertThat(fixture().count("pawl_result")).isOne();
    }

    @Test
    default void aResultIsCommittedWithTheTransactionOfTheRun() throws Exception {
        long id = fixture().queue.enqueue(GREET, "x").jobId();
        Queue<Class<?>> refused = new ConcurrentLinkedQueue<>();
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, (text, run) -> {
                    if (fixture().isTransactional()) {
                        run.result("within");
                        return;
                    }
                    run.transaction(connection -> run.result("within"));
                    try {
                        run.result("after");
                    } catch (IllegalStateException tooLate) {
                        refused.add(tooLate.getClass());
                    }
                })
                .start();
        try (worker) {
            assertThat(fixture().queue.handle(id, String.class).await(Fixture.SOON))
                    .contains(JobState.COMPLETED);
        }
        assertThat(fixture().queue.handle(id, String.class).result()).contains("within");
        assertThat(refused).hasSize(fixture().isTransactional() ? 0 : 1);
    }

    @Test
    default void aJobThatIsRetriedHasTheResultOfItsLastRun() throws Exception {
        long id = fixture().enqueue();
        Lease first = fixture().claimOne().lease();
        assertThat(fixture().finish(List.of(new Settlement(first, new Verdict.Completed("1")))))
                .contains(first);
        fixture().sweepMarked();
        assertThat(fixture().admin.jobs().result(id)).contains("1");
        fixture().admin.jobs().retry(id);
        assertThat(fixture().admin.jobs().result(id)).isEmpty();
        Lease second = fixture().claimOne().lease();
        assertThat(fixture().finish(List.of(new Settlement(second, new Verdict.Completed("2")))))
                .contains(second);
        assertThat(fixture().finish(List.of(new Settlement(first, new Verdict.Completed("late")))))
                .isEmpty();
        fixture().sweepMarked();
        assertThat(fixture().admin.jobs().result(id)).contains("2");
        fixture().admin.jobs().changeAll(JobFilter.ALL, new JobChange.Erase(), done -> {});
        assertThat(fixture().count("pawl_result")).isZero();
    }

    @Test
    default void resultsGoWithTheirJobs() throws Exception {
        fixture().enqueue();
        Lease lease = fixture().claimOne().lease();
        fixture().finish(List.of(new Settlement(lease, new Verdict.Completed("1"))));
        fixture().sweepMarked();
        assertThat(fixture().count("pawl_result")).isOne();
        fixture().letPass(Duration.ofMillis(3));
        fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ofMillis(1)));
        assertThat(fixture().count("pawl_result")).isZero();
    }

    @Test
    default void manyWaitersShareAPoll() throws Exception {
        Queue<String> looks = new ConcurrentLinkedQueue<>();
        List<Long> ids = IntStream.range(0, 10)
                .mapToObj(i -> fixture()
                        .queue
                        .enqueue(GREET, "x", EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)))
                        .jobId())
                .toList();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (JobQueue queue = JobQueue.builder(TamperedDataSource.of(fixture().pool, looks::add))
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open()) {
            looks.clear();
            CountDownLatch begun = new CountDownLatch(100);
            List<Future<Optional<JobState>>> waiting = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                JobHandle<String> handle = queue.handle(ids.get(i % 10), String.class);
                waiting.add(threads.submit(() -> {
                    begun.countDown();
                    return handle.await(Fixture.SOON);
                }));
            }
            assertThat(begun.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Delay.quiet(300); // several polls, in which nothing changes
            ids.forEach(fixture().admin.jobs()::cancel);
            for (Future<Optional<JobState>> each : waiting) {
                assertThat(each.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).contains(JobState.CANCELLED);
            }
            // A poll takes four queries. Each new waiter causes at most one poll. After that, a dozen polls serve all
            // waiters together, and a single waiter would need the same number.
            assertThat(looks.size()).as("statements for 100 waiters").isLessThan(800);
            assertThat(queue.handle(ids.get(0), String.class).await(Duration.ZERO))
                    .contains(JobState.CANCELLED);
            assertThat(queue.handle(Long.MAX_VALUE, String.class).await(Fixture.SOON))
                    .isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    default void aTimedOutWaiterGetsTheStateOfTheJob() throws Exception {
        long id = fixture().enqueue();
        assertThat(fixture().queue.handle(id, String.class).await(Duration.ofMillis(30)))
                .contains(JobState.AVAILABLE);
    }

    @Test
    default void aWaiterWithoutATimeoutGetsTheResult() throws Exception {
        long id = fixture().enqueue();
        assertThat(fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e")))
                .isTrue();
        assertThat(fixture().queue.handle(id, String.class).await(ChronoUnit.FOREVER.getDuration()))
                .contains(JobState.DISCARDED);
    }

    @Test
    default void theJobsAheadOfAJobAreCounted() throws Exception {
        List<Long> ids =
                IntStream.range(0, 5).mapToObj(i -> fixture().enqueue()).toList();
        long urgent = fixture().enqueue(EnqueueOptions.DEFAULTS.priority(-1));
        long later = fixture().enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        assertThat(fixture().queue.handle(ids.get(0), String.class).ahead()).hasValue(1);
        assertThat(fixture().queue.handle(ids.get(4), String.class).ahead()).hasValue(5);
        assertThat(fixture().queue.handle(urgent, String.class).ahead()).hasValue(0);
        assertThat(fixture().queue.handle(later, String.class).ahead()).isEmpty();
        assertThat(fixture().queue.handle(ids.get(4), String.class).startsIn())
                .as("unknown, because no job has completed yet")
                .isEmpty();
        Lease lease = fixture().claimOne().lease();
        assertThat(fixture().finish(lease, new Verdict.Completed())).isTrue();
        fixture().sweepMarked();
        assertThat(fixture().queue.handle(lease.jobId(), String.class).ahead()).hasValue(0);
        await().atMost(Fixture.SOON)
                .untilAsserted(() -> assertThat(
                                fixture().queue.handle(ids.get(4), String.class).startsIn())
                        .hasValueSatisfying(
                                time -> assertThat(time).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(6))));
    }

    /**
     * Regression: when a result was too large, a driver reported a lost connection. So the worker retried this outcome forever, and all
     * other outcomes waited.
     */
    @Test
    default void aResultThatTheServerDoesNotTakeEndsItsOwnJobOnly(Fixture fixture) throws Exception {
        String most = "\"".repeat(4_500_000); // each quote takes four bytes in a statement
        long large = fixture.queue
                .enqueue(GREET, "large", EnqueueOptions.DEFAULTS.maxAttempts(1))
                .jobId();
        List<Long> others = IntStream.range(0, 20)
                .mapToObj(i -> fixture.queue.enqueue(GREET, "small").jobId())
                .toList();
        try (Worker worker = fixture.newWorker()
                .maxResultBytes(16_000_000)
                .handle(GREET, Handlers.returning((text, run) -> text.equals("large") ? most : text))
                .start()) {
            for (long id : others) {
                fixture.awaitState(id, JobState.COMPLETED);
            }
            if (fixture.product == Product.MARIADB) {
                fixture.awaitState(large, JobState.DISCARDED);
                assertThat(fixture.admin.runs().failedAttempts(large, Admin.UNLIMITED))
                        .singleElement()
                        .extracting(FailedAttempt::error)
                        .asString()
                        .contains("could not be recorded")
                        .contains("max_allowed_packet");
            } else {
                fixture.awaitState(large, JobState.COMPLETED);
            }
            assertThat(worker.databaseLostFor()).isEmpty();
        }
    }
}
