package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class HousekeeperTest {
    /** Found as a sweep that committed after its worker was closed. */
    @Test
    void stopWaitsForADutyThatIsUnderWay() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean committed = new AtomicBoolean();
        Housekeeper housekeeper = new Housekeeper(1);
        housekeeper.every(Duration.ofMillis(1), "write", () -> {
            begun.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(10)); // until it is told to stop
            }
            boolean unused = Thread.interrupted();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100)); // a statement that is sent is not taken back
            committed.set(true);
        });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        housekeeper.stop();
        assertThat(committed).isTrue();
    }
}
