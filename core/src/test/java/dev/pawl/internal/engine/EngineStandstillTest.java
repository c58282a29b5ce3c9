package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One part that fails or hangs must not block everything else. */
class EngineStandstillTest extends EngineFixture {
    /** The claim commits, but its reply is lost. */
    @Test
    void aJobWhoseClaimReplyIsLostIsNotDiscardedBeforeItRuns() throws Exception {
        lease = SHORT_LEASE;
        long only = store.add("{}", 1);
        store.fail("reply to claim", FakeStore.away());
        start(1, (payload, run) -> Outcome.completed());
        await(() -> store.calls("reply to claim") >= 1);
        store.fail("reply to claim", null);
        await(() -> !begun.isEmpty() || store.row(only).state == JobState.DISCARDED);
        awaitCompleted(1);
    }

    /** A statement timeout or a network timeout may end the recording of a large batch each time. */
    @Test
    void aBatchOfOutcomesThatTakesTooLongIsMadeSmaller() throws Exception {
        lease = Duration.ofSeconds(30);
        store.add(100, 20);
        store.fail("settle more than 10", FakeStore.away());
        start(100, (payload, run) -> block());
        await(() -> begun.size() == 100);
        released.countDown();
        awaitCompleted(100);
        assertThat(store.calls("settle more than 10")).isPositive();
    }

    @Test
    void aRescueThatTakesTooLongIsMadeSmaller() throws Exception {
        store.add(100, 20);
        PartsFixture.claim(store, strategy, false, Duration.ZERO);
        store.fail("rescue more than 10", FakeStore.away());
        Rescuer rescuer = new Rescuer(store, new OutcomePolicy(policy), new Counters());
        await(() -> {
            try {
                rescuer.rescue();
            } catch (SQLException tooLong) {
                assertThat(tooLong.getMessage()).contains("away");
            }
            return store.count(JobState.RUNNING) == 0;
        });
    }

    /** The claim returns a row that the driver cannot read. */
    @Test
    void aQueueWhoseClaimFailsDoesNotStopTheOthers() throws Exception {
        queues = List.of("bad", "default");
        store.add(10, 20);
        store.fail("claim from bad", new SQLException("a moment without microseconds", "22007"));
        start(2, (payload, run) -> Outcome.completed());
        awaitCompleted(10);
        assertThat(store.calls("claim from bad")).isPositive();
    }

    @Test
    void aSecondStopWaitsForTheFirst() throws Exception {
        store.add(1, 20);
        Engine engine = start(1, (payload, run) -> block());
        await(() -> begun.size() == 1);
        Thread first = new Thread(() -> engine.stop(Duration.ofSeconds(30)));
        first.start();
        await(() -> !engine.isAlive());
        Thread second = new Thread(() -> engine.stop(Duration.ofSeconds(30)));
        second.start();
        await(() -> second.getState() == Thread.State.WAITING || !second.isAlive());
        assertThat(second.isAlive()).isTrue();
        released.countDown();
        second.join();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(1);
    }

    /** The stopping thread itself publishes the lost leases that it finds. */
    @Test
    void aListenerOfLostLeasesMayStopTheWorkerThatIsStopping() throws Exception {
        lease = Duration.ofSeconds(30);
        CountDownLatch told = new CountDownLatch(1);
        AtomicReference<Engine> stopped = new AtomicReference<>();
        listeners.add(event -> {
            if (event instanceof WorkerEvent.LeaseLost) {
                Objects.requireNonNull(stopped.get()).stop(Duration.ZERO);
                told.countDown();
            }
        });
        store.add(1, 20);
        Engine engine = start(1, (payload, run) -> block());
        stopped.set(engine);
        await(() -> begun.size() == 1);
        store.steal(1);
        Thread stopping = new Thread(() -> engine.stop(Duration.ofSeconds(30)));
        stopping.start();
        released.countDown();
        stopping.join();
        told.await();
    }

    /** Another worker has the job after a failover, and this process is cut off. */
    @Test
    void aHandlerInATransactionIsInterruptedOnceTheDatabaseIsAwayForLong() throws Exception {
        lease = SHORT_LEASE;
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        long id = store.add("{}", 20);
        start(1, (payload, run) -> {
            run.transaction(connection -> {
                open.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                }
            });
            return Outcome.completed();
        });
        open.await();
        store.fail("renew", FakeStore.away());
        store.steal(id);
        interrupted.await();
    }

    /** The listener does not return until the test ends. */
    @Test
    void aSlowListenerOfLostLeasesDelaysNoRenewal() throws Exception {
        lease = FIRM_LEASE;
        Semaphore told = new Semaphore(0);
        listeners.add(event -> {
            if (event instanceof WorkerEvent.LeaseLost) {
                told.release();
                try {
                    released.await();
                } catch (InterruptedException stopping) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        store.add(2, 20);
        start(2, (payload, run) -> block());
        await(() -> begun.size() == 2);
        store.steal(1);
        told.acquire();
        int renewals = store.calls("renew");
        await(() -> store.calls("renew")
                >= renewals + 5); // one renewal per quarter of a lease, so five take longer than one lease
    }
}
