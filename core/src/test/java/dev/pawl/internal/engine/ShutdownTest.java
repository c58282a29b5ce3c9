package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each step of a shutdown, with threads that have ended or hang. */
class ShutdownTest extends PartsFixture {
    /** Long enough for a busy machine, where no wait is expected to time out. */
    private static final ShutdownTimeouts PATIENT = new ShutdownTimeouts(
            Duration.ofSeconds(15), Duration.ofSeconds(15), Duration.ofSeconds(15), Duration.ofSeconds(15));

    private final CountDownLatch released = new CountDownLatch(1);
    private final WorkerParts parts = parts();
    private final Thread ended = new Thread(() -> {});

    @AfterEach
    void release() {
        released.countDown();
    }

    private void stop(Thread fetcher, Thread completer, Duration grace) {
        stop(PATIENT, fetcher, completer, grace);
    }

    private void stop(ShutdownTimeouts shutdownTimeouts, Thread fetcher, Thread completer, Duration grace) {
        new Shutdown("test", shutdownTimeouts, parts, fetcher, completer, List.of()).run(grace.toNanos());
    }

    private Thread started(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Test
    void jobsThatHaveNotStartedAreReleased() throws Exception {
        store.add(3, 20);
        parts.buffer.add(claim(parts, true));
        stop(ended, ended, Duration.ZERO);
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(3);
        assertThat(store.row(1).attempt).isZero();
        assertThat(parts.heldJobs.isEmpty()).isTrue();
        assertThat(parts.buffer.isClosed()).isTrue();
    }

    @Test
    void nothingIsReleasedWhenNothingWaits() {
        stop(ended, ended, Duration.ZERO);
        assertThat(store.calls("release")).isZero();
    }

    /** Otherwise their current work would continue after the pool is closed, or after the worker has released its permits. */
    @Test
    void thePartsOfFeaturesEndBeforeTheWorkerSignsOff() {
        long unused = parts.registration.getAsLong();
        List<Boolean> signedOff = new ArrayList<>();
        Thread keeper = started(() -> {
            parts.added.all().get(0).run();
            Delay.interruptibleWork(100); // a slow statement
            signedOff.add(store.calls("stopped") > 0);
        });
        new Shutdown("test", PATIENT, parts, ended, ended, List.of(keeper)).run(0);
        assertThat(keeper.isAlive()).isFalse();
        assertThat(signedOff).containsExactly(false);
        assertThat(store.calls("stopped")).isOne();
    }

    @Test
    void outcomesAreRecordedAndTheWorkerSignsOff() throws Exception {
        HeldJob held = held(parts);
        long unused = parts.registration.getAsLong();
        parts.completer.submit(held, new Verdict.Completed());
        parts.log.add(held.job(), "line");
        stop(ended, started(parts.completer), Duration.ZERO);
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(1);
        assertThat(store.logged()).containsExactly("line");
        assertThat(store.calls("stopped")).isEqualTo(1);
    }

    @Test
    void aWorkerThatWasNeverRegisteredWritesNoStop() {
        stop(ended, ended, Duration.ZERO);
        assertThat(store.calls("stopped")).isZero();
    }

    @Test
    void handlersAreInterruptedWhenTheGraceIsOver() throws Exception {
        WorkerParts blocking = parts(1, (payload, run) -> {
            released.await();
            return Outcome.completed();
        });
        HeldJob held = held(blocking);
        blocking.buffer.add(List.of(held));
        blocking.runners.start();
        EngineFixture.await(held::hasBegun);
        awaitWaiting(blocking.runners.all().get(0));
        new Shutdown("test", PATIENT, blocking, ended, started(blocking.completer), List.of()).run(0);
        assertThat(blocking.runners.all()).noneMatch(Thread::isAlive);
        assertThat(store.row(1).state).isEqualTo(JobState.AVAILABLE);
        assertThat(store.row(1).attempt).isZero();
    }

    @Test
    void handlersThatEndWithinTheGraceAreNotInterrupted() throws Exception {
        WorkerParts blocking = parts(1, (payload, run) -> {
            released.await();
            return Outcome.completed();
        });
        HeldJob held = held(blocking);
        blocking.buffer.add(List.of(held));
        blocking.runners.start();
        EngineFixture.await(held::hasBegun);
        Thread stopping =
                started(() -> new Shutdown("test", PATIENT, blocking, ended, started(blocking.completer), List.of())
                        .run(Duration.ofHours(1).toNanos()));
        EngineFixture.await(blocking.buffer::isClosed);
        stopping.join(100);
        assertThat(stopping.isAlive()).isTrue();
        released.countDown();
        stopping.join();
        assertThat(store.row(1).state).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void aDatabaseThatHangsIsNotWaitedForBeyondItsTime() throws Exception {
        HeldJob held = held(parts);
        store.hang("settle", released);
        store.hang("log", released);
        parts.log.add(held.job(), "line");
        parts.completer.submit(held, new Verdict.Completed());
        Thread completer = started(parts.completer);
        long before = System.nanoTime();
        stop(SHORT, ended, completer, Duration.ZERO);
        assertThat(System.nanoTime() - before)
                .isGreaterThanOrEqualTo(SHORT.database().toNanos())
                .isLessThan(Duration.ofSeconds(30).toNanos());
        assertThat(store.row(1).state).isEqualTo(JobState.RUNNING);
        released.countDown();
        completer.join();
    }

    @Test
    void outcomesAreRecordedDuringTheGracePeriod() throws Exception {
        HeldJob held = held(parts);
        store.hang("settle", released);
        parts.completer.submit(held, new Verdict.Completed());
        Thread completer = started(parts.completer);
        Thread stopping = started(() -> stop(ended, completer, Duration.ofHours(1)));
        stopping.join(SHORT.database().toMillis() * 2);
        assertThat(stopping.isAlive()).isTrue();
        released.countDown();
        stopping.join();
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(1);
    }

    @Test
    void anInterruptShortensEveryWaitAndStaysSet() {
        Thread hanging = started(() -> {
            try {
                released.await();
            } catch (InterruptedException e) {
                return;
            }
        });
        Thread.currentThread().interrupt();
        long before = System.nanoTime();
        stop(SHORT, hanging, hanging, Duration.ofHours(1));
        assertThat(System.nanoTime() - before).isLessThan(Duration.ofSeconds(30).toNanos());
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void withoutACompleterNoThreadWaitsForRoom() throws Exception {
        WorkerParts full = parts;
        for (HeldJob held : held(full, 4000)) {
            full.completer.submit(held, new Verdict.Completed());
        }
        HeldJob last = held(full);
        Thread submitting = started(() -> {
            try {
                full.completer.submit(last, new Verdict.Completed());
            } catch (InterruptedException e) {
                return;
            }
        });
        awaitWaiting(submitting);
        stop(SHORT, ended, ended, Duration.ZERO);
        submitting.join();
    }

    @Test
    void failingStatementsDoNotPreventTheStop() throws Exception {
        store.add(3, 20);
        parts.buffer.add(claim(parts, true));
        long unused = parts.registration.getAsLong();
        for (String verb : List.of("release", "log", "stopped")) {
            store.fail(verb, new IllegalStateException("of a driver"));
        }
        stop(ended, ended, Duration.ZERO);
        assertThat(store.calls("stopped")).isEqualTo(1);
        assertThat(parts.heldJobs.isEmpty()).isTrue();
    }
}
