package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.JobRun;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import dev.pawl.internal.codec.DefaultCodec;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ActiveRunTest extends PartsFixture {
    private final WorkerParts parts = parts();

    private JobRun run(HeldJob held) {
        return active(held, new Transactions(store, new Conflicts(store, new RunLog(store)), 1));
    }

    private ActiveRun active(HeldJob held, Transactions transactions) {
        return new ActiveRun(held, transactions, parts.log, store, new Results(new DefaultCodec(), 100), true);
    }

    @Test
    void itReportsWhatWasClaimed() throws Exception {
        store.add("one", 1);
        store.add("two", 2);
        HeldJob last = claim(parts, false).get(0);
        assertThat(run(last).job()).isSameAs(last.job());
        assertThat(run(last).attempt()).isEqualTo(1);
        assertThat(run(last).leaseToken()).isEqualTo(1);
        assertThat(run(last).isLastAttempt()).isTrue();
        assertThat(run(claimedAs(2)).isLastAttempt()).isFalse();
    }

    private HeldJob claimedAs(long id) {
        return parts.heldJobs.all().stream()
                .filter(held -> held.job().id() == id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void progressIsBroughtInside() throws Exception {
        HeldJob held = held(parts);
        run(held).progress(-1);
        assertThat(held.takeProgress()).isZero();
        run(held).progress(101);
        assertThat(held.takeProgress()).isEqualTo(100);
        run(held).progress(42);
        assertThat(held.takeProgress()).isEqualTo(42);
    }

    @Test
    void theTimeLeftIsThatOfTheTimeout() throws Exception {
        HeldJob held = held(parts);
        assertThat(run(held).timeLeft()).isEmpty();
        held.begin(Thread.currentThread(), 0, Duration.ofHours(1));
        assertThat(run(held).timeLeft().orElseThrow()).isBetween(Duration.ofMinutes(55), Duration.ofHours(1));
    }

    @Test
    void aTimeThatIsOverIsZero() throws Exception {
        HeldJob held = held(parts);
        held.begin(Thread.currentThread(), 0, Duration.ofNanos(1));
        assertThat(run(held).timeLeft()).contains(Duration.ZERO);
    }

    @Test
    void anyStopIsACancellationForTheHandler() throws Exception {
        HeldJob held = held(parts);
        assertThat(run(held).isCancelled()).isFalse();
        held.stop(HeldJob.Stop.WORKER_STOPS);
        assertThat(run(held).isCancelled()).isTrue();
    }

    @Test
    void theAssignmentIsFenced() throws Exception {
        JobRun run = run(held(parts));
        run.assignedTo("x".repeat(200));
        assertThatThrownBy(() -> run.assignedTo("x".repeat(201))).isInstanceOf(IllegalArgumentException.class);
        store.fail("assign", 1, FakeStore.away());
        assertThatThrownBy(() -> run.assignedTo("somebody"))
                .isInstanceOfSatisfying(
                        DatabaseException.class,
                        e -> assertThat(e.isTransient()).isTrue());
        store.steal(1);
        assertThatThrownBy(() -> run.assignedTo("somebody")).isInstanceOf(LeaseLostException.class);
    }

    /** Regression: memory grew with every run whose handler had left a logging thread behind. */
    @Test
    void whatIsLoggedAfterTheRunCountsForTheRun() throws Exception {
        AtomicReference<JobRun> kept = new AtomicReference<>();
        WorkerParts logging = parts(1, (payload, run) -> {
            for (int i = 0; i < 1000; i++) {
                run.log("line");
            }
            kept.set(run);
            return Outcome.completed();
        });
        logging.buffer.add(held(logging, 1));
        Thread running = new Thread(runners.get(runners.size() - 1));
        running.start();
        EngineFixture.await(() -> kept.get() != null);
        awaitWaiting(running);
        logging.buffer.close();
        running.join();
        logging.completer.stop();
        logging.completer.run();
        assertThat(logging.heldJobs.isEmpty()).isTrue();
        Objects.requireNonNull(kept.get()).log("late");
        logging.log.flush();
        assertThat(store.logged()).hasSize(1000).doesNotContain("late");
    }

    @Test
    void itsTransactionCompletesTheJob() throws Exception {
        HeldJob held = held(parts);
        run(held).transaction(connection -> assertThat(held.isCommitted()).isFalse());
        assertThat(held.isCommitted()).isTrue();
    }

    @Test
    void aTransactionThatIsOpenAroundTheHandlerIsUsed() throws Exception {
        HeldJob held = held(parts);
        Transactions transactions = new Transactions(store, new Conflicts(store, new RunLog(store)), 1);
        ActiveRun active = active(held, transactions);
        AtomicInteger run = new AtomicInteger();
        transactions.run(held, around -> {
            active.isWithin(around);
            active.transaction(connection -> {
                assertThat(connection).isSameAs(around);
                run.incrementAndGet();
            });
        });
        assertThat(run).hasValue(1);
    }
}
