package dev.pawl.dashboard.internal.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HealthChecksTest {
    @Test
    void afterAHangingCheckAnotherBegins() {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger snapshots = new AtomicInteger();
        HealthChecks checks = new HealthChecks(
                () -> {
                    if (snapshots.incrementAndGet() == 1) {
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
            assertThat(snapshots).hasValue(2);
        } finally {
            ended.countDown();
        }
    }

    @Test
    void atMostThreeChecksHang() {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger snapshots = new AtomicInteger();
        HealthChecks checks = new HealthChecks(
                () -> {
                    snapshots.incrementAndGet();
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
            assertThat(snapshots).hasValue(3);
        } finally {
            ended.countDown();
        }
    }
}
