package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeldJobTest {
    private static final Duration LEASE = Duration.ofSeconds(8);
    private final long now = System.nanoTime();
    private final FakeStore store = new FakeStore();
    private final HeldJob held = held(1, 9, now);

    private HeldJob held(int attempt, int maxAttempts, long claimSentNanos) {
        return held(attempt, maxAttempts, claimSentNanos, true);
    }

    private HeldJob held(int attempt, int maxAttempts, long claimSentNanos, boolean ahead) {
        Job job = Job.builder(1, "kind", "queue")
                .state(JobState.RUNNING)
                .attempt(attempt)
                .maxAttempts(maxAttempts)
                .leaseToken(1)
                .payload("{}")
                .build();
        return new HeldJob(new Grant(job), store.strategy(Strategy.AUTO), ahead, claimSentNanos, new LeaseTerms(LEASE));
    }

    @Test
    void aClaimForAnIdleHandlerLogsTheStartOfAFirstAttemptUnlessItIsTheOnlyOne() {
        assertThat(held(1, 9, now, false).isStartLogged()).isTrue();
        assertThat(held(1, 9, now, true).isStartLogged()).isFalse();
        assertThat(held(2, 9, now, false).isStartLogged()).isFalse();
        assertThat(held(1, 1, now, false).isStartLogged()).isFalse();
    }

    /** The remote worker reports the start. With an entry in this worker's log, a job that never started would be charged an attempt. */
    @Test
    void theStartOfARemoteRunIsNotLoggedHere() {
        held.leaveStartLog();
        assertThat(held.isStartLogged()).isTrue();
        assertThat(held.isStartLoggedHere()).isFalse();
    }

    /** The reported time counts from the interrupt, not from the end of the period in which the handler may react to it. */
    @Test
    void aStuckRunSaysHowLongAgoItWasInterrupted() {
        SharedCall call = new SharedCall(held, 1);
        held.begin(Thread.currentThread(), 0, null);
        HeldJob inChunk = held(1, 9, now);
        inChunk.shares(call);
        inChunk.begin(Thread.currentThread(), 0, null);
        for (HeldJob each : List.of(held, inChunk)) {
            long before = System.nanoTime();
            each.stop(HeldJob.Stop.CANCELLED);
            assertThat(Thread.interrupted()).isTrue();
            long after = System.nanoTime();
            StuckRun stuck = Objects.requireNonNull(each.abandon(0, after + LEASE.toNanos()));
            assertThat(stuck.sinceInterrupt()).isBetween(LEASE, LEASE.plusNanos(after - before));
        }
    }

    /** Otherwise two threads would have the same number. */
    @Test
    void theThreadOfAHandlerThatHasEndedIsNotReplaced() {
        held.begin(Thread.currentThread(), 0, null);
        held.stop(HeldJob.Stop.CANCELLED);
        assertThat(held.abandon(0, System.nanoTime())).isNotNull();
        assertThat(Thread.interrupted()).isTrue();
        held.end();
        held.replace(() -> {
            throw new AssertionError("its thread goes on");
        });
        assertThat(held.isReplaced()).isFalse();
    }

    /**
     * The jobs of a chunk share one thread. If that thread was replaced because of one of the jobs, it must end, or there would be more
     * threads than capacity.
     */
    @Test
    void aJobCountsAsReplacedIfItsThreadWasReplacedBecauseOfAnotherJob() {
        HeldJob other = held(1, 9, now);
        SharedCall call = new SharedCall(held, 2);
        List.of(held, other).forEach(job -> {
            job.shares(call);
            job.begin(Thread.currentThread(), 0, null);
        });
        assertThat(held.isReplaced()).isFalse();
        held.commit();
        other.replace(() -> true);
        assertThat(held.isReplaced()).isTrue();
    }

    @Test
    void aThreadWhoseHandlerEndsWaitsForTheDecisionWhetherItIsReplaced() throws Exception {
        held.begin(Thread.currentThread(), 0, null);
        FutureTask<Boolean> leaves = new FutureTask<>(() -> {
            held.end();
            return held.isReplaced();
        });
        Thread runner = new Thread(leaves);
        held.replace(() -> {
            runner.start();
            while (runner.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            return true;
        });
        assertThat(leaves.get()).isTrue();
        HeldJob other = held(1, 9, now);
        other.begin(Thread.currentThread(), 0, null);
        other.replace(() -> false);
        assertThat(other.isReplaced()).as("there was no thread for it").isFalse();
    }

    /** The handler may take a while to end; the next job of its key must not start before that. */
    @Test
    void aCancelledJobKeepsItsLeaseAndALostOneIsNotRenewed() {
        held.begin(Thread.currentThread(), 0, null);
        held.stop(HeldJob.Stop.CANCELLED);
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 2)).isTrue();
        held.stop(HeldJob.Stop.LEASE_LOST);
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 2)).isFalse();
    }

    /** After the loss, another worker may run the job, so this worker does not wait for the end of its own handler. */
    @Test
    void aJobThatIsKeptUntilItsHandlerEndsIsReleasedWhenItsLeaseIsLost() {
        Verdict verdict = new Verdict.Cancelled("cancelled");
        held.begin(Thread.currentThread(), 0, null);
        held.stop(HeldJob.Stop.CANCELLED);
        long later = System.nanoTime() + LEASE.toNanos();
        assertThat(held.abandon(1, later)).isNotNull();
        assertThat(held.keepUntilEnd(verdict)).isTrue();
        assertThat(held.abandon(1, later)).isNull();
        held.stop(HeldJob.Stop.LEASE_LOST);
        assertThat(held.abandon(1, later)).isNotNull().extracting(StuckRun::why).isEqualTo(HeldJob.Stop.LEASE_LOST);
        assertThat(held.abandon(1, later)).isNull();
        held.end();
        assertThat(held.takeUntilEnd()).isNull();
        assertThat(held.keepUntilEnd(verdict))
                .as("the handler has ended already")
                .isFalse();
    }

    /** Otherwise the worker would have one thread more from then on. */
    @Test
    void theThreadOfAHandlerThatIsReportedTwiceIsReplacedOnce() {
        AtomicInteger replacements = new AtomicInteger();
        held.begin(Thread.currentThread(), 0, null);
        held.replace(() -> replacements.incrementAndGet() == 1);
        held.replace(() -> replacements.incrementAndGet() == 1);
        assertThat(replacements).hasValue(1);
        assertThat(held.isReplaced()).isTrue();
    }

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void aHandlerIsInterruptedOnceAndToldWhy() {
        assertThat(held.begin(Thread.currentThread(), 0, null)).isTrue();
        held.stop(HeldJob.Stop.CANCELLED);
        assertThat(Thread.interrupted()).isTrue();
        held.stop(HeldJob.Stop.WORKER_STOPS);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(held.stopped()).isEqualTo(HeldJob.Stop.CANCELLED);
    }

    @Test
    void aThreadIsNotInterruptedAfterItsHandlerHasReturned() {
        held.begin(Thread.currentThread(), 0, null);
        held.end();
        held.stop(HeldJob.Stop.LEASE_LOST);
        assertThat(Thread.interrupted()).isFalse();
    }

    private void missing(long now) {
        if (held.clock().isMissing(now)) {
            held.stop(HeldJob.Stop.LEASE_LOST);
        }
    }

    /** The renewer found the row missing, because the handler's own transaction had completed the job. */
    @Test
    void theCommitOfItsOwnTransactionIsNotALostLease() {
        held.begin(Thread.currentThread(), 0, null);
        held.clock().transaction(true);
        missing(now);
        missing(now + LEASE.toNanos() - 1);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(held.stopped()).isNull();
        assertThat(held.hasExpired(now + LEASE.toNanos())).isFalse();
    }

    @Test
    void aRowThatStaysGoneForALeaseIsNotExplainedByAnOpenTransaction() {
        held.begin(Thread.currentThread(), 0, null);
        held.clock().transaction(true);
        missing(now);
        missing(now + LEASE.toNanos());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(held.stopped()).isEqualTo(HeldJob.Stop.LEASE_LOST);
    }

    /** The transaction's connection is dead, and another worker has claimed the job: two handlers must not run for long. */
    @Test
    void aNewerTokenStopsAHandlerInItsTransaction() {
        held.begin(Thread.currentThread(), 0, null);
        held.clock().transaction(true);
        held.stop(HeldJob.Stop.LEASE_LOST);
        assertThat(Thread.interrupted()).isTrue();
    }

    /** After a failover, another worker may have the job; a successful renewal since then disproves that. */
    @Test
    void inATransactionALeaseExpiresTwoLeasesAfterTheFirstFailedRenewal() {
        long dead = now + 2 * LEASE.toNanos();
        held.begin(Thread.currentThread(), 0, null);
        held.clock().transaction(true);
        assertThat(held.hasExpired(dead)).as("nothing was tried").isFalse();
        held.clock().renewalFailed(now);
        held.clock().renewalFailed(now + LEASE.toNanos());
        assertThat(held.hasExpired(dead - 1)).isFalse();
        assertThat(held.hasExpired(dead)).isTrue();
        for (Runnable heard : List.<Runnable>of(
                () -> held.clock().renewed(now), () -> held.clock().locked(now), () -> missing(now))) {
            held.clock().renewalFailed(now);
            assertThat(held.hasExpired(dead)).isTrue();
            heard.run();
            assertThat(held.hasExpired(dead)).isFalse();
        }
        held.clock().renewalFailed(now);
        held.commit();
        assertThat(held.hasExpired(dead)).isFalse();
    }

    @Test
    void aCommittedJobIsNotStopped() {
        held.begin(Thread.currentThread(), 0, null);
        held.commit();
        held.stop(HeldJob.Stop.LEASE_LOST);
        missing(now);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(held.wantsRenewal(now + LEASE.toNanos())).isFalse();
    }

    @Test
    void theStartOfARetryOrOfAnOnlyAttemptIsLoggedAlone() {
        assertThat(held(1, 9, now).isStartLoggedAlone()).isFalse();
        assertThat(held(2, 9, now).isStartLoggedAlone()).isTrue();
        assertThat(held(1, 1, now).isStartLoggedAlone()).isTrue();
    }

    @Test
    void progressThatWasNotWrittenIsKeptUnlessThereIsNewer() {
        held.progress(10);
        held.restoreProgress(held.takeProgress());
        assertThat(held.takeProgress()).isEqualTo(10);
        held.progress(20);
        held.restoreProgress(10);
        assertThat(held.takeProgress()).isEqualTo(20);
    }

    @Test
    void anExpiredLeaseDoesNotBegin() {
        HeldJob expired = held(1, 9, now - LEASE.toNanos());
        assertThat(expired.begin(Thread.currentThread(), 0, null)).isFalse();
    }

    @Test
    void aRenewalIsDueAfterAQuarterOfTheLeaseOrWithNewProgress() {
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 5)).isFalse();
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 4)).isTrue();
        held.clock().renewed(now + LEASE.toNanos() / 4);
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 4)).isFalse();
        held.progress(10);
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 4)).isTrue();
    }

    /** The watch stops the jobs one after the other, and the first stop ends the call. */
    @ParameterizedTest
    @EnumSource(names = {"TIMED_OUT", "WORKER_STOPS"})
    void aReasonThatEndsTheWholeCallCountsForEachOfItsJobs(HeldJob.Stop why) {
        HeldJob first = held(1, 9, now);
        HeldJob second = held(1, 9, now);
        SharedCall call = new SharedCall(first, 2);
        first.shares(call);
        second.shares(call);
        assertThat(first.begin(Thread.currentThread(), 0, null)).isTrue();
        assertThat(second.begin(Thread.currentThread(), 0, null)).isTrue();
        first.stop(why);
        assertThat(Thread.interrupted()).isTrue();
        first.end();
        second.end();
        assertThat(second.stopped()).isEqualTo(why);
    }

    @Test
    void aReasonThatEndsOneJobOfACallDoesNotCountForTheOthers() {
        HeldJob first = held(1, 9, now);
        HeldJob second = held(1, 9, now);
        SharedCall call = new SharedCall(first, 2);
        first.shares(call);
        second.shares(call);
        assertThat(first.begin(Thread.currentThread(), 0, null)).isTrue();
        assertThat(second.begin(Thread.currentThread(), 0, null)).isTrue();
        first.stop(HeldJob.Stop.CANCELLED);
        first.end();
        second.end();
        assertThat(second.stopped()).isNull();
    }
}
