package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.Outcome;
import dev.pawl.internal.store.Duty;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A worker whose concurrency is changed while it runs. */
class EngineScaleTest extends EngineFixture {
    private final Semaphore mayEnd = new Semaphore(0);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private Outcome work() throws InterruptedException {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
            mayEnd.acquire();
            return Outcome.completed();
        } finally {
            running.decrementAndGet();
        }
    }

    @Test
    void moreRunAtOnceWithMoreCapacity() throws Exception {
        maxConcurrency = 8;
        store.add(20, 20);
        Engine engine = start(2, (payload, run) -> work());
        await(() -> running.get() == 2);
        engine.concurrency(8);
        await(() -> running.get() == 8);
        assertThat(engine.stats().concurrency()).isEqualTo(8);
        mayEnd.release(20);
        awaitCompleted(20);
        assertThat(most).hasValue(8);
    }

    @Test
    void runsGoOnWithLessCapacity() throws Exception {
        store.add(30, 20);
        Engine engine = start(8, (payload, run) -> work());
        await(() -> running.get() == 8);
        engine.concurrency(2);
        mayEnd.release(6);
        awaitCompleted(6);
        await(() -> running.get() == 2);
        most.set(0);
        mayEnd.release(10);
        awaitCompleted(16);
        await(() -> running.get() == 2);
        assertThat(most).as("none began before six had ended").hasValue(2);
        engine.concurrency(8);
        await(() -> running.get() == 8);
        mayEnd.release(30);
        awaitCompleted(30);
    }

    @Test
    void manyChangesLeaveAsManyHandlersAsTheCapacity() throws Exception {
        maxConcurrency = 16;
        mayEnd.release(400);
        store.add(400, 20);
        Engine engine = start(4, (payload, run) -> work());
        for (int i = 0; i < 200; i++) {
            engine.concurrency(1 + i * 7 % 16);
        }
        engine.concurrency(5);
        awaitCompleted(400);
        await(() -> running.get() == 0);
        most.set(0);
        store.add(40, 20);
        await(() -> running.get() == 5);
        mayEnd.release(40);
        awaitCompleted(440);
        assertThat(most).hasValue(5);
    }

    @Test
    void aWorkerFollowsARemoteCommandUpToItsMaximum() throws Exception {
        maxConcurrency = 6;
        PartsOfEngine parts = new PartsOfEngine();
        store.wanted = 40;
        parts.heartbeat();
        assertThat(parts.engine.concurrency()).isEqualTo(6);
        assertThat(store.wanted).as("done").isNull();
        store.wanted = 1;
        parts.heartbeat();
        assertThat(parts.engine.concurrency()).isEqualTo(1);
        int told = store.calls("scaled");
        parts.heartbeat();
        assertThat(store.calls("scaled")).as("no news, no statement").isEqualTo(told);
        parts.engine.concurrency(4);
        parts.heartbeat();
        assertThat(store.calls("scaled")).isEqualTo(told + 1);
        assertThat(parts.engine.concurrency())
                .as("the program had the last word")
                .isEqualTo(4);
    }

    /**
     * The worker has followed a command, but cannot remove it from its row, because the database is unavailable. It must not follow the
     * command again once the program has set another value.
     */
    @Test
    void aCommandThatCouldNotBeRemovedDoesNotOverrideALaterSettingOfTheProgram() throws Exception {
        maxConcurrency = 6;
        PartsOfEngine parts = new PartsOfEngine();
        store.wanted = 3;
        store.fail("scaled", 1, FakeStore.away());
        assertThatThrownBy(parts::heartbeat).isInstanceOf(SQLException.class);
        assertThat(parts.engine.concurrency()).isEqualTo(3);
        parts.engine.concurrency(5);
        parts.heartbeat();
        assertThat(parts.engine.concurrency())
                .as("the program had the last word")
                .isEqualTo(5);
        assertThat(store.wanted).as("done").isNull();
        store.wanted = 3;
        parts.heartbeat();
        assertThat(parts.engine.concurrency()).as("a new command").isEqualTo(3);
    }

    @Test
    void aCommandThatCouldNotBeRemovedIsReplacedByALaterOne() throws Exception {
        maxConcurrency = 6;
        PartsOfEngine parts = new PartsOfEngine();
        store.wanted = 3;
        store.fail("scaled", 1, FakeStore.away());
        assertThatThrownBy(parts::heartbeat).isInstanceOf(SQLException.class);
        store.wanted = 4;
        parts.heartbeat();
        assertThat(parts.engine.concurrency()).isEqualTo(4);
        assertThat(store.wanted).as("done").isNull();
    }

    /** An engine whose heartbeat is called by the test. */
    private final class PartsOfEngine {
        private final Engine engine = start(2, (payload, run) -> Outcome.completed());

        void heartbeat() throws Exception {
            for (Duty duty : engine.duties()) {
                if (duty.name().equals("write the worker's heartbeat")) {
                    duty.work().run();
                }
            }
        }
    }

    @Test
    void thereAreBounds() {
        maxConcurrency = 6;
        Engine engine = start(2, (payload, run) -> Outcome.completed());
        for (int wrong : new int[] {0, -1, 7}) {
            assertThatThrownBy(() -> engine.concurrency(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("concurrency " + wrong + " is not valid: use 1 to 6");
        }
    }

    /** A handler of weight two, with a capacity of four. */
    @Test
    void noMoreLargeOnesRunThanTheCapacityAllows() throws Exception {
        options = options.weight(2);
        store.add(12, 20);
        Engine engine = start(4, (payload, run) -> work());
        await(() -> running.get() == 2);
        mayEnd.release(12);
        awaitCompleted(12);
        assertThat(most).hasValue(2);
        assertThat(engine.stats().claimed() - engine.stats().released()).isEqualTo(12);
    }
}
