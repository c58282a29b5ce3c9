package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import dev.pawl.internal.Delay;
import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.Mutex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedCapacityTest {
    private static final int PLACES = 4;

    /** Longer than the test, so that no reservation times out. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final Duration SHORT = Duration.ofMillis(300);

    private SharedCapacity places = new SharedCapacity(PLACES);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Semaphore mayEnd = new Semaphore(0, true);
    private final ConcurrentLinkedQueue<Side> begun = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private Side a = new Side();
    private Side b = new Side();

    /** A worker: its buffer and its handlers' threads. */
    private final class Side {
        final FakeStore store = new FakeStore();
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger own = new AtomicInteger();
        /** The database logs starts when this is open. */
        volatile CountDownLatch mayLog = new CountDownLatch(0);

        final SharedCapacity.Member member = places.join();
        final Buffer buffer = new Buffer(
                calls::incrementAndGet,
                () -> {},
                new LocalLimits(subject -> PLACES, queue -> true, Set.of(), places.lock()),
                new Capacity(PLACES, Map.of(), Map.of(), member, false));

        void start() throws InterruptedException {
            for (int i = 0; i < PLACES; i++) {
                Thread thread = new Thread(this::run);
                threads.add(thread);
                thread.start();
            }
            EngineFixture.await(() -> idle() == PLACES);
        }

        int idle() {
            buffer.level();
            return buffer.level().idle();
        }

        void run() {
            List<HeldJob> ended = List.of();
            try {
                while (true) {
                    ended = buffer.take(ended);
                    if (ended.isEmpty()) {
                        return;
                    }
                    mayLog.await();
                    if (!buffer.hasPlace(ended)) {
                        boolean unused = buffer.putBack(ended);
                        ended = List.of();
                        continue;
                    }
                    begun.add(this);
                    own.incrementAndGet();
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    mayEnd.acquire();
                    running.decrementAndGet();
                    own.decrementAndGet();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void add(int count) throws Exception {
            store.add(count, "12345", 20);
            buffer.add(PartsFixture.claim(store, Strategy.AUTO, true, Duration.ofHours(1)));
        }
    }

    private void start(Duration kept) throws InterruptedException {
        prepare(kept);
        a.start();
        b.start();
    }

    private void prepare(Duration kept) {
        places = new SharedCapacity(PLACES, kept.toNanos());
        a = new Side();
        b = new Side();
    }

    private long untilPlace(Side side) {
        Mutex lock = places.lock();
        lock.lock();
        try (lock) {
            return side.member.untilPlace();
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        a.buffer.close();
        b.buffer.close();
        b.mayLog.countDown();
        mayEnd.release(10_000);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most).hasValueLessThanOrEqualTo(PLACES);
        assertThat(places.taken()).isZero();
    }

    @Test
    void aLoneWorkerGetsAllPlaces() throws Exception {
        start(LONG);
        a.add(10);
        EngineFixture.await(() -> a.own.get() == PLACES);
        assertThat(places.taken()).isEqualTo(PLACES);
    }

    @Test
    void freedPlacesGoToTheOneThatRunsTheFewest() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == PLACES);
        b.add(20);
        Delay.quiet(50);
        assertThat(b.own).hasValue(0);
        mayEnd.release();
        EngineFixture.await(() -> b.own.get() == 1);
        mayEnd.release(10);
        EngineFixture.await(() -> begun.size() == PLACES + 11 && running.get() == PLACES);
        assertThat(a.own).hasValue(PLACES / 2);
        assertThat(b.own).hasValue(PLACES / 2);
    }

    @Test
    void twoThatHaveJobsGetHalfEach() throws Exception {
        start(LONG);
        a.add(40);
        b.add(40);
        EngineFixture.await(() -> begun.size() == PLACES);
        for (int ended = 1; ended <= 2 * PLACES; ended++) {
            int all = PLACES + ended;
            mayEnd.release();
            EngineFixture.await(() -> begun.size() == all && running.get() == PLACES);
        }
        assertThat(a.own).hasValue(PLACES / 2);
        assertThat(b.own).hasValue(PLACES / 2);
    }

    /** Only a claim shows which worker has jobs. */
    @Test
    void aPlaceIsKeptForOneThatSearches() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == PLACES);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        int before = b.calls.get();
        mayEnd.release();
        EngineFixture.await(() -> b.calls.get() > before);
        assertThat(b.buffer.levelOfRound().idle()).isEqualTo(1);
        assertThat(running).hasValue(PLACES - 1);
        b.add(1);
        b.buffer.roundEnded();
        EngineFixture.await(() -> b.own.get() == 1);
    }

    @Test
    void aPlaceThatASearchDoesNotNeedIsForTheOthersAtOnce() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == PLACES);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        mayEnd.release();
        EngineFixture.await(() -> running.get() == PLACES - 1);
        assertThat(b.buffer.levelOfRound().idle()).isEqualTo(1);
        b.buffer.roundEnded();
        EngineFixture.await(() -> a.own.get() == PLACES);
    }

    /** The database of the searching worker hangs. */
    @Test
    void aPlaceIsNotKeptForLong() throws Exception {
        start(SHORT);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == PLACES);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        mayEnd.release();
        EngineFixture.await(() -> begun.size() == PLACES + 1);
        assertThat(a.own).hasValue(PLACES);
    }

    @Test
    void onlyOnePlaceIsKeptForOneThatSearches() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == PLACES);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        mayEnd.release(2);
        EngineFixture.await(() -> begun.size() == PLACES + 1);
        b.add(1);
        EngineFixture.await(() -> b.own.get() == 1);
    }

    /** The database has hung before, so it must answer first. */
    @Test
    void noPlaceIsKeptForADatabaseThatDoesNotAnswer() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == PLACES);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        b.buffer.database(false);
        assertThat(b.calls.get()).as("it may ask the database").isPositive();
        assertThat(b.buffer.levelOfRound().idle()).as("without a place").isEqualTo(1);
        mayEnd.release();
        EngineFixture.await(() -> begun.size() == PLACES + 1);
        b.buffer.database(true);
        b.add(1);
        b.buffer.roundEnded();
        mayEnd.release();
        EngineFixture.await(() -> b.own.get() == 1);
    }

    @Test
    void placesOfJobsWhoseStartIsNotLoggedAreForOthers() throws Exception {
        start(SHORT);
        b.mayLog = new CountDownLatch(1);
        b.add(20);
        EngineFixture.await(() -> places.taken() == PLACES);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == PLACES);
        assertThat(b.buffer.isTrusted()).isFalse();
        mayEnd.release(4);
        EngineFixture.await(() -> begun.size() == 2 * PLACES);
        assertThat(a.own).as("it gets no further places").hasValue(PLACES);
        b.buffer.database(true);
        b.mayLog.countDown();
        EngineFixture.await(() -> b.buffer.waiting() == 20 && b.buffer.waits());
        mayEnd.release(4);
        EngineFixture.await(() -> b.own.get() == PLACES / 2 && a.own.get() == PLACES / 2);
    }

    @Test
    void aWorkerWithoutPlacesStartsOneJobToFindOut() throws Exception {
        start(LONG);
        b.mayLog = new CountDownLatch(1);
        b.buffer.database(false);
        b.add(20);
        EngineFixture.await(() -> b.idle() == 0);
        assertThat(b.buffer.waiting()).isEqualTo(19);
        assertThat(places.taken()).isZero();
        b.buffer.database(true);
        EngineFixture.await(() -> places.taken() == PLACES - 1 || places.taken() == PLACES);
        b.mayLog.countDown();
        EngineFixture.await(() -> b.own.get() == PLACES);
    }

    /** The idle threads of such a worker wait only for its database. */
    @Test
    void aWorkerThatGetsNoPlaceDoesNotWaitForThoseOfAnother() throws Exception {
        start(SHORT);
        a.mayLog = new CountDownLatch(1);
        b.mayLog = new CountDownLatch(1);
        a.buffer.database(false);
        a.add(20);
        EngineFixture.await(() -> a.buffer.waiting() == 19);
        b.add(20);
        EngineFixture.await(() -> places.taken() == PLACES);
        assertThat(untilPlace(a)).isEqualTo(Long.MAX_VALUE);
        EngineFixture.await(() -> {
            a.buffer.level();
            return places.taken() == 0;
        });
        assertThat(b.buffer.isTrusted()).isFalse();
        assertThat(untilPlace(a)).isEqualTo(Long.MAX_VALUE);
        assertThat(untilPlace(b)).isEqualTo(Long.MAX_VALUE);
        a.mayLog.countDown();
    }

    @Test
    void whoWaitsForPlacesThatAreKeptForTooLongLooksOnce() throws Exception {
        start(SHORT);
        b.mayLog = new CountDownLatch(1);
        b.add(20);
        EngineFixture.await(() -> places.taken() == PLACES);
        EngineFixture.await(() -> untilPlace(a) == 1);
        assertThat(places.taken()).isZero();
        assertThat(untilPlace(a)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aDatabaseThatLogsStartsAgainHasTimeForTheNextOnes() throws Exception {
        start(SHORT);
        b.mayLog = new CountDownLatch(1);
        b.add(20);
        EngineFixture.await(() -> places.taken() == PLACES);
        EngineFixture.await(() -> {
            a.buffer.level();
            return !b.buffer.isTrusted();
        });
        b.buffer.database(true);
        a.buffer.level();
        assertThat(b.buffer.isTrusted()).as("a claim says nothing of the log").isFalse();
        b.buffer.startsLogged();
        a.buffer.level();
        assertThat(b.buffer.isTrusted()).isTrue();
    }

    /** The start was logged while the database answered, and the thread has not noticed the failure yet. */
    @Test
    void aJobThatWaitsForAnUntrustedDatabaseHoldsNoPlace() throws Exception {
        prepare(LONG);
        CountDownLatch answers = new CountDownLatch(1);
        a.store.add(1, "12345", 20);
        a.buffer.add(PartsFixture.claim(a.store, Strategy.AUTO, false, Duration.ofHours(1)));
        List<HeldJob> taken = a.buffer.take(List.of());
        assertThat(taken).allMatch(HeldJob::isStartLogged);
        a.buffer.database(false);
        assertThat(places.taken()).isEqualTo(1);
        a.store.hang("logStarts", answers);
        StartLog log = new StartLog(a.store, () -> 7, new HeldJobs(), a.buffer, new HandlerRate(1), a.store.health());
        Thread starting = new Thread(() -> {
            try {
                boolean unused = log.ensureLogged(taken);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        threads.add(starting);
        starting.start();
        EngineFixture.await(() -> a.store.calls("logStarts") == 1);
        assertThat(places.taken()).isZero();
        answers.countDown();
        starting.join();
        assertThat(a.buffer.hasPlace(taken)).isTrue();
        assertThat(places.taken()).isEqualTo(1);
        a.buffer.handlerEnded(taken);
    }

    @Test
    void jobsWhoseStartIsNotLoggedLeaveTheirPlacesWhenTheirWorkerStops() throws Exception {
        start(LONG);
        b.mayLog = new CountDownLatch(1);
        b.add(20);
        EngineFixture.await(() -> places.taken() == PLACES);
        b.buffer.close();
        assertThat(places.taken()).isZero();
        a.add(20);
        EngineFixture.await(() -> a.own.get() == PLACES);
    }

    @Test
    void aWorkerThatStopsLeavesItsPlaces() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == PLACES);
        b.add(20);
        a.buffer.close();
        mayEnd.release(PLACES);
        EngineFixture.await(() -> b.own.get() == PLACES);
    }
}
