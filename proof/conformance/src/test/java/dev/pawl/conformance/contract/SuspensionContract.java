package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.Workflow;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.OnFailure;
import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerCommand;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Product;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An idle worker that may suspend sends no statements, and misses no work. */
interface SuspensionContract extends Contract {
    /** The longest suspension, so that the worker's own timer does not wake it in these tests. */
    Duration LONG = Duration.ofHours(1);

    /**
     * A job that starts within this time counts as started promptly. The time is long enough for a busy machine, but a worker that was not
     * woken would stay suspended for much longer.
     */
    Duration AT_ONCE = Duration.ofSeconds(20);

    /** {@return a worker that suspends, whether or not other processes can wake it} */
    private WorkerBuilder sleeper() {
        return fixture().newWorker().name("sleeper").suspendWhenIdle(LONG);
    }

    private WorkerInfo row() {
        return fixture().admin.workers().list().stream()
                .filter(each -> each.name().equals("sleeper"))
                .findFirst()
                .orElseThrow();
    }

    private void awaitSuspended() {
        await().atMost(Duration.ofSeconds(40)).ignoreExceptions().until(() -> row().suspended());
    }

    private boolean canBeWokenByOthers() {
        return fixture().product == Product.POSTGRESQL;
    }

    private void assertPrompt(long id) {
        fixture().awaitState(id, JobState.COMPLETED);
        Job job = fixture().job(id);
        Instant started = job.startedAt();
        assertThat(started).isNotNull();
        assertThat(Duration.between(job.availableAt(), started)).isLessThan(AT_ONCE);
    }

    @Test
    default void nothingIsSentWhileThereIsNothingToDo() throws Exception {
        ConcurrentLinkedQueue<String> sent = new ConcurrentLinkedQueue<>();
        AtomicInteger runs = new AtomicInteger();
        try (JobQueue queue = JobQueue.builder(TamperedDataSource.before(
                        TamperedDataSource.of(fixture().pool, sent::add), () -> sent.add("a connection")))
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open()) {
            Worker worker = Worker.on(queue)
                    .name("sleeper")
                    .suspendWhenIdle(LONG)
                    .handle(GREET, (text, run) -> runs.incrementAndGet())
                    .start();
            try (worker) {
                queue.enqueue(GREET, "x");
                await().atMost(Fixture.SOON).until(() -> runs.get() == 1);
                // On MySQL and MariaDB the worker still wakes to look for late jobs, at intervals that grow by a factor
                // of four.
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> row().heartbeatAt().isAfter(Instant.now().plusSeconds(10)));
                sent.clear();
                Delay.quiet(6000); // an active worker sends about twenty a second
                assertThat(sent).isEmpty();
                assertThat(row().alive()).isTrue();
                assertThat(row().suspended()).isTrue();
                queue.enqueue(GREET, "y");
                await().atMost(Fixture.SOON).until(() -> runs.get() == 2);
                await().atMost(Fixture.SOON).until(() -> !row().suspended());
                awaitSuspended();
            }
        }
    }

    @Test
    default void aDelayedJobRunsOnTimeWhileTheWorkerSleepsUntilThen() {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofSeconds(20)));
        Worker worker = sleeper().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            awaitSuspended();
            assertThat(fixture().job(id).state()).isEqualTo(JobState.AVAILABLE);
            assertThat(fixture().admin.queues().unattended())
                    .as("its worker is alive")
                    .isEmpty();
            assertThat(row().heartbeatAt()).isBefore(row().startedAt().plusSeconds(28));
            assertPrompt(id);
            awaitSuspended();
        }
    }

    @Test
    default void aJobOfTheSameProcessWakesIt() {
        Worker worker = sleeper().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            awaitSuspended();
            assertPrompt(fixture().enqueue());
            awaitSuspended();
            long later = fixture().enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofSeconds(1)));
            assertPrompt(later);
        }
    }

    /** Only PostgreSQL notifies at the commit; with other databases the worker stays active for a while. */
    @Test
    default void aTransactionThatTakesLongerThanTheWorkerStaysAwakeIsNotMissed() throws Exception {
        assumeFalse(fixture().product == Product.SQLITE, "the transaction would lock the file");
        Worker worker = sleeper().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            awaitSuspended();
            long id = fixture().database.transaction(connection -> {
                long inside =
                        fixture().queue.within(connection).enqueue(GREET, "x").jobId();
                await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
                return inside;
            });
            await().atMost(Fixture.SOON).until(() -> fixture().job(id).state() == JobState.COMPLETED);
        }
    }

    @Test
    default void aTickWakesIt() {
        AtomicInteger runs = new AtomicInteger();
        JobType<String> type = JobType.of("tick", String.class);
        Worker worker = sleeper()
                .handle(type, (text, run) -> runs.incrementAndGet())
                .schedule(Schedule.of("each", type, "x", Recurrence.parse("every PT8S")))
                .start();
        try (worker) {
            awaitSuspended();
            int before = runs.get();
            await().atMost(Fixture.SOON).until(() -> runs.get() > before);
        }
    }

    @Test
    default void theLeaseOfAnotherWorkerThatHasDiedWakesIt() throws Exception {
        assumeFalse(fixture().isTransactional(), "its leases are short");
        long id = fixture().enqueue();
        fixture().claimOne(Duration.ofSeconds(28)); // the claiming worker sends no heartbeat
        Worker worker = sleeper().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            awaitSuspended();
            assertThat(fixture().job(id).state()).isEqualTo(JobState.RUNNING);
            await().atMost(Duration.ofSeconds(60)).until(() -> fixture().job(id).state() == JobState.COMPLETED);
        }
    }

    @Test
    default void theEndOfAPauseWakesIt() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        Worker worker = sleeper()
                .handle(
                        GREET,
                        Handlers.completing((text, run) -> tries.incrementAndGet() == 1
                                ? Outcome.unavailable(Duration.ofSeconds(20), "it is down")
                                : Outcome.completed()))
                .start();
        try (worker) {
            long id = fixture().enqueue();
            await().atMost(Fixture.SOON).until(() -> tries.get() == 1);
            awaitSuspended();
            assertThat(fixture().job(id).state()).isEqualTo(JobState.AVAILABLE);
            await().atMost(Duration.ofSeconds(60)).until(() -> fixture().job(id).state() == JobState.COMPLETED);
        }
    }

    @Test
    default void aPausedQueueDoesNotKeepItAwakeAndAResumeWakesIt() {
        fixture().queue.limits().pause(Subject.queue("default"), Duration.ofHours(2), "closed");
        long held = fixture().enqueue();
        Worker worker = sleeper().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            awaitSuspended();
            fixture().queue.limits().resume(Subject.queue("default"));
            await().atMost(Fixture.SOON).until(() -> fixture().job(held).state() == JobState.COMPLETED);
            fixture().admin.queues().pause("default");
            long paused = fixture().enqueue();
            await().atMost(Fixture.SOON).until(() -> !row().suspended());
            awaitSuspended();
            fixture().admin.queues().resume("default");
            await().atMost(Fixture.SOON).until(() -> fixture().job(paused).state() == JobState.COMPLETED);
        }
    }

    @Test
    default void jobsWithKeysAreReleased() {
        Worker worker = sleeper().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            awaitSuspended();
            long first = fixture().enqueue(EnqueueOptions.DEFAULTS.key("k"));
            long second = fixture().enqueue(EnqueueOptions.DEFAULTS.key("k").delay(Duration.ofSeconds(16)));
            await().atMost(Fixture.SOON).until(() -> fixture().job(first).state() == JobState.COMPLETED);
            awaitSuspended();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> fixture().job(second).state() == JobState.COMPLETED);
        }
    }

    /** When it wakes up, the worker reads that there are no keyed jobs yet, so it could suspend after its next poll. */
    @Test
    default void aJobWithAKeyWhoseTransactionEndsAfterItHasWokenIsNotMissed() throws Exception {
        assumeTrue(canBeWokenByOthers(), "without wake-ups it stays active long enough to poll it in any case");
        Worker worker = sleeper().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            awaitSuspended();
            await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
            long id = fixture().database.transaction(connection -> {
                long inside = fixture()
                        .queue
                        .within(connection)
                        .enqueue(GREET, "x", EnqueueOptions.DEFAULTS.key("k"))
                        .jobId();
                await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
                return inside;
            });
            await().atMost(Fixture.SOON).until(() -> fixture().job(id).state() == JobState.COMPLETED);
        }
    }

    @Test
    default void jobsOfAnotherProcessWakeItOrAreFoundByTheEndOfItsSleep() {
        try (HikariDataSource pool = testDatabase().newDataSource(2);
                JobQueue other = JobQueue.builder(pool)
                        .tablePrefix(fixture().prefix)
                        .migrate(false)
                        .open()) {
            Worker worker = fixture()
                    .newWorker()
                    .name("sleeper")
                    .suspendWhenIdle(canBeWokenByOthers() ? LONG : Duration.ofSeconds(10))
                    .handle(GREET, (text, run) -> {})
                    .start();
            try (worker) {
                awaitSuspended();
                long id = other.enqueue(GREET, "x").jobId();
                if (canBeWokenByOthers()) {
                    assertPrompt(id);
                } else {
                    await().atMost(Fixture.SOON).until(() -> fixture().job(id).state() == JobState.COMPLETED);
                }
            }
        }
    }

    /**
     * A program without a worker starts the workflow and cancels its first job. That transaction leaves the rest of the work to workers,
     * and a suspended worker does it.
     */
    @Test
    default void aSuspendedWorkerFinishesAWorkflowOfAnotherProgram() {
        try (HikariDataSource pool = testDatabase().newDataSource(2);
                JobQueue other = JobQueue.builder(pool)
                        .tablePrefix(fixture().prefix)
                        .migrate(false)
                        .open()) {
            AtomicInteger runs = new AtomicInteger();
            Workflow workflow = other.workflow("wide")
                    .job("first", JobType.of("unhandled", String.class), "x")
                    .jobs("many", GREET, Collections.nCopies(1_500, "x"))
                    .after(OnFailure.RUN_ANYWAY, "first")
                    .job("never", GREET, "y")
                    .after(OnFailure.CANCEL, "first")
                    .start();
            Worker worker = fixture()
                    .newWorker()
                    .name("sleeper")
                    .suspendWhenIdle(canBeWokenByOthers() ? LONG : Duration.ofSeconds(10))
                    .handle(GREET, (text, run) -> runs.incrementAndGet())
                    .start();
            try (worker) {
                awaitSuspended();
                long first = fixture()
                        .admin
                        .jobs()
                        .list(JobFilter.ALL.kind("unhandled"))
                        .get(0)
                        .id();
                assertThat(other.admin().jobs().cancel(first)).isEqualTo(CancelResult.CANCELLED);
                await().atMost(Duration.ofSeconds(60)).until(() -> runs.get() == 1_500);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> workflow.info().orElseThrow().isDone());
                assertThat(runs).hasValue(1_500);
            }
        }
    }

    @Test
    default void commandsOfOtherProcessesWakeIt() throws Exception {
        assumeTrue(canBeWokenByOthers(), "other processes cannot wake it there");
        AtomicInteger runs = new AtomicInteger();
        Worker worker = sleeper()
                .handle(
                        GREET,
                        Handlers.completing((text, run) ->
                                runs.incrementAndGet() == 1 ? Outcome.discard("no") : Outcome.completed()))
                .start();
        try (worker;
                HikariDataSource pool = testDatabase().newDataSource(2);
                JobQueue other = JobQueue.builder(pool)
                        .tablePrefix(fixture().prefix)
                        .migrate(false)
                        .open()) {
            long id = fixture().enqueue();
            fixture().awaitState(id, JobState.DISCARDED);
            awaitSuspended();
            other.admin().jobs().retry(id);
            await().atMost(Fixture.SOON).until(() -> fixture().job(id).state() == JobState.COMPLETED);
            awaitSuspended();
            assertThat(other.admin().workers().scale(row().id(), 1)).isTrue();
            await().atMost(Fixture.SOON).until(() -> worker.concurrency() == 1);
            awaitSuspended();
            other.admin().workers().command(row().id(), WorkerCommand.STOP);
            await().atMost(Fixture.SOON).until(() -> !worker.isAlive());
        }
    }

    @Test
    default void withoutWakeUpsAMaximumSuspensionIsRequired() {
        WorkerBuilder worker = fixture().newWorker().handle(GREET, (text, run) -> {});
        if (canBeWokenByOthers()) {
            worker.suspendWhenIdle().start().close();
        } else {
            assertThatThrownBy(() -> worker.suspendWhenIdle().start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("say how long their jobs may wait")
                    .hasMessageContaining("here (" + fixture().product.lowerCaseName() + " ");
        }
        for (Duration wrong : List.of(Duration.ofSeconds(9), Duration.ofDays(31))) {
            assertThatThrownBy(() -> worker.suspendWhenIdle(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    default void awaitingIdleDoesNotWaitForSuspension() throws Exception {
        Worker worker = sleeper().handle(GREET, (text, run) -> {}).start();
        try (worker) {
            awaitSuspended();
            long begun = System.nanoTime();
            assertThat(worker.awaitIdle(Fixture.SOON)).isTrue();
            worker.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Fixture.SOON);
        }
    }
}
