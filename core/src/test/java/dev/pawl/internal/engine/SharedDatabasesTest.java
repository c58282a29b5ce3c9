package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers of two databases that share their capacity: a database that hangs or fails delays only its own jobs. */
@Timeout(60)
class SharedDatabasesTest {
    private static final int CAPACITY = 4;

    private final SharedCapacity shared = new SharedCapacity(CAPACITY);
    private final CountDownLatch back = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final List<Engine> engines = new ArrayList<>();
    private final FakeStore sound = new FakeStore();
    private final FakeStore sick = new FakeStore();

    private void start(FakeStore store) {
        start(store, new WakeHub(WakeHub.localMessenger()));
    }

    private void start(FakeStore store, WakeHub wakes) {
        Handlers kinds = new Handlers(new EngineFixture.NoCodec());
        kinds.encoded(
                "greet",
                (payload, run) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    try {
                        return Outcome.completed();
                    } finally {
                        running.decrementAndGet();
                    }
                },
                HandlerOptions.DEFAULTS);
        WorkerConfig config = new WorkerConfig(
                "test",
                kinds,
                new QueueOrder.Strict(List.of("default")),
                CAPACITY,
                CAPACITY,
                0,
                2000,
                16 << 20,
                1000,
                Duration.ofSeconds(40),
                Duration.ofMillis(20),
                null,
                RetryPolicy.fixed(Duration.ZERO),
                Strategy.AUTO,
                false,
                EngineFixture.SHORT,
                List.of(),
                false,
                List.of(),
                shared);
        Ports ports = new Ports(
                store,
                store,
                store,
                store,
                (queues, known, keyed, declared) -> NextMoment.Moments.NONE,
                FakeFeatures.of(store, List.of(), List.of()),
                Retention.DEFAULTS,
                wakes,
                OptionalInt.empty(),
                () -> 0);
        Engine engine = new Engine(ports, config);
        engines.add(engine);
        engine.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        back.countDown();
        engines.forEach(engine -> engine.stop(Duration.ZERO));
        EngineFixture.await(() -> shared.taken() == 0);
        assertThat(most).hasValueLessThanOrEqualTo(CAPACITY);
    }

    /** The caller may try again, as {@code Fleet} does, so a failed start must leave nothing behind. */
    @Test
    void aStartThatFailsLeavesNothingBehind() throws Exception {
        WakeHub.Messenger broken = new WakeHub.Messenger() {
            @Override
            public void publish(String queue) {}

            @Override
            public void publishOnCommit(Connection connection, String queue) {}

            @Override
            public WakeHub.Subscription subscribe(WakeHub.Receiver receiver) {
                throw new OutOfMemoryError("unable to create native thread");
            }

            @Override
            public void close() {}
        };
        WakeHub wakes = new WakeHub(broken);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> start(sick, wakes)).isInstanceOf(OutOfMemoryError.class);
        }
        assertThat(shared.workers()).isZero();
        assertThat(wakes.sleepers()).isZero();
        assertThat(engines).noneMatch(Engine::isAlive);
        start(sound);
        sound.add(10, 20);
        awaitCompleted(sound, 10);
    }

    private static void awaitCompleted(FakeStore store, int jobs) throws InterruptedException {
        EngineFixture.await(() -> store.count(JobState.COMPLETED) == jobs);
    }

    @Test
    void capacityOfADatabaseThatHangsWhenItLogsStartsIsForTheOther() throws Exception {
        sick.hang("logStarts", back);
        sick.add(40, 20);
        start(sick);
        EngineFixture.await(() -> sick.calls("logStarts") > 0);
        start(sound);
        sound.add(100, 20);
        awaitCompleted(sound, 100);
        assertThat(shared.taken()).isZero();
        back.countDown();
        awaitCompleted(sick, 40);
    }

    /** Each write fails only after some time. */
    @Test
    void aDatabaseThatFailsSlowlyHoldsNoCapacity() throws Exception {
        sick.fail("logStarts", FakeStore.away());
        sick.on("logStarts", () -> Delay.interruptibleWork(300));
        sick.add(40, 20);
        start(sick);
        EngineFixture.await(() -> sick.calls("logStarts") > 1);
        start(sound);
        long begin = System.nanoTime();
        for (int i = 1; i <= 20; i++) {
            sound.add(10, 20);
            awaitCompleted(sound, 10 * i);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
        sick.fail("logStarts", null);
        sick.on("logStarts", () -> {});
        awaitCompleted(sick, 40);
    }

    @Test
    void aDatabaseThatHangsInItsClaimReservesNoCapacity() throws Exception {
        start(sick);
        start(sound);
        EngineFixture.await(() -> sick.calls("claim") > 0);
        sick.hang("claim", back);
        sick.add(40, 20);
        sound.add(500, 20);
        awaitCompleted(sound, 500);
        back.countDown();
        awaitCompleted(sick, 40);
    }

    @Test
    void aDatabaseThatIsBackGetsItsPartWhileTheOtherIsBusy() throws Exception {
        sick.fail("claim", FakeStore.away());
        start(sick);
        EngineFixture.await(() -> sick.calls("claim") > 2);
        start(sound);
        sound.add(100_000, 20);
        EngineFixture.await(() -> sound.count(JobState.COMPLETED) > 0);
        sick.add(10, 20);
        sick.fail("claim", null);
        awaitCompleted(sick, 10);
    }
}
