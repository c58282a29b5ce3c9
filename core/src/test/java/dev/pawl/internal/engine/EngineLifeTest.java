package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Calls to a worker from outside: whether it is idle, its identity, wake-ups, its end. */
@Execution(ExecutionMode.CONCURRENT)
class EngineLifeTest extends EngineFixture {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** A messenger that receives notifications from other processes, as PostgreSQL's does. */
    private static final class ObservedMessenger implements WakeHub.Messenger {
        volatile WakeHub.@Nullable Receiver listener;
        volatile boolean closed;

        @Override
        public void publish(String queue) {}

        @Override
        public void publishOnCommit(Connection connection, String queue) {}

        @Override
        public WakeHub.Subscription subscribe(WakeHub.Receiver receiver) {
            listener = receiver;
            return () -> {
                closed = true;
                throw new IllegalStateException("it does not close");
            };
        }

        @Override
        public void close() {}
    }

    @Test
    void aWorkerIsIdleWhenItHoldsNothingAndFindsNothing() throws Exception {
        store.add("first", 20);
        Engine engine = start(1, (payload, run) -> {
            if (payload.equals("first")) {
                block();
                store.add("second", 20); // a finishing job may enqueue others
            }
            return Outcome.completed();
        });
        await(() -> begun.size() == 1);
        assertThat(engine.awaitIdle(Duration.ofMillis(20))).isFalse();
        released.countDown();
        assertThat(engine.awaitIdle(LONG)).isTrue();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(2);
        assertThat(engine.isAlive()).isTrue();
    }

    /** An empty round from before the last job says nothing about jobs that the last job has enqueued. */
    @Test
    void emptyRoundsFromBeforeTheLastJobDoNotCount() throws Exception {
        CountDownLatch claims = new CountDownLatch(1);
        Engine engine = start(1, (payload, run) -> {
            if (payload.equals("first")) {
                block();
                store.hang("claim", claims);
                store.add("second", 20);
            }
            return Outcome.completed();
        });
        await(() -> store.calls("claim") >= 5);
        store.add("first", 20);
        await(() -> begun.size() == 1);
        released.countDown();
        awaitCompleted(1);
        assertThat(engine.awaitIdle(Duration.ofMillis(50))).isFalse();
        claims.countDown();
        assertThat(engine.awaitIdle(LONG)).isTrue();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(2);
    }

    @Test
    void aWorkerThatCannotClaimIsNotIdle() throws Exception {
        store.fail("claim", FakeStore.away());
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        await(() -> store.calls("claim") >= 1);
        assertThat(engine.awaitIdle(Duration.ofMillis(20))).isFalse();
        engine.stop(Duration.ZERO);
        assertThat(engine.awaitIdle(LONG)).as("stopped").isTrue();
    }

    @Test
    void aDrainedWorkerRunsWhatItHoldsAndClaimsNoMore() throws Exception {
        store.add(1, 20);
        Engine engine = start(1, (payload, run) -> block());
        await(() -> begun.size() == 1);
        engine.drain();
        store.add(1, 20);
        released.countDown();
        assertThat(engine.awaitIdle(LONG)).isTrue();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(1);
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(1);
        assertThat(engine.isAlive()).isTrue();
    }

    @Test
    void itsJobsCarryItsIdAndItsNameContainsTheProcessId() throws Exception {
        long id = store.add("{}", 20);
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        awaitCompleted(1);
        assertThat(engine.workerId()).isEqualTo(store.row(id).leasedBy).isPositive();
        assertThat(Engine.defaultName())
                .matches("[^/]+/" + ProcessHandle.current().pid());
    }

    /** Without notifications the delays between its rounds grow up to the poll interval. */
    @Test
    void itHearsOfJobsFromItsOwnProcessAndFromOthersUntilItStops() throws Exception {
        ObservedMessenger messenger = new ObservedMessenger();
        wakes = new WakeHub(messenger);
        pollInterval = Duration.ofHours(1);
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        await(() -> {
            wakes.enqueued(Set.of("default"));
            return store.calls("claim") >= 40;
        });
        await(() -> {
            WakeHub.Receiver listener = messenger.listener;
            if (listener != null) {
                listener.received("default");
            }
            return store.calls("claim") >= 80;
        });
        assertThat(wakes.sleepers()).isOne();
        engine.stop(Duration.ZERO);
        assertThat(messenger.closed).isTrue();
        assertThat(wakes.sleepers()).as("or a stopped worker is kept in memory").isZero();
        engine.join();
        assertThat(engine.isAlive()).isFalse();
    }

    @Test
    void itsThreadsDoNotKeepTheJvmAlive() throws Exception {
        store.add(1, 20);
        start(2, (payload, run) -> block());
        await(() -> begun.size() == 1);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("pawl"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
    }

    @Test
    void aCallerInterruptedWhileItWaitsForAStopStaysInterrupted() throws Exception {
        store.add(1, 20);
        Engine engine = start(1, (payload, run) -> block());
        await(() -> begun.size() == 1);
        Thread first = new Thread(() -> engine.stop(LONG));
        first.setDaemon(true);
        first.start();
        await(() -> !engine.isAlive());
        Thread.currentThread().interrupt();
        engine.stop(LONG);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(first.isAlive()).as("the first goes on").isTrue();
        released.countDown();
        engine.join();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(1);
    }

    /** The listener runs on a thread of the worker, so a stop that the listener calls must not wait for the worker's end. */
    @Test
    void aListenerOfLostLeasesMayStopItsWorkerAndDoesNotWaitForIt() throws Exception {
        CompletableFuture<Engine> self = new CompletableFuture<>();
        CountDownLatch returned = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        listeners.add(event -> {
            if (event instanceof WorkerEvent.LeaseLost) {
                self.join().stop(LONG);
                returned.countDown();
            }
        });
        store.add(2, 20);
        self.complete(start(2, (payload, run) -> {
            if (run.job().id() == 1) {
                return block();
            }
            mayEnd.await();
            return Outcome.completed();
        }));
        await(() -> begun.size() == 2);
        store.steal(1);
        returned.await();
        mayEnd.countDown();
        self.join().join();
        assertThat(store.row(2).state).isEqualTo(JobState.COMPLETED);
    }
}
