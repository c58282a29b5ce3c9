package dev.pawl.dashboard.internal.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.dashboard.internal.web.Refusal;
import java.time.Duration;
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
    void resultsAreSharedForASecond() {
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
    void slowResultsAreKeptLonger() {
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
    void duringAQueryOthersSeeTheLastResult() throws Exception {
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

    /** The database hangs: the last result expires, and no caller waits for ever. */
    @Test
    void duringAHangTheLastResultIsValidForHalfAMinute() throws Exception {
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
                now::get,
                Duration.ofMillis(50),
                null);
        cached.get();
        pass(Duration.ofSeconds(2));
        Thread slow = new Thread(cached::get);
        slow.start();
        asking.await();
        pass(Duration.ofSeconds(28));
        assertThat(cached.get()).isEqualTo(1);
        pass(Duration.ofSeconds(3));
        assertThatThrownBy(cached::get).isInstanceOf(Refusal.class).hasMessageContaining("has not answered");
        answer.countDown();
        slow.join();
        assertThat(cached.get()).isEqualTo(2);
    }

    /**
     * Callers do not wait for slow queries. During the first query they get no result, and during later queries they get the last result.
     */
    @Test
    void slowQueriesRunInTheBackground() throws Exception {
        java.util.concurrent.Semaphore answers = new java.util.concurrent.Semaphore(0);
        java.util.concurrent.ExecutorService threads = java.util.concurrent.Executors.newSingleThreadExecutor();
        try {
            Cached<Integer> cached = new Cached<>(
                    () -> {
                        answers.acquireUninterruptibly();
                        pass(Duration.ofSeconds(1));
                        return asked.incrementAndGet();
                    },
                    now::get,
                    Duration.ofSeconds(20),
                    threads);
            assertThat(cached.soon()).isEmpty();
            answers.release();
            assertThat(cached.get()).isEqualTo(1);
            assertThat(cached.soon()).hasValue(1);
            pass(Duration.ofSeconds(11));
            assertThat(cached.get()).isEqualTo(1);
            answers.release();
            threads.shutdown();
            assertThat(threads.awaitTermination(60, java.util.concurrent.TimeUnit.SECONDS))
                    .isTrue();
            assertThat(cached.get()).isEqualTo(2);
        } finally {
            threads.shutdownNow();
        }
    }

    /** A caller whose last result is too old does not wait for the new result. */
    @Test
    void oldResultsAreRefreshedInTheBackground() throws Exception {
        java.util.concurrent.Semaphore answers = new java.util.concurrent.Semaphore(1);
        java.util.concurrent.ExecutorService threads = java.util.concurrent.Executors.newSingleThreadExecutor();
        try {
            Cached<Integer> cached = new Cached<>(
                    () -> {
                        answers.acquireUninterruptibly();
                        return asked.incrementAndGet();
                    },
                    now::get,
                    Duration.ofSeconds(20),
                    threads);
            assertThat(cached.get()).isEqualTo(1);
            pass(Duration.ofMinutes(5));
            assertThat(cached.soon()).isEmpty();
            answers.release();
            threads.shutdown();
            assertThat(threads.awaitTermination(60, java.util.concurrent.TimeUnit.SECONDS))
                    .isTrue();
            assertThat(cached.soon()).hasValue(2);
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Otherwise the first caller after the expiry would wait for a database that hangs, although a result up to half a minute old may be
     * shown.
     */
    @Test
    void aCallerDoesNotWaitForAQueryThatWasFastBefore() throws Exception {
        java.util.concurrent.Semaphore answers = new java.util.concurrent.Semaphore(1);
        java.util.concurrent.ExecutorService threads = java.util.concurrent.Executors.newSingleThreadExecutor();
        try {
            Cached<Integer> cached = new Cached<>(
                    () -> {
                        answers.acquireUninterruptibly();
                        return asked.incrementAndGet();
                    },
                    now::get,
                    Duration.ofSeconds(20),
                    threads);
            assertThat(cached.get()).isEqualTo(1);
            pass(Duration.ofSeconds(2));
            assertThat(cached.soon()).hasValue(1);
            assertThat(cached.soon()).hasValue(1);
            pass(Duration.ofSeconds(40));
            assertThat(cached.soon()).isEmpty();
            answers.release();
            threads.shutdown();
            assertThat(threads.awaitTermination(60, java.util.concurrent.TimeUnit.SECONDS))
                    .isTrue();
            assertThat(cached.soon()).hasValue(2);
        } finally {
            answers.release(10);
            threads.shutdownNow();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
