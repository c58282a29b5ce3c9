package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompleterTest extends PartsFixture {
    private static final Verdict COMPLETED = new Verdict.Completed();
    private final Error lasting = new LinkageError("of a test");

    /** Records the submitted outcomes: a stopped completer returns once it has recorded all of them. */
    private static void record(WorkerParts parts) {
        parts.completer.stop();
        parts.completer.run();
    }

    private static void submit(WorkerParts parts, List<HeldJob> jobs) throws InterruptedException {
        for (HeldJob held : jobs) {
            parts.completer.submit(held, COMPLETED);
        }
    }

    private List<Class<?>> told() {
        return events.stream().<Class<?>>map(Object::getClass).toList();
    }

    @Test
    void outcomesAreRecordedInOneCallAndReported() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 5));
        record(parts);
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(5);
        assertThat(store.calls("settle")).isEqualTo(1);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
        assertThat(parts.counters.completed.sum()).isEqualTo(5);
        assertThat(told()).hasSize(5).containsOnly(WorkerEvent.Completed.class);
    }

    @Test
    void eachStrategySettlesTheJobsThatItHasClaimed() throws Exception {
        WorkerParts parts = parts();
        List<HeldJob> jobs = new ArrayList<>(held(parts, 2));
        strategy = Strategy.optimistic(1, Strategy.Pick.FIRST);
        jobs.addAll(1, held(parts, 3));
        submit(parts, jobs);
        record(parts);
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(5);
        assertThat(store.calls("settle"))
                .as("one for each strategy, though they ended mixed")
                .isEqualTo(2);
    }

    @Test
    void eachVerdictIsReportedAsItsOwnEvent() throws Exception {
        WorkerParts parts = parts();
        List<HeldJob> jobs = held(parts, 5);
        parts.completer.submit(jobs.get(0), new Verdict.Retry(Duration.ofSeconds(1), "boom"));
        parts.completer.submit(jobs.get(1), new Verdict.Snooze(Duration.ofSeconds(2)));
        parts.completer.submit(jobs.get(2), new Verdict.Cancelled("why"));
        parts.completer.submit(jobs.get(3), new Verdict.Discarded("reason", "error"));
        parts.completer.submit(jobs.get(4), new Verdict.Release());
        record(parts);
        assertThat(events)
                .containsExactly(
                        new WorkerEvent.Failed(jobs.get(0).job(), "boom", Duration.ofSeconds(1)),
                        new WorkerEvent.Snoozed(jobs.get(1).job(), Duration.ofSeconds(2)),
                        new WorkerEvent.Cancelled(jobs.get(2).job(), "why"),
                        new WorkerEvent.Discarded(jobs.get(3).job(), "reason", "error"));
        assertThat(parts.counters.failed.sum()).isEqualTo(1);
        assertThat(parts.counters.snoozed.sum()).isEqualTo(1);
        assertThat(parts.counters.cancelled.sum()).isEqualTo(1);
        assertThat(parts.counters.discarded.sum()).isEqualTo(1);
        assertThat(parts.counters.released.sum()).isEqualTo(1);
        assertThat(parts.counters.completed.sum()).isZero();
    }

    /** The lease is valid, so only this worker can have ended the run. */
    @Test
    void anOutcomeThatWasRecordedThoughTheReplyWasLostIsNoLostLease() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 2));
        store.fail("reply to settle", 1, FakeStore.away());
        record(parts);
        assertThat(told()).containsExactly(WorkerEvent.Completed.class, WorkerEvent.Completed.class);
        assertThat(store.calls("settle")).isEqualTo(3);
        assertThat(parts.counters.leasesLost.sum()).isZero();
    }

    /** Regression: if the reply to a commit is lost, Vitess may report any error code. */
    @Test
    void anOutcomeThatWasRecordedInSpiteOfAnOddErrorIsNoLostLease() throws Exception {
        for (Throwable odd : List.of(FakeStore.odd(), new IllegalStateException("a bug of a driver"))) {
            events.clear();
            WorkerParts parts = parts();
            submit(parts, held(parts, 2));
            store.fail("reply to settle", 1, odd);
            record(parts);
            assertThat(told()).containsExactly(WorkerEvent.Completed.class, WorkerEvent.Completed.class);
            assertThat(parts.counters.leasesLost.sum()).isZero();
        }
    }

    /** By then, another worker may have ended the run. */
    @Test
    void aReplyLostUntilTheLeaseExpiredCountsAsALostLease() throws Exception {
        lease = Duration.ofMillis(1);
        WorkerParts parts = parts();
        submit(parts, held(parts, 1));
        store.fail("reply to settle", 1, FakeStore.away());
        record(parts);
        assertThat(told()).containsExactly(WorkerEvent.LeaseLost.class);
    }

    @Test
    void anOutcomeThatIsRefusedByTheFenceIsALostLease() throws Exception {
        WorkerParts parts = parts();
        List<HeldJob> jobs = held(parts, 2);
        store.steal(1);
        submit(parts, jobs);
        record(parts);
        assertThat(told()).containsExactly(WorkerEvent.LeaseLost.class, WorkerEvent.Completed.class);
        assertThat(parts.counters.leasesLost.sum()).isEqualTo(1);
        assertThat(store.row(1).state).isEqualTo(JobState.RUNNING);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
    }

    @Test
    void aLockedRowIsTriedAgainUntilItIsFree() throws Exception {
        listeners = List.of(events::add, event -> store.lockRow(1, false));
        WorkerParts parts = parts();
        List<HeldJob> jobs = held(parts, 2);
        store.lockRow(1, true);
        submit(parts, jobs);
        record(parts);
        assertThat(events)
                .containsExactly(
                        new WorkerEvent.Completed(jobs.get(1).job()),
                        new WorkerEvent.Completed(jobs.get(0).job()));
        assertThat(store.calls("settle")).isEqualTo(2);
    }

    @Test
    void theOutcomeThatTheDatabaseRefusesIsFoundAndGivenUp() throws Exception {
        WorkerParts parts = parts();
        List<HeldJob> jobs = held(parts, 8);
        jobs.get(4).begin(Thread.currentThread(), 0, null);
        store.fail("settle 5", FakeStore.refused());
        submit(parts, jobs);
        record(parts);
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(7);
        assertThat(parts.counters.leasesLost.sum()).isEqualTo(1);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
        assertThat(parts.heldJobs.unrecorded()).containsExactly(jobs.get(4).lease());
        assertThat(store.calls("settle"))
                .isEqualTo(1 + 2 + 2 + 2 + 1); // the batch is bisected, then one failure is recorded
    }

    /** The database refuses the outcome, but the handler has run, so the run is recorded as a failed attempt. */
    @Test
    void anOutcomeThatIsRefusedEndsAsAFailedAttempt() throws Exception {
        WorkerParts parts = parts();
        List<HeldJob> jobs = held(parts, 3);
        store.fail("complete 2", FakeStore.refused());
        submit(parts, jobs);
        record(parts);
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(2);
        assertThat(store.row(2).state).isEqualTo(JobState.AVAILABLE);
        assertThat(store.row(2).wait).as("as its worker says").isEqualTo(Duration.ofSeconds(7));
        assertThat(store.errors())
                .singleElement()
                .asString()
                .contains("could not be recorded: ")
                .contains("too long");
        assertThat(events).hasAtLeastOneElementOfType(WorkerEvent.Failed.class);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
    }

    /** The other outcomes are recorded at once, and are never blamed for the failure. */
    @Test
    void anOutcomeThatSeemsToLoseItsConnectionDelaysNoOther() throws Exception {
        lease = Duration.ofMillis(1); // after the length of a lease, the outcome is given up
        WorkerParts parts = parts();
        List<HeldJob> jobs = held(parts, 30);
        store.fail("complete 7", FakeStore.away());
        submit(parts, jobs);
        store.on("complete 7", () -> parts.health.wrote(System.nanoTime())); // other parts of the worker still write
        record(parts);
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(29);
        assertThat(store.row(7).state).isEqualTo(JobState.AVAILABLE);
        assertThat(store.errors())
                .singleElement()
                .asString()
                .contains("could not be recorded: ")
                .contains("away");
    }

    /** Contention with another transaction, however often, must not repeat the handler's work. */
    @Test
    void aConflictIsNotBlamedOnTheOutcome() throws Exception {
        lease = Duration.ofMillis(1);
        WorkerParts parts = parts();
        submit(parts, held(parts, 1));
        store.fail("complete 1", 4, FakeStore.conflict());
        store.on("complete 1", () -> parts.health.wrote(System.nanoTime()));
        record(parts);
        assertThat(told()).containsExactly(WorkerEvent.Completed.class);
        assertThat(store.row(1).state).isEqualTo(JobState.COMPLETED);
    }

    /** Handlers use all connections of the pool; the worker's other parts get one now and then. */
    @Test
    void anExhaustedPoolIsNotBlamedOnTheOutcome() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 1));
        store.fail("complete 1", 3, FakeStore.away());
        store.on("complete 1", () -> parts.health.wrote(System.nanoTime()));
        record(parts);
        assertThat(told()).containsExactly(WorkerEvent.Completed.class);
        assertThat(store.errors()).isEmpty();
    }

    /** An unknown error may pass; one that lasts for a whole lease counts as permanent. */
    @Test
    void anOutcomeWithAnUnknownErrorIsTriedAgainForTheLengthOfALease() throws Exception {
        for (Object odd : List.of(FakeStore.odd(), new IllegalStateException("a bug of a driver"))) {
            WorkerParts parts = parts();
            List<HeldJob> jobs = held(parts, 2);
            store.fail("settle " + jobs.get(0).lease().jobId(), 3, (Throwable) odd);
            submit(parts, jobs);
            int before = store.calls("settle");
            record(parts);
            assertThat(parts.counters.completed.sum()).isEqualTo(2);
            assertThat(parts.counters.leasesLost.sum()).isZero();
            assertThat(store.calls("settle") - before)
                    .as("one call for both, one for each alone, two more for the one that was put off")
                    .isEqualTo(5);
        }
    }

    @Test
    void anUnknownErrorThatOutlastsALeaseLosesTheLease() throws Exception {
        lease = Duration.ofMillis(1);
        WorkerParts parts = parts();
        submit(parts, held(parts, 1));
        store.fail("settle 1", FakeStore.odd());
        record(parts);
        assertThat(told()).containsExactly(WorkerEvent.LeaseLost.class);
        assertThat(store.calls("settle"))
                .as("two tries as an outcome, then two as a failure")
                .isEqualTo(4);
    }

    @Test
    void theCompleterWaitsWhileTheDatabaseIsUnavailable() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 3));
        store.fail("settle", 2, FakeStore.away());
        long before = System.nanoTime();
        record(parts);
        assertThat(store.calls("settle"))
                .isEqualTo(5); // the other outcomes one by one, and last the one that failed alone
        assertThat(System.nanoTime() - before)
                .isGreaterThan(Duration.ofMillis(200).toNanos());
        assertThat(parts.counters.completed.sum()).isEqualTo(3);
    }

    @Test
    void anErrorOfTheJvmMayPass() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 3));
        store.fail("settle", 1, new OutOfMemoryError("of a test"));
        long before = System.nanoTime();
        record(parts);
        assertThat(parts.counters.completed.sum()).isEqualTo(3);
        assertThat(System.nanoTime() - before)
                .as("100 ms, less the jitter")
                .isGreaterThanOrEqualTo(Duration.ofMillis(80).toNanos());
    }

    /** Lets an interrupt end the waits between errors, and abandons outcomes after 20 calls. */
    private void withoutWaiting(WorkerParts parts) {
        Thread recording = Thread.currentThread();
        store.on("settle", () -> {
            recording.interrupt();
            if (store.calls("settle") > 20) {
                parts.completer.abandon();
            }
        });
    }

    /** The engine then stops the worker, and the held jobs are rescued. */
    @Test
    void lastingErrorsOfTheJvmEndTheCompleterWithThatError() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 3));
        store.fail("settle", lasting);
        withoutWaiting(parts);
        assertThatThrownBy(() -> record(parts)).isSameAs(lasting);
        assertThat(store.calls("settle")).isEqualTo(8);
        assertThat(events).isEmpty();
        assertThat(parts.heldJobs.all()).hasSize(3);
    }

    @Test
    void onlyErrorsInARowEndIt() throws Exception {
        listeners = List.of(event -> {
            if (store.calls("settle") == 8) {
                store.fail("settle", 7, lasting);
            }
        });
        WorkerParts parts = parts();
        submit(parts, held(parts, 1));
        strategy = Strategy.SKIP_LOCKED; // another strategy, so there are two calls
        submit(parts, held(parts, 1));
        store.fail("settle", 7, lasting);
        withoutWaiting(parts);
        record(parts);
        assertThat(store.calls("settle")).isEqualTo(16);
        assertThat(parts.counters.completed.sum()).isEqualTo(2);
    }

    @Test
    void whatItsOwnTransactionHasCommittedIsNotRecordedAgain() throws Exception {
        WorkerParts parts = parts();
        HeldJob held = held(parts);
        held.commit();
        parts.completer.submit(held, COMPLETED);
        record(parts);
        assertThat(store.calls("settle")).isZero();
        assertThat(told()).containsExactly(WorkerEvent.Completed.class);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
    }

    @Test
    void aForgottenRunIsNotRecorded() throws Exception {
        WorkerParts parts = parts();
        HeldJob held = held(parts);
        parts.completer.submit(held, COMPLETED);
        parts.completer.forget(held);
        parts.completer.forget(held);
        record(parts);
        assertThat(store.calls("settle")).isZero();
        assertThat(parts.counters.leasesLost.sum()).as("told once").isEqualTo(1);
    }

    /** The renewer learns that the lease is lost while the outcome is being recorded. */
    @Test
    void aRunForgottenWhileItIsRecordedIsReportedOnce() throws Exception {
        WorkerParts parts = parts();
        HeldJob held = held(parts);
        parts.completer.submit(held, COMPLETED);
        store.on("settle", () -> parts.completer.forget(held));
        record(parts);
        assertThat(told()).containsExactly(WorkerEvent.LeaseLost.class);
        assertThat(parts.counters.completed.sum()).isZero();
    }

    @Test
    void anAbandonedCompleterDoesNotTryAgain() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 1));
        store.fail("settle", FakeStore.away());
        store.on("settle", parts.completer::abandon);
        parts.completer.run();
        assertThat(store.calls("settle")).isEqualTo(1);
        assertThat(parts.heldJobs.isEmpty()).isFalse();
    }

    /** Otherwise a stop would wait for the threads that wait for space. */
    @Test
    void onceAbandonedNoThreadWaitsForSpace() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 4000));
        HeldJob late = held(parts);
        Thread submitting = new Thread(() -> {
            try {
                parts.completer.submit(late, COMPLETED);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        submitting.start();
        awaitWaiting(submitting);
        parts.completer.abandon();
        submitting.join();
    }

    @Test
    void anInterruptEndsNothing() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 1));
        Thread.currentThread().interrupt();
        record(parts);
        assertThat(parts.counters.completed.sum()).isEqualTo(1);
    }

    /** Until outcomes are recorded, the runners must wait, or memory would fill up. */
    @Test
    void recordedOutcomesMakeRoomForFurtherOnes() throws Exception {
        WorkerParts parts = parts();
        submit(parts, held(parts, 4000));
        Thread recording = new Thread(parts.completer);
        recording.start();
        submit(parts, held(parts, 4000));
        parts.completer.stop();
        recording.join();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(8000);
    }
}
