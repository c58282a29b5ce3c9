package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.StartedLeases;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Faults provoked in reviews of the engine: interrupts, stops at awkward moments, errors that cannot be logged. */
class EngineFaultTest extends EngineFixture {
    /** An error that cannot even be logged. */
    private static final class Hostile extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    private static Thread named(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aWorkerStopsEvenIfItsFailureCannotBeLogged() throws Exception {
        lease = SHORT_LEASE;
        store.add(1, 20);
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        awaitCompleted(1);
        store.fail("settle", new Hostile());
        store.add(1, 20);
        await(() -> !engine.isAlive() && store.calls("stopped") == 1);
        int renewals = store.calls("renew");
        store.fail("settle", null);
        Rescuer rescuer = new Rescuer(store, new OutcomePolicy(policy), new Counters());
        AtomicInteger rescued = new AtomicInteger();
        await(() -> {
            try {
                return rescued.addAndGet(rescuer.rescue()) == 1;
            } catch (java.sql.SQLException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(store.calls("renew")).isEqualTo(renewals);
    }

    /** The job has started: if it counted as not started, it would run again and again for ever. */
    @Test
    void aJobWhoseOutcomeIsRefusedUsesUpItsAttempts() throws Exception {
        lease = SHORT_LEASE;
        store.add(2000, 20);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(2000);
        AtomicInteger runs = new AtomicInteger();
        engines.get(0).stop(Duration.ZERO);
        store.add(100, 20);
        long bad = store.add("bad", 2);
        store.add(100, 20);
        store.fail("settle " + bad, FakeStore.refused());
        start(4, (payload, run) -> {
            runs.addAndGet(payload.equals("bad") ? 1 : 0);
            return Outcome.completed();
        });
        await(() -> {
            store.add(20, 20);
            return store.row(bad).state == JobState.DISCARDED;
        });
        assertThat(runs.get()).isEqualTo(2);
    }

    /** Regression: a driver reported a packet that was too large as a lost connection, and no further outcome was recorded. */
    @Test
    void anOutcomeThatCannotBeRecordedAffectsOnlyItsJob() throws Exception {
        store.add(20, 20);
        long bad = store.add("bad", 1);
        store.add(29, 20);
        store.fail("complete " + bad, FakeStore.away());
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(49);
        await(() -> {
            store.add(1, 20);
            return store.row(bad).state == JobState.DISCARDED;
        });
        assertThat(store.errors())
                .singleElement()
                .asString()
                .contains("could not be recorded")
                .contains("away");
    }

    @Test
    void anInterruptedStopStartsNoFurtherJobs() throws Exception {
        store.add(2000, 20);
        for (int i = 0; i < 500; i++) {
            store.add("slow", 20);
        }
        Engine engine = start(20, (payload, run) -> payload.equals("slow") ? block() : Outcome.completed());
        await(() -> begun.size() >= 2010);
        Thread.currentThread().interrupt();
        engine.stop(Duration.ofSeconds(10));
        assertThat(Thread.interrupted()).isTrue();
        int atStop = begun.size();
        assertThat(engine.stats().buffered()).isZero();
        await(() -> store.count(JobState.RUNNING) <= 20);
        assertThat(begun).hasSize(atStop);
    }

    @Test
    void aListenerMayStopItsWorkerWithoutLosingOutcomes() throws Exception {
        CompletableFuture<Engine> self = new CompletableFuture<>();
        listeners.add(event -> {
            if (event instanceof WorkerEvent.Completed completed
                    && completed.job().payload().equals("last")) {
                self.join().stop(Duration.ofSeconds(10));
            }
        });
        for (int i = 0; i < 9; i++) {
            store.add("slow", 20);
        }
        store.add("last", 20);
        CountDownLatch stopping = new CountDownLatch(1);
        self.complete(start(10, (payload, run) -> {
            if (payload.equals("slow")) {
                stopping.await();
            }
            return Outcome.completed();
        }));
        await(() -> !self.join().isAlive());
        stopping.countDown();
        awaitCompleted(10);
    }

    @Test
    void aHandlerMayStopItsWorker() throws Exception {
        CompletableFuture<Engine> self = new CompletableFuture<>();
        store.add("stop", 20);
        self.complete(start(2, (payload, run) -> {
            self.join().stop(Duration.ofSeconds(30));
            return Outcome.completed();
        }));
        awaitCompleted(1);
        await(() -> store.calls("stopped") == 1);
    }

    @Test
    void interruptsByOtherCodeEndNoCoreThread() throws Exception {
        AtomicBoolean once = new AtomicBoolean();
        listeners.add(event -> {
            if (event instanceof WorkerEvent.Completed && once.compareAndSet(false, true)) {
                Thread.currentThread().interrupt();
            }
        });
        store.add(500, 20);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(500);
        named("pawl-fetcher").interrupt();
        named("pawl-completer").interrupt();
        store.add(500, 20);
        awaitCompleted(1000);
    }

    @Test
    void anInterruptByAListenerDoesNotReachTheHandler() throws Exception {
        listeners.add(event -> Thread.currentThread().interrupt());
        store.add(50, 1);
        start(2, (payload, run) -> {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return Outcome.completed();
        });
        awaitCompleted(50);
    }

    @Test
    void aRunnerThatIsInterruptedWhileAStartIsLoggedKeepsItsJob() throws Exception {
        Set<Thread> runners = ConcurrentHashMap.newKeySet();
        store.add(2000, 20);
        start(4, (payload, run) -> {
            runners.add(Thread.currentThread());
            return Outcome.completed();
        });
        awaitCompleted(2000);
        store.fail("logStarts", FakeStore.away());
        store.add(100, 1);
        int before = store.calls("logStarts");
        await(() -> store.calls("logStarts") > before + 10 && store.count(JobState.RUNNING) > 20);
        runners.forEach(Thread::interrupt);
        store.fail("logStarts", null);
        awaitCompleted(2100);
        for (long id = 2001; id <= 2100; id++) {
            assertThat(store.row(id).attempt).isEqualTo(1);
        }
    }

    @Test
    void aLargeDeferredOutcomeDelaysNoOther() throws Exception {
        bufferBytes = 1 << 16;
        long large = store.add("x".repeat(1 << 16), 20);
        store.lockRow(large, true);
        store.add(200, 20);
        start(4, (payload, run) -> Outcome.completed());
        awaitCompleted(200);
        store.lockRow(large, false);
        awaitCompleted(201);
    }

    @Test
    void aStopWhileStartsAreLoggedCostsNoAttempt() throws Exception {
        store.add(2000, 20);
        Engine engine = start(2, (payload, run) -> Outcome.completed());
        awaitCompleted(2000);
        CountDownLatch resumed = new CountDownLatch(1);
        store.hang("logStarts", resumed);
        for (int i = 0; i < 50; i++) {
            store.add("only", 1);
        }
        await(() -> store.count(JobState.RUNNING) == 50 && engine.stats().buffered() > 0);
        Thread stopping = new Thread(() -> engine.stop(Duration.ofSeconds(20)));
        stopping.start();
        await(() -> engine.stats().buffered() == 0);
        resumed.countDown();
        stopping.join();
        for (long id = 2001; id <= 2050; id++) {
            FakeStore.Row row = store.row(id);
            assertThat(row.state).isEqualTo(begun.contains(id) ? JobState.COMPLETED : JobState.AVAILABLE);
            assertThat(row.attempt).isEqualTo(begun.contains(id) ? 1 : 0);
        }
    }

    @Test
    void aJobBehindManyLockedOnesIsRescued() throws Exception {
        store.add(501, 20);
        for (long id = 1; id <= 501; id++) {
            store.steal(id);
            store.row(id).expiresNanos = System.nanoTime() - 1;
            store.row(id).attempt = 1;
            store.lockRow(id, id <= 500);
        }
        assertThat(new Rescuer(store, new OutcomePolicy(RetryPolicy.DEFAULT), new Counters()).rescue())
                .isEqualTo(1);
    }

    @Test
    void anUnreadableStartLogMeansThatAllJobsMayHaveStarted() {
        Lease lease = new Lease(5, 1);
        assertThat(StartedLeases.among("{\"v2\":[[1,5]]}", List.of(lease))).containsExactly(lease);
        assertThat(StartedLeases.among(null, List.of(lease))).isEmpty();
        assertThat(StartedLeases.among("[]", List.of(lease))).isEmpty();
    }

    @Test
    void theStartLogIsReadBack() {
        List<Lease> leases =
                List.of(new Lease(7, 1), new Lease(5, 1), new Lease(6, 1), new Lease(6, 2), new Lease(9, 1));
        String text = StartedLeases.encode(leases);
        assertThat(text).isEqualTo("[[1,5,7],[1,9],[2,6]]");
        assertThat(StartedLeases.among(text, leases)).containsExactlyInAnyOrderElementsOf(leases);
        assertThat(StartedLeases.among(
                        text, List.of(new Lease(8, 1), new Lease(5, 2), new Lease(4, 1), new Lease(7, 2))))
                .isEmpty();
    }

    @Test
    void anEndlessStopTimeoutIsNotAnError() throws Exception {
        shutdownTimeouts = ShutdownTimeouts.USUAL;
        store.add(1, 20);
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        awaitCompleted(1);
        engine.stop(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(engine.isAlive()).isFalse();
        assertThat(store.calls("stopped")).isEqualTo(1);
    }
}
