package dev.pawl.dashboard.internal.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ChecksTest {
    @Test
    void afterALookThatHangsForEverThereIsAnother() {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        Checks checks = new Checks(
                () -> {
                    if (looks.incrementAndGet() == 1) {
                        try {
                            ended.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                },
                Duration.ofSeconds(1));
        try {
            assertThat(checks.answer("/ready").status()).isEqualTo(503); // two seconds later
            assertThat(checks.answer("/ready").status()).isEqualTo(200);
            assertThat(looks).hasValue(2);
        } finally {
            ended.countDown();
        }
    }

    @Test
    void noMoreThanThreeLooksHang() {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        Checks checks = new Checks(
                () -> {
                    looks.incrementAndGet();
                    try {
                        ended.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                Duration.ZERO);
        try {
            for (int i = 0; i < 5; i++) {
                assertThat(checks.answer("/ready").status()).isEqualTo(503);
            }
            assertThat(looks).hasValue(3);
        } finally {
            ended.countDown();
        }
    }
}
