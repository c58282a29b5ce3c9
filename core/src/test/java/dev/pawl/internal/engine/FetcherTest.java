package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.Strategy;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.ClaimRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs the fetcher on the thread of the test until the last claim stops it. Idle handlers are threads that wait for jobs. */
class FetcherTest extends PartsFixture {
    private final List<Thread> idle = new ArrayList<>();
    private WorkerParts parts = parts();

    @AfterEach
    void end() throws InterruptedException {
        parts.buffer.close();
        for (Thread thread : idle) {
            thread.join();
        }
    }

    /** Parts with this many handlers that wait for jobs, and then block until the end. */
    private void idle(int handlers) throws InterruptedException {
        parts = parts(handlers, (payload, run) -> Outcome.completed());
        for (int i = 0; i < handlers; i++) {
            Thread thread = new Thread(() -> {
                try {
                    HeldJob unused = take(parts.buffer);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            thread.start();
            idle.add(thread);
        }
        EngineFixture.await(() -> parts.buffer.level().idle() == handlers);
    }

    /** Runs until this many claims were sent. */
    private void runUntil(int claims) {
        store.on("claim", () -> {
            if (store.calls("claim") >= claims) {
                parts.fetcher.stop();
            }
        });
        parts.fetcher.run();
    }

    @Test
    void idleHandlersGetAJobEachAndNothingIsClaimedAhead() throws Exception {
        store.add(10, 20);
        idle(3);
        runUntil(1);
        assertThat(store.claims()).containsExactly(new ClaimRequest("default", List.of("greet"), 3, 1, LONG, false));
        assertThat(parts.counters.claimed.sum()).isEqualTo(3);
        assertThat(parts.heldJobs.all()).hasSize(3).allSatisfy(held -> {
            assertThat(held.isStartLogged()).isTrue();
            assertThat(held.leaseLength()).isEqualTo(LONG);
        });
        EngineFixture.await(() -> idle.stream().noneMatch(Thread::isAlive));
    }

    /** The heap is full until its third reading; an earlier claim would find it full. */
    @Test
    void nothingIsClaimedWhileTheHeapIsFull() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        heap = new MemoryGuard.Heap() {
            @Override
            public double afterCollection() {
                return looks.incrementAndGet() > 3 ? 0.1 : 0.9;
            }

            @Override
            public double now() {
                return 0.9;
            }

            @Override
            public void collect() {
                throw new AssertionError("not within a second");
            }
        };
        store.add(10, 20);
        idle(3);
        List<Integer> looksBefore = new ArrayList<>();
        store.on("claim", () -> {
            looksBefore.add(looks.get());
            assertThat(parts.heap.isPausing()).isFalse();
            parts.fetcher.stop();
        });
        parts.fetcher.run();
        assertThat(looksBefore).containsExactly(4);
        assertThat(parts.heap.times()).isEqualTo(1);
    }

    /** Capacity decides how many large jobs are claimed, even before their size is known. */
    @Test
    void largeJobsAreClaimedForCapacity() throws Exception {
        options = options.weight(4);
        store.add(10, 20);
        idle(8);
        runUntil(1);
        assertThat(store.claims()).containsExactly(new ClaimRequest("default", List.of("greet"), 2, 1, LONG, false));
    }

    private void runsTook(Duration each) {
        long now = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            parts.handlerRate.begun(0, now - each.toNanos());
            parts.handlerRate.ended(0, now);
        }
    }

    /** A job that the handlers will start within a moment counts as started when it is claimed, so its start need not be logged. */
    @Test
    void jobsThatStartWithinAMomentCountAsStarted() throws Exception {
        store.add(100, 20);
        idle(1);
        runsTook(Duration.ofNanos(10_000));
        runUntil(1);
        assertThat(store.claims()).containsExactly(new ClaimRequest("default", List.of("greet"), 5, 1, LONG, false));
        assertThat(parts.heldJobs.all())
                .hasSize(5)
                .allSatisfy(held -> assertThat(held.isStartLogged()).isTrue());
    }

    @Test
    void jobsThatHaveToWaitAreClaimedAhead() throws Exception {
        idle(1);
        runsTook(Duration.ofMillis(50));
        store.add(1, 20);
        runUntil(2);
        assertThat(store.claims())
                .extracting(ClaimRequest::limit, ClaimRequest::ahead)
                .containsExactly(tuple(1, false), tuple(2, true));
        assertThat(parts.heldJobs.all())
                .singleElement()
                .satisfies(held -> assertThat(held.isStartLogged()).isTrue());
    }

    @Test
    void startsOfJobsClaimedAheadAreNotLoggedYet() throws Exception {
        idle(1);
        runsTook(Duration.ofMillis(50));
        store.add(3, 20);
        runUntil(2);
        assertThat(parts.heldJobs.all().stream().filter(HeldJob::isStartLogged)).hasSize(1);
        assertThat(parts.heldJobs.all()).hasSize(3);
    }

    @Test
    void jobsClaimedWhileTheWorkerStopsAreReleased() throws Exception {
        store.add(10, 20);
        idle(3);
        store.on("claim", () -> {
            parts.fetcher.stop();
            parts.buffer.close();
        });
        parts.fetcher.run();
        assertThat(store.calls("release")).isEqualTo(1);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
        assertThat(parts.counters.released.sum()).isEqualTo(3);
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(10);
    }

    @Test
    void anEmptyRoundIsCountedAndTheNextOneWaits() throws Exception {
        idle(1);
        long before = System.nanoTime();
        runUntil(4);
        assertThat(parts.fetcher.emptyRounds()).isEqualTo(4);
        assertThat(System.nanoTime() - before)
                .as("5, 10 and 20 ms, less the jitter")
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(35 * 8 / 10));
    }

    @Test
    void queuesAreClaimedFromInTheirOrderUntilThereAreEnoughJobs() throws Exception {
        order = new QueueOrder.Strict(List.of("first", "second", "third"));
        store.add(4, 20);
        idle(6);
        runUntil(3);
        assertThat(store.claims().stream().map(claim -> claim.queue() + " " + claim.limit()))
                .startsWith("first 6", "second 2", "third 2");
    }

    /**
     * Each of the two queues is asked for half of the jobs. The half that one queue does not have is asked of the other in the same round.
     */
    @Test
    void aShareThatOneQueueCannotFillIsClaimedFromTheOther() throws Exception {
        order = new QueueOrder.Weighted(Map.of("a", 1, "b", 1));
        idle(4);
        store.on("claim", () -> {
            if (store.calls("claim") == 2) { // so the first queue had no jobs
                store.add(100, 20);
            } else if (store.calls("claim") == 3) {
                parts.fetcher.stop();
            }
        });
        parts.fetcher.run();
        assertThat(store.claims()).extracting(ClaimRequest::limit).containsExactly(2, 2, 2);
        List<String> asked = store.claims().stream().map(ClaimRequest::queue).toList();
        assertThat(asked.get(1)).isNotEqualTo(asked.get(0)).isEqualTo(asked.get(2));
        assertThat(parts.counters.claimed.sum()).isEqualTo(4);
    }

    @Test
    void nothingIsClaimedAheadIfHandlersRunInTransactions() throws Exception {
        strategy = Strategy.TRANSACTIONAL;
        store.add(2000, 20);
        idle(2);
        runUntil(1);
        assertThat(store.claims().get(0).limit()).isEqualTo(2);
        assertThat(parts.heldJobs.all()).hasSize(2);
    }

    /**
     * The database starts the lease while it executes the claim, so the worker must count the lease from the time when it sent the request.
     */
    @Test
    void aLeaseCountsFromTheMomentWhenTheClaimWasSent() throws Exception {
        lease = Duration.ofSeconds(20);
        store.add(1, 20);
        idle(1);
        store.on("claim", () -> {
            parts.fetcher.stop();
            Delay.interruptibleWork(300); // a slow response is the point
        });
        long before = System.nanoTime();
        parts.fetcher.run();
        assertThat(parts.heldJobs.all())
                .singleElement()
                .satisfies(held -> assertThat(
                                held.hasExpired(before + lease.toNanos() + TimeUnit.MILLISECONDS.toNanos(250)))
                        .isTrue());
    }

    @Test
    void theDatabaseMayBeAway() throws Exception {
        store.add(1, 20);
        idle(1);
        store.fail("claim", 2, FakeStore.away());
        long before = System.nanoTime();
        runUntil(3);
        assertThat(parts.counters.claimed.sum()).isEqualTo(1);
        assertThat(System.nanoTime() - before)
                .as("20 and 40 ms, less the jitter")
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(48));
        assertThat(parts.fetcher.emptyRounds()).isZero();
    }

    /** Paused batches were read a moment earlier, and are read again before a job is paused. */
    @Test
    void theEndOfAPauseIsNoticedWhenAJobIsClaimed() throws Exception {
        store.batch = 7L;
        store.paused = Set.of(7L);
        store.add(1, 20);
        idle(1);
        store.on("claim", () -> {
            store.paused = Set.of();
            parts.fetcher.stop();
        });
        parts.fetcher.run();
        assertThat(store.calls("settings")).isEqualTo(2);
        assertThat(parts.heldJobs.all()).hasSize(1);
    }

    /** Regression: jobs of a paused batch kept their leases until they were rescued, which cost an attempt. */
    @Test
    void aJobThatCannotBePausedNowIsReleased() throws Exception {
        store.batch = 7L;
        store.paused = Set.of(7L);
        store.add(1, 1);
        idle(1);
        store.fail("settle", 1, new SQLException("deadlock", "40001"));
        store.on("claim", parts.fetcher::stop);
        parts.fetcher.run();
        assertThat(parts.heldJobs.all()).hasSize(1);
        parts.completer.stop();
        parts.completer.run();
        assertThat(parts.heldJobs.isEmpty()).isTrue();
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(1);
        assertThat(events).isEmpty();
    }

    @Test
    void unreadableSettingsDoNotPreventClaims() throws Exception {
        store.add(1, 20);
        idle(1);
        store.fail("settings", 1, new SQLException("no such table"));
        runUntil(1);
        assertThat(store.calls("settings")).isEqualTo(2);
        assertThat(parts.counters.claimed.sum()).isEqualTo(1);
    }

    @Test
    void aBrokenQueueDoesNotKeepTheWorkerFromTheOthers() throws Exception {
        aBrokenQueueDoesNotKeepTheWorkerFromTheOthers(new IllegalStateException("of a strategy"));
    }

    @Test
    void aQueueThatTheDatabaseRefusesDoesNotKeepTheWorkerFromTheOthers() throws Exception {
        aBrokenQueueDoesNotKeepTheWorkerFromTheOthers(FakeStore.odd());
    }

    private void aBrokenQueueDoesNotKeepTheWorkerFromTheOthers(Exception broken) throws Exception {
        order = new QueueOrder.Strict(List.of("broken", "sound"));
        store.add(1, 20);
        idle(1);
        store.fail("claim", 1, broken);
        runUntil(2);
        assertThat(store.claims())
                .singleElement()
                .satisfies(claim -> assertThat(claim.queue()).isEqualTo("sound"));
        assertThat(parts.counters.claimed.sum()).isEqualTo(1);
    }

    /** Otherwise a worker would look idle, and the error would stay unknown. */
    @Test
    void aRoundWithABrokenQueueHasFailedAndWasNotEmpty() throws Exception {
        for (Exception broken : List.of(FakeStore.odd(), new IllegalStateException("of a strategy"))) {
            order = new QueueOrder.Strict(List.of("broken", "sound"));
            idle(1);
            store.fail("claim from broken", 1, broken);
            int before = store.calls("claim");
            runUntil(before + 4);
            assertThat(parts.fetcher.emptyRounds()).as("the second round only").isEqualTo(1);
            parts.buffer.close();
        }
        assertThat(store.claims().stream().map(ClaimRequest::queue))
                .containsExactly("sound", "broken", "sound", "sound", "broken", "sound");
    }

    /** Only a database that does not answer gets no part of the capacity that several databases share. */
    @Test
    void aDatabaseThatRefusesOneQueueAndAnswersForAnotherIsTrusted() throws Exception {
        order = new QueueOrder.Strict(List.of("broken", "sound"));
        shared = new SharedCapacity(1);
        idle(1);
        store.fail("claim from broken", 1, FakeStore.odd());
        runUntil(2);
        assertThat(parts.buffer.isTrusted()).isTrue();
    }

    @Test
    void aDatabaseThatAnswersNoClaimIsNotTrusted() throws Exception {
        order = new QueueOrder.Strict(List.of("first", "second"));
        for (Exception failure : List.of(FakeStore.odd(), FakeStore.away())) {
            shared = new SharedCapacity(1);
            idle(1);
            store.fail("claim", 2, failure);
            runUntil(store.calls("claim") + 2);
            assertThat(parts.buffer.isTrusted()).isFalse();
            parts.buffer.close();
        }
    }

    /** The next queue would fail as well. */
    @Test
    void noOtherQueueIsClaimedFromWhileTheDatabaseIsUnavailable() throws Exception {
        order = new QueueOrder.Strict(List.of("first", "second"));
        idle(1);
        store.fail("claim", 1, FakeStore.away());
        runUntil(3);
        assertThat(store.claims().stream().map(ClaimRequest::queue)).containsExactly("first", "second");
    }

    /** The delays are 100, 200 and 400 ms, and then a second each. */
    @Test
    void lastingErrorsOfTheJvmEndTheFetcher() throws Exception {
        idle(1);
        store.fail("claim", new LinkageError());
        assertThatThrownBy(parts.fetcher::run).isInstanceOf(LinkageError.class);
        assertThat(store.calls("claim")).isEqualTo(8);
    }

    @Test
    void anInterruptEndsNothing() throws Exception {
        idle(1);
        Thread.currentThread().interrupt(); // so the first round has no delay after it
        runUntil(2);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(store.calls("claim")).isEqualTo(2);
    }

    @Test
    void aNotificationEndsTheWaitBetweenTwoRounds() throws Exception {
        idle(1);
        store.on("claim", () -> {
            if (store.calls("claim") == 3) {
                parts.fetcher.stop();
            }
            parts.signal.poll();
        });
        parts.fetcher.run();
        assertThat(parts.fetcher.emptyRounds()).isEqualTo(3);
    }

    @Test
    void leasesHaveTheLengthThatTheStrategySets() throws Exception {
        lease = Duration.ofSeconds(20);
        store.leases(configured -> configured.multipliedBy(2));
        store.add(1, 20);
        idle(1);
        long before = System.nanoTime();
        runUntil(1);
        assertThat(store.claims()).extracting(ClaimRequest::lease).containsExactly(Duration.ofSeconds(40));
        assertThat(parts.heldJobs.all()).singleElement().satisfies(held -> {
            assertThat(held.leaseLength()).as("it is renewed by").isEqualTo(Duration.ofSeconds(40));
            assertThat(held.hasExpired(before + Duration.ofSeconds(39).toNanos()))
                    .isFalse();
        });
    }
}
