package dev.pawl.internal.engine;

import static dev.pawl.internal.engine.PartsFixture.awaitWaiting;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FetchSignalTest {
    private static final long LONG = TimeUnit.HOURS.toNanos(1);
    private final FetchSignal signal = new FetchSignal("mine"::equals);

    @Test
    void aNotificationOfItsQueuesEndsOneWaitForJobs() throws Exception {
        signal.wake("mine");
        assertThat(signal.awaitJobs(LONG)).isEqualTo(FetchSignal.News.JOBS);
        assertThat(signal.awaitJobs(1)).isEqualTo(FetchSignal.News.NONE);
        signal.expect("mine");
        assertThat(signal.awaitJobs(LONG)).isEqualTo(FetchSignal.News.EXPECTED);
        assertThat(signal.awaitJobs(1)).isEqualTo(FetchSignal.News.NONE);
        signal.poll();
        assertThat(signal.awaitJobs(LONG)).isEqualTo(FetchSignal.News.JOBS);
    }

    @Test
    void otherQueuesAndFreeHandlersDoNotEndTheWaitForJobs() throws Exception {
        signal.wake("other");
        signal.expect("other");
        signal.capacityFreed();
        assertThat(signal.awaitJobs(1)).isEqualTo(FetchSignal.News.NONE);
    }

    @Test
    void aFreeHandlerEndsOneWaitForCapacity() throws Exception {
        signal.capacityFreed();
        signal.awaitCapacity(LONG);
        assertThat(waitsFor(() -> signal.awaitCapacity(LONG))).isTrue();
    }

    @Test
    void newsAreNotRoom() throws Exception {
        signal.wake("mine");
        assertThat(waitsFor(() -> signal.awaitCapacity(LONG))).isTrue();
    }

    /** An expected transaction is not forgotten, because it has not committed yet. */
    @Test
    void notificationsFromBeforeAClaimAreForgotten() throws Exception {
        signal.wake("mine");
        signal.capacityFreed();
        signal.clear();
        assertThat(signal.awaitJobs(1)).isEqualTo(FetchSignal.News.NONE);
        assertThat(waitsFor(() -> signal.awaitCapacity(LONG))).isTrue();
        signal.expect("mine");
        signal.clear();
        assertThat(signal.awaitJobs(LONG)).isEqualTo(FetchSignal.News.EXPECTED);
    }

    @Test
    void waitsEndWhenTheirTimeIsOver() throws Exception {
        signal.awaitCapacity(1);
        signal.pause(1);
        long before = System.nanoTime();
        signal.pause(TimeUnit.MILLISECONDS.toNanos(20));
        signal.awaitCapacity(TimeUnit.MILLISECONDS.toNanos(20));
        signal.awaitJobs(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(60));
    }

    @Test
    void onlyClosingEndsAPause() throws Exception {
        signal.wake("mine");
        signal.expect("mine");
        signal.capacityFreed();
        assertThat(waitsFor(() -> signal.pause(LONG))).isTrue();
        signal.close();
        signal.pause(LONG);
        signal.awaitCapacity(LONG);
        assertThat(signal.awaitJobs(LONG)).isNotNull();
    }

    private interface Wait {
        void run() throws InterruptedException;
    }

    /** Interrupts the thread once it waits. */
    private static boolean waitsFor(Wait wait) throws InterruptedException {
        boolean[] interrupted = new boolean[1];
        Thread thread = new Thread(() -> {
            try {
                wait.run();
            } catch (InterruptedException e) {
                interrupted[0] = true;
            }
        });
        thread.start();
        EngineFixture.await(
                () -> thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.TERMINATED);
        thread.interrupt();
        thread.join();
        return interrupted[0];
    }

    @Test
    void aNotificationEndsAWaitInProgress() throws Exception {
        for (Runnable news : new Runnable[] {() -> signal.wake("mine"), () -> signal.expect("mine"), signal::close}) {
            Thread thread = new Thread(() -> {
                try {
                    signal.awaitJobs(LONG);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            thread.start();
            awaitWaiting(thread);
            news.run();
            thread.join();
        }
    }
}
