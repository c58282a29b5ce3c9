package dev.pawl.dashboard.internal.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.QueueStats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CachedTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void aLookIsSharedForASecond() {
        Cached<Integer> cached = new Cached<>(asked::incrementAndGet, now::get);
        assertThat(cached.get()).isEqualTo(1);
        pass(Duration.ofMillis(999));
        assertThat(cached.get()).isEqualTo(1);
        pass(Duration.ofMillis(2));
        assertThat(cached.get()).isEqualTo(2);
        cached.forget();
        assertThat(cached.get()).isEqualTo(3);
    }

    @Test
    void whatTookLongIsKeptLong() {
        Cached<Integer> cached = new Cached<>(
                () -> {
                    pass(Duration.ofSeconds(2));
                    return asked.incrementAndGet();
                },
                now::get);
        cached.get();
        pass(Duration.ofSeconds(19));
        assertThat(cached.get()).isEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(cached.get()).isEqualTo(2);
    }

    @Test
    void whileOneAsksOthersSeeTheLastAnswer() throws Exception {
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Cached<Integer> cached = new Cached<>(
                () -> {
                    if (asked.incrementAndGet() == 2) {
                        asking.countDown();
                        awaitQuietly(answer);
                    }
                    return asked.get();
                },
                now::get);
        cached.get();
        pass(Duration.ofSeconds(2));
        Thread slow = new Thread(cached::get);
        slow.start();
        asking.await();
        assertThat(cached.get()).isEqualTo(1);
        answer.countDown();
        slow.join();
        assertThat(cached.get()).isEqualTo(2);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aShrinkingQueueHasATrend() {
        Depths depths = new Depths();
        for (int i = 0; i < 500; i++) {
            depths.add(List.of(new QueueStats("mail", false, null, 1_000 - i, 0, 0, 0, null)), now.get());
            pass(Duration.ofSeconds(1));
        }
        Depths.Trend trend = depths.of("mail").orElseThrow();
        assertThat(trend.points()).hasSize(120).startsWith(620L).endsWith(501L);
        assertThat(trend.perSecond()).isEqualTo(-1);
        assertThat(depths.of("other")).isEmpty();
    }
}
