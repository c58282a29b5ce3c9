package dev.pawl.internal.engine;

import static dev.pawl.internal.engine.PartsFixture.awaitWaiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutcomesTest {
    private final FakeStore store = new FakeStore();
    private final Outcomes outcomes = new Outcomes(100);

    private List<FinishedRun> ended(int count, String payload) throws Exception {
        store.add(count, payload, 20);
        return PartsFixture.claim(store, Strategy.AUTO, false, Duration.ofHours(1)).stream()
                .map(held -> new FinishedRun(held, new Verdict.Completed()))
                .toList();
    }

    private static int held() {
        return Integer.MAX_VALUE;
    }

    private void putAll(List<FinishedRun> finished) throws InterruptedException {
        for (FinishedRun each : finished) {
            outcomes.put(each);
        }
    }

    /** Puts an outcome on another thread, which has to wait for room. */
    private Thread putting(FinishedRun finished, AtomicBoolean interrupted) throws InterruptedException {
        Thread thread = new Thread(() -> {
            try {
                outcomes.put(finished);
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        thread.start();
        awaitWaiting(thread);
        return thread;
    }

    @Test
    void outcomesAreTakenTogetherAndInOrder() throws Exception {
        List<FinishedRun> finished = ended(5, "");
        putAll(finished);
        assertThat(outcomes.take(OutcomesTest::held)).isEqualTo(finished);
        assertThat(outcomes.size()).isEqualTo(5);
        outcomes.done(finished, false);
        assertThat(outcomes.size()).isZero();
    }

    /** Otherwise many small workers would record each outcome in a commit of its own, and the commits would limit their throughput. */
    @Test
    void singleOutcomesAreWaitedForLongerWhileOtherJobsRun() throws Exception {
        long shortest = outcomes.lingerNanos();
        for (FinishedRun each : ended(2, "")) {
            outcomes.put(each);
            List<FinishedRun> one = outcomes.take(OutcomesTest::held);
            Delay.work(5);
            outcomes.done(one, true);
        }
        assertThat(outcomes.lingerNanos()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
        outcomes.put(ended(1, "").get(0));
        outcomes.done(outcomes.take(OutcomesTest::held), false);
        assertThat(outcomes.lingerNanos())
                .as("nothing else runs, so somebody may wait for it")
                .isEqualTo(shortest);
    }

    @Test
    void aBatchHasAThousandAtMost() throws Exception {
        putAll(ended(1500, ""));
        assertThat(outcomes.take(OutcomesTest::held)).hasSize(1000);
        assertThat(outcomes.take(OutcomesTest::held)).hasSize(500);
        outcomes.close();
        assertThat(outcomes.take(OutcomesTest::held)).isEmpty();
    }

    @Test
    void aFullBatchIsNotWaitedFor() throws Exception {
        putAll(ended(1000, ""));
        Thread.currentThread().interrupt(); // the interrupt would end a wait
        assertThat(outcomes.take(OutcomesTest::held)).hasSize(1000);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void theOutcomeOfTheOnlyJobIsNotWaitedFor() throws Exception {
        putAll(ended(1, ""));
        Thread.currentThread().interrupt(); // the interrupt would end a wait
        assertThat(outcomes.take(() -> 1)).hasSize(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aPutOfTooManyOutcomesWaitsUntilSomeAreRecorded() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        putAll(ended(4000, ""));
        Thread putting = putting(ended(1, "").get(0), interrupted);
        List<FinishedRun> batch = outcomes.take(OutcomesTest::held);
        assertThat(outcomes.size()).isEqualTo(4000); // taken outcomes are not recorded yet
        outcomes.done(batch, false);
        putting.join();
        assertThat(outcomes.size()).isEqualTo(3001);
        assertThat(interrupted).isFalse();
    }

    @Test
    void aPutOfTooManyBytesWaitsUntilSomeAreRecorded() throws Exception {
        List<FinishedRun> two = ended(2, "x".repeat(50));
        putAll(two);
        Thread putting = putting(ended(1, "x").get(0), new AtomicBoolean());
        List<FinishedRun> batch = outcomes.take(OutcomesTest::held);
        assertThat(batch).isEqualTo(two);
        outcomes.done(batch, false);
        putting.join();
        assertThat(outcomes.size()).isEqualTo(1);
    }

    @Test
    void anOutcomeLargerThanTheBoundIsRecordedAlone() throws Exception {
        FinishedRun large = ended(1, "x".repeat(1000)).get(0);
        outcomes.put(large);
        Thread putting = putting(ended(1, "x").get(0), new AtomicBoolean());
        outcomes.done(outcomes.take(OutcomesTest::held), false);
        putting.join();
    }

    @Test
    void anInterruptLosesNoOutcomeAndIsReportedAfterwards() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        outcomes.put(ended(1, "x".repeat(100)).get(0));
        FinishedRun late = ended(1, "x").get(0);
        Thread putting = putting(late, interrupted);
        putting.interrupt();
        EngineFixture.await(() ->
                !putting.isInterrupted()); // otherwise the outcome might be admitted before the interrupt is noticed
        outcomes.done(outcomes.take(OutcomesTest::held), false);
        putting.join();
        assertThat(interrupted).isTrue();
        assertThat(outcomes.take(OutcomesTest::held)).containsExactly(late);
    }

    @Test
    void noThreadWaitsForRoomOnceTheQueueIsAbandoned() throws Exception {
        outcomes.put(ended(1, "x".repeat(100)).get(0));
        Thread putting = putting(ended(1, "x").get(0), new AtomicBoolean());
        outcomes.abandon();
        putting.join();
        outcomes.put(ended(1, "x".repeat(1000)).get(0));
        assertThat(outcomes.size()).isEqualTo(3);
    }

    @Test
    void aDeferredOutcomeIsTakenAgainALittleLater() throws Exception {
        FinishedRun locked = ended(1, "").get(0);
        long before = System.nanoTime();
        outcomes.defer(locked);
        assertThat(outcomes.size()).isEqualTo(1);
        assertThat(outcomes.take(OutcomesTest::held)).containsExactly(locked);
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        outcomes.done(List.of(locked), false);
        assertThat(outcomes.size()).isZero();
    }

    @Test
    void deferredOutcomesAreTakenBeforeTheOthers() throws Exception {
        Outcomes atOnce = new Outcomes(100, Duration.ZERO);
        List<FinishedRun> finished = ended(2, "");
        atOnce.put(finished.get(1));
        atOnce.defer(finished.get(0));
        assertThat(atOnce.take(OutcomesTest::held)).isEqualTo(finished);
    }

    @Test
    void aBatchOfDeferredOutcomesHasAThousandAtMost() throws Exception {
        Outcomes atOnce = new Outcomes(100, Duration.ZERO);
        ended(1500, "").forEach(atOnce::defer);
        assertThat(atOnce.take(OutcomesTest::held)).hasSize(1000);
        assertThat(atOnce.take(OutcomesTest::held)).hasSize(500);
    }

    @Test
    void deferredOutcomesBelowTheirLimitBlockNoFurtherOutcome() throws Exception {
        Outcomes late = new Outcomes(100, Duration.ofHours(1));
        List<FinishedRun> locked = ended(4, "x".repeat(100));
        locked.forEach(late::defer);
        late.put(ended(1, "x".repeat(100)).get(0));
        assertThat(late.size()).isEqualTo(5);
    }

    @Test
    void deferredOutcomesHaveALimitOfBytesOfTheirOwn() throws Exception {
        ended(5, "x".repeat(90)).forEach(outcomes::defer);
        Thread putting = putting(ended(1, "x").get(0), new AtomicBoolean());
        while (putting.isAlive()) {
            outcomes.done(outcomes.take(OutcomesTest::held), false);
        }
        assertThat(outcomes.size()).isLessThanOrEqualTo(1);
    }

    /** Otherwise a worker would block forever after recording as many bytes as it may hold. */
    @Test
    void outcomesThatWereRecordedOrTakenAgainTakeNoRoom() throws Exception {
        Outcomes atOnce = new Outcomes(100, Duration.ZERO);
        for (FinishedRun each : ended(10, "x".repeat(60))) {
            atOnce.put(each);
            List<FinishedRun> batch = atOnce.take(OutcomesTest::held);
            atOnce.defer(each);
            atOnce.done(batch, false);
            atOnce.done(atOnce.take(OutcomesTest::held), false);
        }
        Thread putting = new Thread(() -> {
            try {
                for (FinishedRun each : ended(2, "x".repeat(50))) {
                    atOnce.put(each);
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        putting.setDaemon(true);
        putting.start();
        EngineFixture.await(() -> atOnce.size() == 2);
        putting.join();
    }

    @Test
    void deferredOutcomesCountAsUnrecorded() throws Exception {
        Outcomes late = new Outcomes(100, Duration.ofHours(1));
        ended(4000, "").forEach(late::defer);
        CompletableFuture<Boolean> put = new CompletableFuture<>();
        FinishedRun one = ended(1, "").get(0);
        Thread putting = new Thread(() -> {
            try {
                late.put(one);
                put.complete(true);
            } catch (InterruptedException e) {
                put.complete(false);
            }
        });
        putting.start();
        awaitWaiting(putting);
        late.abandon();
        assertThat(put.get()).isTrue();
    }

    @Test
    void closingEndsTheWaitOnlyWhenNoOutcomeIsDeferred() throws Exception {
        FinishedRun locked = ended(1, "").get(0);
        outcomes.defer(locked);
        outcomes.close();
        assertThat(outcomes.take(OutcomesTest::held)).containsExactly(locked);
        assertThat(outcomes.take(OutcomesTest::held)).isEmpty();
    }

    @Test
    void anAbandonedQueueGivesUpDeferredOutcomes() throws Exception {
        Outcomes late = new Outcomes(100, Duration.ofHours(1));
        late.defer(ended(1, "").get(0));
        late.close();
        late.abandon();
        assertThat(late.take(OutcomesTest::held)).isEmpty();
    }

    @Test
    void aWaitForOutcomesEndsWhenOneComesOrNoneWillCome() throws Exception {
        Thread taking = taking();
        outcomes.put(ended(1, "").get(0));
        taking.join();
        Thread second = taking();
        outcomes.close();
        second.join();
    }

    private Thread taking() throws InterruptedException {
        Thread thread = new Thread(() -> {
            try {
                outcomes.take(OutcomesTest::held);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        awaitWaiting(thread);
        return thread;
    }

    @Test
    void theTimeOfTheFirstDeferralCounts() throws Exception {
        FinishedRun finished = ended(1, "").get(0);
        assertThat(finished.isTriedLongerThan(Duration.ZERO)).isFalse();
        finished.defer(System.nanoTime() - Duration.ofSeconds(5).toNanos());
        finished.defer(System.nanoTime());
        assertThat(finished.isTriedLongerThan(Duration.ofSeconds(5))).isTrue();
        assertThat(finished.isTriedLongerThan(Duration.ofMinutes(5))).isFalse();
    }
}
