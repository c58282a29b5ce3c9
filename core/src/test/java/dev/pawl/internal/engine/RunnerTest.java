package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.Grant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs one handler thread. The thread ends when its buffer is closed, and the last job of each test closes it. */
class RunnerTest extends PartsFixture {
    private WorkerParts parts = parts();

    /** Runs the jobs, then records their outcomes. */
    private void run(EngineFixture.Work work, int jobs) throws Exception {
        wire(work);
        parts.buffer.add(held(parts, jobs));
        runToTheEnd();
    }

    private void wire(EngineFixture.Work work) {
        runners.clear();
        parts = parts(1, (payload, run) -> {
            if (payload.equals("last")) {
                parts.buffer.close();
                return Outcome.completed();
            }
            return work.run(payload, run);
        });
    }

    private void runToTheEnd() throws Exception {
        store.add("last", 20);
        parts.buffer.add(claim(parts, false));
        runners.get(0).run();
        parts.completer.stop();
        parts.completer.run();
        assertThat(parts.heldJobs.isEmpty()).isTrue();
    }

    private Stream<WorkerEvent> ended() {
        return events.stream()
                .filter(event -> !(event instanceof WorkerEvent.Started))
                .filter(event -> !event.job().payload().equals("last"));
    }

    private WorkerEvent theEvent() {
        return ended().reduce((one, other) -> {
                    throw new AssertionError("two: " + one + ", " + other);
                })
                .orElseThrow();
    }

    @Test
    void jobsRunInOrderAndTheirStartsAreReported() throws Exception {
        List<Long> ran = new ArrayList<>();
        run(
                (payload, run) -> {
                    ran.add(run.job().id());
                    return Outcome.completed();
                },
                3);
        assertThat(ran).containsExactly(1L, 2L, 3L);
        assertThat(events.stream().filter(WorkerEvent.Started.class::isInstance))
                .hasSize(4);
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(4);
    }

    @Test
    void theReturnedOutcomeIsAppliedToTheJob() throws Exception {
        run((payload, run) -> Outcome.cancel("no use"), 1);
        assertThat(theEvent()).isInstanceOf(WorkerEvent.Cancelled.class);
        assertThat(store.row(1).reason).isEqualTo("no use");
    }

    @Test
    void anExceptionIsAFailureWithItsTrace() throws Exception {
        run(
                (payload, run) -> {
                    throw new IOException("boom");
                },
                1);
        assertThat(((WorkerEvent.Failed) theEvent()).error()).contains("IOException: boom", "RunnerTest");
        assertThat(((WorkerEvent.Failed) theEvent()).retryIn()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void theKindsOwnRetryPolicyIsUsed() throws Exception {
        options = HandlerOptions.DEFAULTS.retryPolicy(RetryPolicy.fixed(Duration.ofSeconds(3)));
        run(
                (payload, run) -> {
                    throw new IllegalStateException("boom");
                },
                1);
        assertThat(((WorkerEvent.Failed) theEvent()).retryIn()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void anExceptionAfterTheTimeoutSaysSo() throws Exception {
        options = new HandlerOptions(Duration.ofHours(1), RetryPolicy.fixed(Duration.ofSeconds(3)), 1);
        run(
                (payload, run) -> {
                    assertThat(run.timeLeft()).isPresent();
                    stop(HeldJob.Stop.TIMED_OUT);
                    throw new InterruptedException();
                },
                1);
        WorkerEvent.Failed failed = (WorkerEvent.Failed) theEvent();
        assertThat(failed.error()).startsWith("timed out after 1 h").contains("InterruptedException");
        assertThat(failed.retryIn()).isEqualTo(Duration.ofSeconds(3));
    }

    private void stop(HeldJob.Stop why) {
        parts.heldJobs.all().stream().filter(HeldJob::hasBegun).forEach(held -> held.stop(why));
        boolean unused = Thread.interrupted();
    }

    @Test
    void aStopOfTheWorkerCostsNoAttempt() throws Exception {
        run(
                (payload, run) -> {
                    stop(HeldJob.Stop.WORKER_STOPS);
                    Thread.currentThread().interrupt();
                    throw new InterruptedException();
                },
                1);
        assertThat(theEvent()).isInstanceOf(WorkerEvent.Snoozed.class);
        assertThat(store.row(1).attempt).isZero();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aRunIsCancelledIfItsHandlerObeysTheRequest() throws Exception {
        run(
                (payload, run) -> {
                    stop(HeldJob.Stop.CANCELLED);
                    assertThat(run.isCancelled()).isTrue();
                    throw new InterruptedException();
                },
                1);
        assertThat(store.row(1).reason).isEqualTo("cancelled while it was running");
    }

    @Test
    void aRunThatCompletesDespiteACancelRequestIsCompleted() throws Exception {
        run(
                (payload, run) -> {
                    stop(HeldJob.Stop.CANCELLED);
                    return Outcome.completed();
                },
                1);
        assertThat(store.row(1).state).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void aLeaseLostExceptionIsRecordedLikeAnyFailure() throws Exception {
        run(
                (payload, run) -> {
                    throw new LeaseLostException(1, 1);
                },
                1);
        assertThat(((WorkerEvent.Failed) theEvent()).error()).contains("LeaseLostException");
    }

    @Test
    void jobsStoppedBeforeTheyStartAreReleasedOrCancelled() throws Exception {
        wire((payload, run) -> {
            throw new AssertionError("must not begin");
        });
        List<HeldJob> jobs = held(parts, 2);
        jobs.get(0).stop(HeldJob.Stop.WORKER_STOPS);
        jobs.get(1).stop(HeldJob.Stop.CANCELLED);
        parts.buffer.add(jobs);
        runToTheEnd();
        assertThat(store.row(1).attempt).isZero();
        assertThat(store.row(1).state).isEqualTo(JobState.AVAILABLE);
        assertThat(store.row(2).reason).isEqualTo("cancelled before its handler started");
        assertThat(events.stream().filter(WorkerEvent.Started.class::isInstance))
                .hasSize(1);
    }

    /** The job was prefetched, and is stopped before its start is logged. */
    @Test
    void aJobStoppedBeforeItsStartIsLoggedIsReleased() throws Exception {
        wire((payload, run) -> {
            throw new AssertionError("must not begin");
        });
        store.add("{}", 20);
        List<HeldJob> jobs = claim(parts, true);
        jobs.get(0).stop(HeldJob.Stop.WORKER_STOPS);
        parts.buffer.add(jobs);
        runToTheEnd();
        assertThat(store.calls("logStarts")).isZero();
        assertThat(store.row(1).state).isEqualTo(JobState.AVAILABLE);
        assertThat(store.row(1).attempt).isZero();
    }

    @Test
    void aStartIsLoggedBeforeTheHandlerIsCalled() throws Exception {
        wire((payload, run) -> {
            assertThat(store.startedLeases(1)).startsWith("[[1,1");
            return Outcome.completed();
        });
        store.add("{}", 1);
        parts.buffer.add(claim(parts, true));
        runToTheEnd();
        assertThat(store.row(1).state).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void anInterruptThatTheHandlerLeavesBehindIsNotForTheNextJob() throws Exception {
        run(
                (payload, run) -> {
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    Thread.currentThread().interrupt();
                    return Outcome.completed();
                },
                3);
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(4);
    }

    /** A listener that is notified of the start may catch the interrupt that was meant for the handler. */
    @Test
    void aStopWhoseInterruptAListenerHasConsumedInterruptsTheHandler() throws Exception {
        listeners = List.of(events::add, event -> {
            if (event instanceof WorkerEvent.Started && !event.job().payload().equals("last")) {
                stop(HeldJob.Stop.CANCELLED);
            }
        });
        List<Boolean> interrupted = new ArrayList<>();
        run(
                (payload, run) -> {
                    interrupted.add(Thread.interrupted());
                    throw new InterruptedException();
                },
                1);
        assertThat(interrupted).containsExactly(true);
        assertThat(store.row(1).reason).isEqualTo("cancelled while it was running");
    }

    @Test
    void anInterruptBetweenTwoJobsEndsNothing() throws Exception {
        wire((payload, run) -> Outcome.completed());
        Thread running = new Thread(() -> runners.get(0).run());
        running.start();
        awaitWaiting(running);
        running.interrupt();
        EngineFixture.await(() -> !running.isInterrupted());
        store.add("last", 20);
        parts.buffer.add(claim(parts, false));
        running.join();
        parts.completer.stop();
        parts.completer.run();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(1);
    }

    @Test
    void aCommittedRunIsCompletedWhateverItsHandlerDoesNext() throws Exception {
        run(
                (payload, run) -> {
                    run.transaction(connection -> {});
                    throw new IllegalStateException("afterwards");
                },
                1);
        assertThat(theEvent()).isInstanceOf(WorkerEvent.Completed.class);
        assertThat(store.errors()).isEmpty();
        assertThat(store.calls("settle")).as("the last one").isEqualTo(1);
    }

    @Test
    void aTransactionalStrategyRunsTheHandlerInItsTransaction() throws Exception {
        strategy = Strategy.TRANSACTIONAL;
        run(
                (payload, run) -> {
                    assertThat(store.calls("transaction")).isEqualTo(1);
                    run.transaction(connection -> assertThat(connection).isNotNull());
                    assertThat(store.row(1).state).isEqualTo(JobState.RUNNING);
                    return Outcome.completed();
                },
                1);
        assertThat(store.row(1).state).isEqualTo(JobState.COMPLETED);
        assertThat(store.calls("settle")).isZero();
    }

    @Test
    void aJobThatCannotBeRunIsDroppedAndTheThreadContinues() throws Exception {
        wire((payload, run) -> Outcome.completed());
        store.add("{}", 20);
        List<HeldJob> jobs = new ArrayList<>();
        for (HeldJob held : claim(parts, false)) {
            parts.heldJobs.remove(held);
            HeldJob unknown = new HeldJob(
                    new Grant(Job.builder(1, "unknown", "default")
                            .state(JobState.RUNNING)
                            .attempt(1)
                            .maxAttempts(1)
                            .leaseToken(1)
                            .payload("{}")
                            .build()),
                    held.strategy(),
                    false,
                    System.nanoTime(),
                    new LeaseTerms(LONG));
            parts.heldJobs.add(unknown);
            jobs.add(unknown);
        }
        parts.buffer.add(jobs);
        runToTheEnd();
        assertThat(theEvent()).isInstanceOf(WorkerEvent.LeaseLost.class);
        assertThat(store.row(1).state).isEqualTo(JobState.RUNNING);
    }

    /** Otherwise two threads would use one number and one unit of capacity. The kind is unknown, so the run fails after the replacement. */
    @Test
    void aReplacedThreadEndsEvenIfItsRunFails() throws Exception {
        wire((payload, run) -> Outcome.completed());
        Job job = Job.builder(7, "unknown", "default")
                .state(JobState.RUNNING)
                .payload("{}")
                .build();
        HeldJob replaced =
                new HeldJob(new Grant(job), store.strategy(strategy), false, System.nanoTime(), new LeaseTerms(LONG));
        replaced.begin(Thread.currentThread(), 0, null);
        replaced.replace(() -> true);
        store.add("last", 20);
        parts.buffer.add(List.of(replaced));
        parts.buffer.add(claim(parts, false));
        runners.get(0).run();
        assertThat(parts.buffer.waiting()).as("left to the other thread").isEqualTo(1);
    }
}
