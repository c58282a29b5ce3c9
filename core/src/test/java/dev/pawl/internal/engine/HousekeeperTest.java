package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.Delay;
import dev.pawl.internal.store.Duty;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HousekeeperTest {
    private final DatabaseHealth health = new FakeStore().health();

    /** Regression: a sweep committed after its worker was closed. */
    @Test
    void stopWaitsForARunningDuty() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean committed = new AtomicBoolean();
        Housekeeper housekeeper = new Housekeeper(
                List.of(new Duty("write", Duration.ofMillis(1), Duty.WhileSuspended.MAY_WAIT, () -> {
                    begun.countDown();
                    while (!Thread.currentThread().isInterrupted()) {
                        Delay.interruptibleWork(10_000); // until it is stopped
                    }
                    boolean unused = Thread.interrupted();
                    Delay.interruptibleWork(100); // a statement that was sent cannot be withdrawn
                    committed.set(true);
                })),
                health);
        housekeeper.start();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        housekeeper.stop(Duration.ofSeconds(10));
        assertThat(committed).isTrue();
    }

    /** An executor drops a task that throws. Regression: renewals stopped for good after one Error. */
    @Test
    void aDutyThatThrowsAnErrorIsDoneAgain() throws Exception {
        CountDownLatch done = new CountDownLatch(3);
        Housekeeper housekeeper = new Housekeeper(
                List.of(new Duty("fail", Duration.ofMillis(1), Duty.WhileSuspended.MAY_WAIT, () -> {
                    done.countDown();
                    throw new StackOverflowError();
                })),
                health);
        housekeeper.start();
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        housekeeper.stop(Duration.ofSeconds(10));
    }

    @Test
    void aSlowDutyHoldsUpNoOther() throws Exception {
        CountDownLatch forever = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(3);
        Housekeeper housekeeper = new Housekeeper(
                List.of(
                        new Duty(
                                "hang",
                                Duration.ofMillis(1),
                                Duty.WhileSuspended.MAY_WAIT,
                                () -> awaitUnlessInterrupted(forever)),
                        new Duty("go on", Duration.ofMillis(1), Duty.WhileSuspended.MAY_WAIT, done::countDown)),
                health);
        housekeeper.start();
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        housekeeper.stop(Duration.ofMillis(1));
        forever.countDown();
    }

    private static void awaitUnlessInterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            return;
        }
    }
}
