package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobState;
import dev.pawl.api.JobStep;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunSuspended;
import dev.pawl.api.Signal;
import dev.pawl.api.SignalResult;
import dev.pawl.api.TypeToken;
import dev.pawl.api.WorkerEvent;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Product;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a job keeps from one run to the next, and what it waits for. */
@Specified
interface StepContract extends WithWorker {
    Signal<String> APPROVED = Signal.of("approved", String.class);

    private Worker worker(JobHandler<String> handler) {
        return worker().handle(GREET, handler, HandlerOptions.DEFAULTS.retryPolicy(RetryPolicy.fixed(Duration.ZERO)))
                .start();
    }

    private void awaitWaiting(long id) {
        await().atMost(SOON)
                .until(() -> fixture().admin.jobs().steps(id).stream()
                                .anyMatch(step -> step.state() == JobStep.State.WAITING)
                        && fixture().job(id).state().isWaiting());
    }

    @Test
    default void aStepIsDoneOnceDespiteRetries() throws Exception {
        Queue<String> done = new ConcurrentLinkedQueue<>();
        JobHandler<String> handler = (text, run) -> {
            int number = run.step("draw", Integer.class, () -> {
                done.add("draw");
                return 42;
            });
            List<String> names = run.steps().run("names", new TypeToken<List<String>>() {}, () -> {
                done.add("names");
                return List.of("ä", "b");
            });
            run.step("tell", () -> done.add("tell " + number + names));
            if (run.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
        };
        try (Worker worker = worker(handler)) {
            long id = fixture().enqueue();
            awaitState(id, JobState.COMPLETED);
            assertThat(done).containsExactly("draw", "names", "tell 42[ä, b]");
            assertThat(fixture().admin.runs().failedAttempts(id, Admin.UNLIMITED))
                    .hasSize(2);
            assertThat(fixture().admin.jobs().steps(id))
                    .extracting(JobStep::kind, JobStep::name, JobStep::state, JobStep::value)
                    .containsExactly(
                            tuple(JobStep.Kind.STEP, "draw", JobStep.State.DONE, "42"),
                            tuple(JobStep.Kind.STEP, "names", JobStep.State.DONE, "[\"ä\",\"b\"]"),
                            tuple(JobStep.Kind.STEP, "tell", JobStep.State.DONE, null));
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** Without a timeout, a handler would hang with the dead connection. The handler's own statements have no timeout. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void recordingAStepGivesUpADeadConnection() throws Exception {
        assumeThat(fixture().product).as("it has no network").isNotEqualTo(Product.SQLITE);
        ThreadLocal<String> limit = ThreadLocal.withInitial(() -> "0");
        Queue<String> kept = new ConcurrentLinkedQueue<>();
        DataSource limited = fixture()
                .at(
                        "^" + TamperedDataSource.TIMEOUT,
                        timeout -> limit.set(timeout.substring(TamperedDataSource.TIMEOUT.length())));
        DataSource tampered = TamperedDataSource.of(
                limited, fixture().statements.at("^\\s*INSERT.*pawl_step", statement -> kept.add(limit.get())));
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        try (JobQueue queue =
                        JobQueue.builder(tampered).tablePrefix(fixture().prefix).open();
                Worker worker = Worker.on(queue)
                        .handle(GREET, (text, run) -> {
                            run.step("short", () -> {});
                            run.steps().inTransaction("long", TypeToken.of(String.class), connection -> "x");
                            run.steps().sleep("nap", Duration.ZERO);
                        })
                        .start()) {
            awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(kept).containsExactly("60000", "0", "60000");
    }

    /** A failed step is not recorded; the writes of its transaction are rolled back. */
    @Test
    default void aStepCommitsWithItsWrites() throws Exception {
        fixture().execute("CREATE TABLE pawl_own (name varchar(20))");
        fixture().schemaChanges();
        AtomicInteger runs = new AtomicInteger();
        JobHandler<String> handler = (text, run) -> {
            runs.incrementAndGet();
            for (int i = 1; i <= 2; i++) {
                String name = "write " + i;
                run.steps().inTransaction(name, TypeToken.of(String.class), connection -> {
                    try (PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO " + fixture().prefix + "own VALUES (?)")) {
                        insert.setString(1, name);
                        insert.executeUpdate();
                    }
                    if (name.equals("write 2") && run.attempt() == 1) {
                        throw new IllegalStateException("after the write");
                    }
                    return name;
                });
            }
        };
        try (Worker worker = worker(handler)) {
            awaitState(fixture().enqueue(), JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(runs).hasValue(2);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_own")).isEqualTo(2);
        assertThat(fixture().longOf("SELECT COUNT(DISTINCT name) FROM pawl_own"))
                .isEqualTo(2);
    }

    @Test
    default void aJobThatWaitsForASignalHoldsNothing() throws Exception {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        Queue<WorkerEvent> events = new ConcurrentLinkedQueue<>();
        try (Worker worker = worker().concurrency(1)
                .listener(events::add)
                .handle(GREET, (text, run) -> {
                    seen.add("run " + run.attempt());
                    seen.add(run.steps().await(APPROVED, Duration.ofDays(1)).orElse("nobody"));
                })
                .start()) {
            long waiting = fixture().enqueue();
            awaitWaiting(waiting);
            assertThat(fixture().job(waiting).attempt()).isZero();
            assertThat(fixture().job(waiting).leasedBy()).isNull();
            assertThat(seen).containsExactly("run 1");
            await().until(() -> events.stream().anyMatch(event -> event instanceof WorkerEvent.Snoozed));
            long other = fixture().enqueue(); // the worker runs one job at a time, and is free
            awaitWaiting(other);
            assertThat(fixture().queue.signal(waiting, APPROVED, "Ann")).isEqualTo(SignalResult.DELIVERED);
            assertThat(fixture().queue.signal(waiting, APPROVED, "Bob"))
                    .isIn(SignalResult.ALREADY_SENT, SignalResult.ALREADY_FINISHED);
            awaitState(waiting, JobState.COMPLETED);
            assertThat(seen).containsExactly("run 1", "run 1", "run 1", "Ann");
            assertThat(fixture().queue.signal(waiting, APPROVED, "Bob")).isEqualTo(SignalResult.ALREADY_FINISHED);
            assertThat(fixture().admin.runs().failedAttempts(waiting, Admin.UNLIMITED))
                    .isEmpty();
            assertThat(fixture().admin.jobs().cancel(other)).isEqualTo(CancelResult.CANCELLED);
            assertThat(events).noneMatch(event -> event instanceof WorkerEvent.LeaseLost);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    default void aSignalMayComeBeforeTheJobDoes() throws Exception {
        long id = fixture().enqueue();
        assertThat(fixture().queue.signal(id, APPROVED, "Ann")).isEqualTo(SignalResult.DELIVERED);
        assertThat(fixture().queue.signal(id, APPROVED, "Bob")).isEqualTo(SignalResult.ALREADY_SENT);
        assertThat(fixture().queue.signal(id + 1000, APPROVED, "Ann")).isEqualTo(SignalResult.NOT_FOUND);
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        try (Worker worker = worker((text, run) ->
                seen.add(run.steps().await(APPROVED, Duration.ofDays(1)).orElse("nobody")))) {
            awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(seen).containsExactly("Ann");
    }

    /** A wait that has timed out stays so, despite later signals and retries. */
    @Test
    default void aJobWaitsNoLongerThanItSays() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        CountDownLatch signalled = new CountDownLatch(1);
        try (Worker worker = worker((text, run) -> {
            runs.incrementAndGet();
            seen.add(run.steps().await(APPROVED, Duration.ofMillis(200)).orElse("nobody"));
            signalled.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            if (run.attempt() == 1) {
                throw new IllegalStateException("once more");
            }
        })) {
            long id = fixture().enqueue();
            await().atMost(SOON).until(() -> !seen.isEmpty());
            assertThat(fixture().queue.signal(id, APPROVED, "Ann")).isEqualTo(SignalResult.TOO_LATE);
            signalled.countDown();
            awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(seen).containsExactly("nobody", "nobody");
        assertThat(runs).hasValue(3);
    }

    @Test
    default void aJobSleepsOnce() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (Worker worker = worker((text, run) -> {
            runs.incrementAndGet();
            run.steps().sleep("a moment", Duration.ofMillis(300));
            run.steps().sleep("nothing", Duration.ZERO);
            if (run.attempt() == 1) {
                throw new IllegalStateException("once more");
            }
        })) {
            long id = fixture().enqueue();
            awaitState(id, JobState.COMPLETED);
            assertThat(runs).hasValue(3);
            assertThat(fixture().admin.jobs().steps(id)).allMatch(step -> step.state() == JobStep.State.DONE);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** A retry by hand wakes the handler, but does not end its sleep. */
    @Test
    default void aRetryByHandDoesNotShortenASleep() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (Worker worker = worker((text, run) -> {
            runs.incrementAndGet();
            run.steps().sleep("for long", Duration.ofDays(3));
        })) {
            long id = fixture().enqueue();
            awaitWaiting(id);
            assertThat(fixture().admin.jobs().retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
            await().atMost(SOON).until(() -> runs.get() == 2);
            awaitWaiting(id);
            assertThat(fixture().job(id).availableAt())
                    .isAfter(fixture().job(id).createdAt().plus(Duration.ofDays(2)));
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    default void aRetryMayGoBackToAStep() throws Exception {
        Queue<String> done = new ConcurrentLinkedQueue<>();
        try (Worker worker = worker((text, run) -> {
            run.step("first", () -> done.add("first"));
            done.add(run.steps().await(APPROVED, Duration.ofDays(1)).orElse("nobody"));
            run.step("second", () -> done.add("second"));
            run.step("third", () -> done.add("third"));
        })) {
            long id = fixture().enqueue();
            assertThat(fixture().queue.signal(id, APPROVED, "Ann")).isEqualTo(SignalResult.DELIVERED);
            awaitState(id, JobState.COMPLETED);
            sweepMarked();
            done.clear();
            assertThatThrownBy(() -> fixture().admin.jobs().retry(id, "fourth"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no step 'fourth'")
                    .hasMessageContainingAll("first", "approved", "second", "third");
            assertThat(fixture().job(id).state()).isEqualTo(JobState.COMPLETED);
            assertThat(fixture().admin.jobs().retry(id, "second")).isEqualTo(RetryResult.AVAILABLE_NOW);
            awaitState(id, JobState.COMPLETED);
            assertThat(done).containsExactly("Ann", "second", "third");
            done.clear();
            assertThat(fixture().admin.jobs().retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
            await().atMost(SOON).until(() -> !done.isEmpty());
            awaitState(id, JobState.COMPLETED);
            assertThat(done).containsExactly("Ann");
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    default void aNameStandsForOneStep() throws Exception {
        Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        try (Worker worker = worker((text, run) -> {
            run.step("one", () -> {});
            for (Throwing wrong : List.<Throwing>of(
                    () -> run.step("one", () -> {}),
                    () -> run.step(" ", () -> {}),
                    () -> run.step("big", String.class, () -> "x".repeat(300_000)),
                    () -> run.steps().sleep("back", Duration.ofSeconds(-1)),
                    () -> run.transaction(
                            connection -> run.step("within", () -> errors.add(new AssertionError("done")))))) {
                try {
                    wrong.run();
                } catch (Exception e) {
                    errors.add(e);
                }
            }
        })) {
            long id = fixture().enqueue();
            awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(errors)
                .extracting(Throwable::getMessage)
                .satisfiesExactly(
                        message -> assertThat(message).contains("step 'one' is taken twice"),
                        message -> assertThat(message).contains("name ' ' of a step is not valid"),
                        message -> assertThat(message).contains("300002 bytes"),
                        message -> assertThat(message).contains("not for PT-1S"),
                        message -> assertThat(message).contains("within run.transaction"));
    }

    /** Something that may fail. */
    interface Throwing {
        void run() throws Exception;
    }

    @Test
    default void aRunThatLostItsJobRecordsNoSteps() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
        CountDownLatch taken = new CountDownLatch(1);
        try (Worker worker = worker((text, run) -> {
            if (runs.incrementAndGet() == 1) {
                run.step("before", () -> {});
                fixture()
                        .execute("UPDATE pawl_job SET lease_token = lease_token + 1 WHERE id = "
                                + run.job().id());
                try {
                    run.step("after", () -> {});
                } catch (LeaseLostException e) {
                    errors.add(e);
                }
                try {
                    run.steps().sleep("after", Duration.ofDays(1));
                } catch (LeaseLostException e) {
                    errors.add(e);
                }
                taken.countDown();
            }
        })) {
            long id = fixture().enqueue();
            assertThat(taken.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(errors).hasSize(2);
            assertThat(fixture().admin.jobs().steps(id))
                    .extracting(JobStep::name)
                    .containsExactly("before");
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** The job waits even if its handler catches the exception that ends the run. */
    @Test
    default void aHandlerThatCatchesEverythingChangesNothing() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (Worker worker = worker((text, run) -> {
            runs.incrementAndGet();
            try {
                run.steps().await(APPROVED, Duration.ofDays(1));
            } catch (RunSuspended caught) {
                run.log("caught");
            }
        })) {
            long id = fixture().enqueue();
            awaitWaiting(id);
            await().atMost(SOON)
                    .until(() -> fixture().admin.runs().log(id, Admin.UNLIMITED).size() == 2);
            assertThat(fixture().job(id).state()).isEqualTo(JobState.AVAILABLE);
            assertThat(fixture().queue.signal(id, APPROVED, "Ann")).isEqualTo(SignalResult.DELIVERED);
            awaitState(id, JobState.COMPLETED);
            assertThat(runs).hasValue(2);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** With a limit of one job per key, a waiting job keeps its permit; and a signal does not wake a blocked job. */
    @Test
    default void aJobWithAKeyKeepsItsPermitWhileItWaits() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(1));
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        EnqueueOptions keyed = EnqueueOptions.DEFAULTS.key("k");
        long first = fixture().queue.enqueue(GREET, "first ", keyed).jobId();
        try (Worker worker = worker((text, run) ->
                seen.add(text + run.steps().await(APPROVED, Duration.ofDays(1)).orElse("nobody")))) {
            awaitWaiting(first);
            long second = fixture().queue.enqueue(GREET, "second ", keyed).jobId();
            assertThat(fixture().queue.signal(second, APPROVED, "Bob")).isEqualTo(SignalResult.DELIVERED);
            assertThat(seen).isEmpty();
            assertThat(fixture().queue.signal(first, APPROVED, "Ann")).isEqualTo(SignalResult.DELIVERED);
            awaitState(first, JobState.COMPLETED);
            awaitState(second, JobState.COMPLETED);
            assertThat(seen).containsExactly("first Ann", "second Bob");
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** The job keeps its permit, and waits until the pause ends. */
    @Test
    default void aSignalWakesNoJobOfAPausedKey() throws Exception {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        long id = fixture()
                .queue
                .enqueue(GREET, "one", EnqueueOptions.DEFAULTS.key("k"))
                .jobId();
        try (Worker worker = worker((text, run) ->
                seen.add(text + run.steps().await(APPROVED, Duration.ofDays(1)).orElse("nobody")))) {
            awaitWaiting(id);
            fixture().queue.limits().pause(new ConcurrencyKey("default", "k"), Duration.ofHours(1), "down");
            assertThat(fixture().queue.signal(id, APPROVED, " Ann")).isEqualTo(SignalResult.DELIVERED);
            assertThat(fixture().job(id).state()).isEqualTo(JobState.BLOCKED);
            assertThat(seen).isEmpty();
            assertThat(fixture().queue.limits().resume(new ConcurrencyKey("default", "k")))
                    .isTrue();
            awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(seen).containsExactly("one Ann");
    }

    /** With several jobs per key, a waiting job makes room for others, and still gets its signal. */
    @Test
    default void aJobThatMadeRoomForOthersOfItsKeyHearsItsSignal() throws Exception {
        fixture().queue.limits().set(Limit.keysOf("default").atOnce(2));
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        EnqueueOptions keyed = EnqueueOptions.DEFAULTS.key("k");
        long id = fixture().queue.enqueue(GREET, "one", keyed).jobId();
        try (Worker worker = worker((text, run) ->
                seen.add(text + run.steps().await(APPROVED, Duration.ofDays(1)).orElse("nobody")))) {
            awaitWaiting(id);
            await().atMost(SOON)
                    .until(() -> fixture().longOf("SELECT COUNT(*) FROM pawl_keyed WHERE released = 0") == 1);
            assertThat(fixture().queue.signal(id, APPROVED, " Ann")).isEqualTo(SignalResult.DELIVERED);
            awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(seen).containsExactly("one Ann");
    }

    /** A timeout, a cancel or a worker's stop interrupts the thread while the work goes on. */
    @Test
    default void aStepWhoseThreadWasInterruptedIsKept() throws Exception {
        AtomicInteger done = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        try (Worker worker = worker((text, run) -> {
            run.step("charge", () -> {
                done.incrementAndGet();
                Thread.currentThread().interrupt();
            });
            if (Thread.interrupted()) {
                told.incrementAndGet();
            }
            if (run.attempt() == 1) {
                throw new IllegalStateException("once more");
            }
        })) {
            awaitState(fixture().enqueue(), JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(done).hasValue(1);
        assertThat(told).hasValue(1);
    }

    /** The steps were done with the payload of this job. */
    @Test
    default void aJobThatHasDoneStepsIsNotReplaced() throws Exception {
        EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("u").onDuplicate(OnDuplicate.REPLACE);
        try (Worker worker = worker((text, run) -> {
            run.step("first", () -> {});
            run.steps().await(APPROVED, Duration.ofDays(1));
        })) {
            long id = fixture().queue.enqueue(GREET, "a", unique).jobId();
            awaitWaiting(id);
            assertThat(fixture().queue.enqueue(GREET, "b", unique)).isEqualTo(new EnqueueResult.Duplicate(id));
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** For example, a signal with a value that the program cannot read. */
    @Test
    default void aSignalIsForgottenByItsName() throws Exception {
        long id = fixture().enqueue();
        assertThat(fixture().admin.jobs().signal(id, "approved", "{}")).isEqualTo(SignalResult.DELIVERED);
        assertThat(fixture().admin.jobs().retry(id, "approved")).isEqualTo(RetryResult.AVAILABLE_NOW);
        assertThat(fixture().admin.jobs().steps(id)).isEmpty();
        assertThat(fixture().queue.signal(id, APPROVED, "Ann")).isEqualTo(SignalResult.DELIVERED);
    }

    @Test
    default void stepsAreDeletedWithTheirJob() throws Exception {
        try (Worker worker = worker((text, run) -> run.step("secret", String.class, () -> "secret"))) {
            long id = fixture().enqueue();
            awaitState(id, JobState.COMPLETED);
            sweepMarked();
            assertThat(fixture().admin.jobs().steps(id)).hasSize(1);
            fixture().admin.jobs().changeAll(JobFilter.ALL, new JobChange.Delete(), count -> {});
            assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_step")).isZero();
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** With a value that cannot be stored, each attempt would otherwise repeat the work. */
    @Test
    default void aValueThatCannotBeKeptEndsTheJob() throws Exception {
        AtomicInteger done = new AtomicInteger();
        try (Worker worker = worker((text, run) -> {
            String unused = run.step("charge", String.class, () -> {
                done.incrementAndGet();
                return "x".repeat(300_000);
            });
        })) {
            long id = fixture().enqueue();
            awaitState(id, JobState.DISCARDED);
            sweepMarked();
            assertThat(done).hasValue(1);
            assertThat(fixture().job(id).reason()).contains("step 'charge'", "cannot be kept", "300002 bytes");
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** All values of a job are read when a run takes its first step. */
    @Test
    default void theValuesOfAJobAreBoundedTogether() throws Exception {
        AtomicInteger done = new AtomicInteger();
        try (Worker worker = worker((text, run) -> {
            for (int i = 1; i <= 20; i++) {
                String unused = run.step("page " + i, String.class, () -> {
                    done.incrementAndGet();
                    return "x".repeat(250_000);
                });
                if (i == 8 && run.attempt() == 1) {
                    throw new IllegalStateException("in the middle");
                }
            }
        })) {
            long id = fixture().enqueue();
            awaitState(id, JobState.DISCARDED);
            sweepMarked();
            assertThat(done).hasValue(17);
            assertThat(fixture().job(id).reason()).contains("step 'page 17'", "4250034 bytes", "4194304");
            assertThat(worker.isAlive()).isTrue();
        }
    }

    /** The job is cancelled instead of waiting, and listeners get only the cancel. */
    @Test
    default void aCancelDuringAWaitIsReportedAsACancel() throws Exception {
        Queue<WorkerEvent> events = new ConcurrentLinkedQueue<>();
        Worker worker = worker().handle(GREET, (text, run) -> {
                    fixture().admin.jobs().cancel(run.job().id());
                    Optional<String> unused = run.steps().await(APPROVED, Duration.ofDays(1));
                })
                .listener(events::add)
                .start();
        try (worker) {
            long id = fixture().enqueue();
            awaitState(id, JobState.CANCELLED);
            await().atMost(SOON).until(() -> events.stream().anyMatch(WorkerEvent.Cancelled.class::isInstance));
            assertThat(events).noneMatch(WorkerEvent.Snoozed.class::isInstance);
        }
    }
}
