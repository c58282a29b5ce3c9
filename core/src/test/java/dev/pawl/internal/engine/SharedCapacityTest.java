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
    private static final int CAPACITY = 4;

    /** Longer than the test, so that no reservation times out. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final Duration SHORT = Duration.ofMillis(300);

    private SharedCapacity shared = new SharedCapacity(CAPACITY);
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

        final SharedCapacity.Member member = shared.join();
        final Buffer buffer = new Buffer(
                calls::incrementAndGet,
                () -> {},
                new LocalLimits(subject -> CAPACITY, queue -> true, Set.of(), shared.lock()),
                new Capacity(CAPACITY, Map.of(), Map.of(), member, false));

        void start() throws InterruptedException {
            for (int i = 0; i < CAPACITY; i++) {
                Thread thread = new Thread(this::run);
                threads.add(thread);
                thread.start();
            }
            EngineFixture.await(() -> idle() == CAPACITY);
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
                    if (!buffer.hasCapacity(ended)) {
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
        shared = new SharedCapacity(CAPACITY, kept.toNanos());
        a = new Side();
        b = new Side();
    }

    private long untilCapacity(Side side) {
        Mutex lock = shared.lock();
        lock.lock();
        try (lock) {
            return side.member.untilCapacity();
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
        assertThat(most).hasValueLessThanOrEqualTo(CAPACITY);
        assertThat(shared.taken()).isZero();
    }

    @Test
    void aLoneWorkerGetsAllCapacity() throws Exception {
        start(LONG);
        a.add(10);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
        assertThat(shared.taken()).isEqualTo(CAPACITY);
    }

    @Test
    void freedCapacityGoesToTheWorkerThatUsesTheLeast() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
        b.add(20);
        Delay.quiet(50);
        assertThat(b.own).hasValue(0);
        mayEnd.release();
        EngineFixture.await(() -> b.own.get() == 1);
        mayEnd.release(10);
        EngineFixture.await(() -> begun.size() == CAPACITY + 11 && running.get() == CAPACITY);
        assertThat(a.own).hasValue(CAPACITY / 2);
        assertThat(b.own).hasValue(CAPACITY / 2);
    }

    @Test
    void twoWorkersWithJobsGetHalfEach() throws Exception {
        start(LONG);
        a.add(40);
        b.add(40);
        EngineFixture.await(() -> begun.size() == CAPACITY);
        for (int ended = 1; ended <= 2 * CAPACITY; ended++) {
            int all = CAPACITY + ended;
            mayEnd.release();
            EngineFixture.await(() -> begun.size() == all && running.get() == CAPACITY);
        }
        assertThat(a.own).hasValue(CAPACITY / 2);
        assertThat(b.own).hasValue(CAPACITY / 2);
    }

    /** Only a claim shows which worker has jobs. */
    @Test
    void capacityIsReservedForAWorkerThatClaims() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        int before = b.calls.get();
        mayEnd.release();
        EngineFixture.await(() -> b.calls.get() > before);
        assertThat(b.buffer.levelOfRound().idle()).isEqualTo(1);
        assertThat(running).hasValue(CAPACITY - 1);
        b.add(1);
        b.buffer.roundEnded();
        EngineFixture.await(() -> b.own.get() == 1);
    }

    @Test
    void capacityThatAClaimDoesNotNeedIsForTheOthersAtOnce() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        mayEnd.release();
        EngineFixture.await(() -> running.get() == CAPACITY - 1);
        assertThat(b.buffer.levelOfRound().idle()).isEqualTo(1);
        b.buffer.roundEnded();
        EngineFixture.await(() -> a.own.get() == CAPACITY);
    }

    /** The worker for which capacity is reserved gets no reply to its claim, because its database hangs. */
    @Test
    void capacityIsNotReservedForLong() throws Exception {
        start(SHORT);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        mayEnd.release();
        EngineFixture.await(() -> begun.size() == CAPACITY + 1);
        assertThat(a.own).hasValue(CAPACITY);
    }

    @Test
    void onlyOneUnitIsReservedForAWorkerThatClaims() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        mayEnd.release(2);
        EngineFixture.await(() -> begun.size() == CAPACITY + 1);
        b.add(1);
        EngineFixture.await(() -> b.own.get() == 1);
    }

    /** The database has hung before, so it must answer first. */
    @Test
    void noCapacityIsReservedForADatabaseThatDoesNotAnswer() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
        assertThat(b.buffer.levelOfRound().idle()).isZero();
        b.buffer.database(false);
        assertThat(b.calls.get()).as("it may ask the database").isPositive();
        assertThat(b.buffer.levelOfRound().idle()).as("without capacity").isEqualTo(1);
        mayEnd.release();
        EngineFixture.await(() -> begun.size() == CAPACITY + 1);
        b.buffer.database(true);
        b.add(1);
        b.buffer.roundEnded();
        mayEnd.release();
        EngineFixture.await(() -> b.own.get() == 1);
    }

    @Test
    void capacityOfJobsWhoseStartIsNotLoggedIsForOthers() throws Exception {
        start(SHORT);
        b.mayLog = new CountDownLatch(1);
        b.add(20);
        EngineFixture.await(() -> shared.taken() == CAPACITY);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
        assertThat(b.buffer.isTrusted()).isFalse();
        mayEnd.release(4);
        EngineFixture.await(() -> begun.size() == 2 * CAPACITY);
        assertThat(a.own).as("it gets no further capacity").hasValue(CAPACITY);
        b.buffer.database(true);
        b.mayLog.countDown();
        EngineFixture.await(() -> b.buffer.waiting() == 20 && b.buffer.waits());
        mayEnd.release(4);
        EngineFixture.await(() -> b.own.get() == CAPACITY / 2 && a.own.get() == CAPACITY / 2);
    }

    @Test
    void aWorkerWithoutCapacityStartsOneJobToProbeItsDatabase() throws Exception {
        start(LONG);
        b.mayLog = new CountDownLatch(1);
        b.buffer.database(false);
        b.add(20);
        EngineFixture.await(() -> b.idle() == 0);
        assertThat(b.buffer.waiting()).isEqualTo(19);
        assertThat(shared.taken()).isZero();
        b.buffer.database(true);
        EngineFixture.await(() -> shared.taken() == CAPACITY - 1 || shared.taken() == CAPACITY);
        b.mayLog.countDown();
        EngineFixture.await(() -> b.own.get() == CAPACITY);
    }

    /** The idle threads of such a worker wait only for its database. */
    @Test
    void aWorkerThatGetsNoCapacityDoesNotWaitForAnotherWorkersCapacity() throws Exception {
        start(SHORT);
        a.mayLog = new CountDownLatch(1);
        b.mayLog = new CountDownLatch(1);
        a.buffer.database(false);
        a.add(20);
        EngineFixture.await(() -> a.buffer.waiting() == 19);
        b.add(20);
        EngineFixture.await(() -> shared.taken() == CAPACITY);
        assertThat(untilCapacity(a)).isEqualTo(Long.MAX_VALUE);
        EngineFixture.await(() -> {
            a.buffer.level();
            return shared.taken() == 0;
        });
        assertThat(b.buffer.isTrusted()).isFalse();
        assertThat(untilCapacity(a)).isEqualTo(Long.MAX_VALUE);
        assertThat(untilCapacity(b)).isEqualTo(Long.MAX_VALUE);
        a.mayLog.countDown();
    }

    @Test
    void aWaitForCapacityThatIsReservedForTooLongEndsOnce() throws Exception {
        start(SHORT);
        b.mayLog = new CountDownLatch(1);
        b.add(20);
        EngineFixture.await(() -> shared.taken() == CAPACITY);
        EngineFixture.await(() -> untilCapacity(a) == 1);
        assertThat(shared.taken()).isZero();
        assertThat(untilCapacity(a)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aDatabaseThatLogsStartsAgainHasTimeForTheNextOnes() throws Exception {
        start(SHORT);
        b.mayLog = new CountDownLatch(1);
        b.add(20);
        EngineFixture.await(() -> shared.taken() == CAPACITY);
        EngineFixture.await(() -> {
            a.buffer.level();
            return !b.buffer.isTrusted();
        });
        b.buffer.database(true);
        a.buffer.level();
        assertThat(b.buffer.isTrusted()).as("a claim says nothing of the log").isFalse();
        b.buffer.onStartsLogged();
        a.buffer.level();
        assertThat(b.buffer.isTrusted()).isTrue();
    }

    /** The start was logged while the database answered, and the thread has not noticed the failure yet. */
    @Test
    void aJobThatWaitsForAnUntrustedDatabaseHoldsNoCapacity() throws Exception {
        prepare(LONG);
        CountDownLatch answers = new CountDownLatch(1);
        a.store.add(1, "12345", 20);
        a.buffer.add(PartsFixture.claim(a.store, Strategy.AUTO, false, Duration.ofHours(1)));
        List<HeldJob> taken = a.buffer.take(List.of());
        assertThat(taken).allMatch(HeldJob::isStartLogged);
        a.buffer.database(false);
        assertThat(shared.taken()).isEqualTo(1);
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
        assertThat(shared.taken()).isZero();
        answers.countDown();
        starting.join();
        assertThat(a.buffer.hasCapacity(taken)).isTrue();
        assertThat(shared.taken()).isEqualTo(1);
        a.buffer.handlerEnded(taken);
    }

    @Test
    void jobsWhoseStartIsNotLoggedFreeTheirCapacityWhenTheirWorkerStops() throws Exception {
        start(LONG);
        b.mayLog = new CountDownLatch(1);
        b.add(20);
        EngineFixture.await(() -> shared.taken() == CAPACITY);
        b.buffer.close();
        assertThat(shared.taken()).isZero();
        a.add(20);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
    }

    @Test
    void aWorkerThatStopsFreesItsCapacity() throws Exception {
        start(LONG);
        a.add(20);
        EngineFixture.await(() -> a.own.get() == CAPACITY);
        b.add(20);
        a.buffer.close();
        mayEnd.release(CAPACITY);
        EngineFixture.await(() -> b.own.get() == CAPACITY);
    }
}
