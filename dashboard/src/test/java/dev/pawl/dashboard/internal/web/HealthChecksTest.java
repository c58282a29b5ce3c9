package dev.pawl.dashboard.internal.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HealthChecksTest {
    @Test
    void afterAHangingCheckAnotherBegins() {
        CountDownLatch mayFinish = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        HealthChecks checks = new HealthChecks(
                () -> {
                    if (begun.incrementAndGet() == 1) {
                        try {
                            mayFinish.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                },
                Duration.ofSeconds(1));
        try {
            assertThat(checks.answer("/ready").status()).isEqualTo(503); // two seconds later
            assertThat(checks.answer("/ready").status()).isEqualTo(200);
            assertThat(begun).hasValue(2);
        } finally {
            mayFinish.countDown();
        }
    }

    @Test
    void atMostThreeChecksHang() {
        CountDownLatch mayFinish = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        HealthChecks checks = new HealthChecks(
                () -> {
                    begun.incrementAndGet();
                    try {
                        mayFinish.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                Duration.ZERO);
        try {
            for (int i = 0; i < 5; i++) {
                assertThat(checks.answer("/ready").status()).isEqualTo(503);
            }
            assertThat(begun).hasValue(3);
        } finally {
            mayFinish.countDown();
        }
    }
}
