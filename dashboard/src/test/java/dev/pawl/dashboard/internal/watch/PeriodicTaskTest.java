package dev.pawl.dashboard.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    private static final int SOON_SECONDS = 60;

    @Test
    void errorsDoNotStopItAndClosingInterruptsTheTask() throws Exception {
        CountDownLatch twice = new CountDownLatch(2);
        CountDownLatch interrupted = new CountDownLatch(1);
        PeriodicTask loop = PeriodicTask.start(
                "testing",
                () -> {
                    twice.countDown();
                    if (twice.getCount() > 0) {
                        throw new AssertionError("of a listener");
                    }
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                },
                Duration.ofMillis(10));
        assertThat(twice.await(SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
        loop.close();
        assertThat(interrupted.await(SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}
