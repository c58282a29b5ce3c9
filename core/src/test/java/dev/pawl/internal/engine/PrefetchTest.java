package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrefetchTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final HandlerRate handlerRate = new HandlerRate(10);

    private Prefetch prefetch(int jobs, long bytes, int batch) {
        return new Prefetch(new Prefetch.Bounds(jobs, bytes, batch), handlerRate);
    }

    private void runsTake(long nanos) {
        for (int i = 0; i < 40; i++) {
            handlerRate.begun(0, 1);
            handlerRate.ended(0, 1 + nanos);
        }
    }

    private static Buffer.Level level(int buffered, int idle) {
        return new Buffer.Level(buffered, idle, 0, 0);
    }

    @Test
    void anIdleWorkerClaimsAJobForEachHandler() {
        assertThat(prefetch(1000, 1 << 20, 1000).wanted(level(0, 10), MILLI)).isEqualTo(10);
        assertThat(prefetch(1000, 1 << 20, 1000).wanted(level(0, 3), MILLI)).isEqualTo(3);
    }

    @Test
    void largeJobsAreClaimedForCapacityAndNotForThreads() {
        Prefetch prefetch = prefetch(1000, 1 << 20, 1000);
        prefetch.weighed(1, 5);
        assertThat(prefetch.wanted(level(0, 10), MILLI)).isEqualTo(2);
        assertThat(prefetch.wanted(level(0, 3), MILLI)).as("at least one").isEqualTo(1);
        assertThat(prefetch.jobs(0)).isZero();
        for (int i = 0; i < 60; i++) {
            prefetch.weighed(10, 10);
        }
        assertThat(prefetch.jobs(10)).isGreaterThanOrEqualTo(9);
        prefetch.weighed(2, 10);
        assertThat(prefetch.jobs(10)).as("an increase counts at once").isEqualTo(2);
    }

    /** A large job that waits for reserved capacity stays, but the jobs behind it are released. */
    @Test
    void jobsWithReservedCapacityAreNotReleased() {
        Prefetch prefetch = prefetch(1000, 1 << 20, 1000);
        for (int handler = 0; handler < 6; handler++) {
            handlerRate.begun(handler, 1);
        }
        assertThat(prefetch.isTooLong(new Buffer.Level(5, 0, 0, 5, true, 0), 2 * SECOND))
                .isFalse();
        assertThat(prefetch.isTooLong(new Buffer.Level(7, 0, 0, 5, true, 0), 2 * SECOND))
                .isTrue();
        assertThat(prefetch.isTooLong(new Buffer.Level(7, 0, 0, 4, true, 0), 2 * SECOND))
                .isFalse();
        assertThat(prefetch.isTooLong(new Buffer.Level(0, 0, 0, 5, false, 0), 2 * SECOND))
                .as("capacity is free")
                .isFalse();
    }

    @Test
    void slowJobsAreNotHoarded() {
        Prefetch prefetch = prefetch(1000, 1 << 20, 1000);
        prefetch.wanted(level(0, 10), MILLI);
        runsTake(SECOND);
        assertThat(prefetch.wanted(level(0, 0), SECOND)).isZero();
        assertThat(prefetch.wanted(level(0, 1), SECOND)).isEqualTo(1);
    }

    @Test
    void fastJobsFillTheBufferByAndBy() {
        Prefetch prefetch = prefetch(500, 1 << 20, 1000);
        prefetch.wanted(level(0, 10), MILLI);
        runsTake(10_000);
        assertThat(prefetch.wanted(level(0, 10), 2 * MILLI)).isEqualTo(10 + 40);
        assertThat(prefetch.wanted(level(0, 10), 3 * MILLI)).isEqualTo(10 + 200);
        assertThat(prefetch.wanted(level(0, 10), 4 * MILLI)).isEqualTo(10 + 500);
        assertThat(prefetch.wanted(level(0, 10), 5 * MILLI)).isEqualTo(10 + 500);
    }

    @Test
    void nothingIsClaimedWhileTheBufferIsMoreThanHalfFull() {
        Prefetch prefetch = prefetch(500, 1 << 20, 1000);
        runsTake(10_000);
        for (int i = 0; i < 5; i++) {
            prefetch.wanted(level(0, 10), MILLI);
        }
        assertThat(prefetch.wanted(level(400, 0), MILLI)).isZero();
        assertThat(prefetch.wanted(level(200, 0), MILLI)).isEqualTo(300);
    }

    @Test
    void aClaimIsNeverLargerThanTheBatch() {
        Prefetch prefetch = prefetch(1000, 1 << 20, 7);
        assertThat(prefetch.wanted(level(0, 10), MILLI)).isEqualTo(7);
    }

    @Test
    void largePayloadsLeaveRoomForFewJobs() {
        Prefetch prefetch = prefetch(2000, 16 << 20, 1000);
        runsTake(10_000);
        for (int i = 0; i < 5; i++) {
            prefetch.wanted(level(0, 10), MILLI);
        }
        prefetch.claimed(10, 10 << 20);
        assertThat(prefetch.wanted(level(0, 10), MILLI)).isEqualTo(10 + 16);
        assertThat(prefetch.wanted(new Buffer.Level(16, 0, 16 << 20, 0), MILLI)).isZero();
    }

    /** Idle handlers cannot use jobs that wait for a limit, but each claim might fetch more of them. */
    @Test
    void jobsThatWaitForALimitAreBoundedAsWell() {
        Prefetch prefetch = prefetch(100, 1 << 20, 1000);
        assertThat(prefetch.wanted(new Buffer.Level(0, 10, 0, 60), MILLI))
                .as("others need not wait")
                .isEqualTo(10);
        assertThat(prefetch.wanted(new Buffer.Level(0, 10, 0, 105), MILLI)).isEqualTo(5);
        assertThat(prefetch.wanted(new Buffer.Level(0, 10, 0, 110), MILLI)).isZero();
        assertThat(prefetch.wanted(new Buffer.Level(0, 10, 1 << 20, 1), MILLI)).isZero();
        assertThat(prefetch.wanted(new Buffer.Level(0, 10, 1 << 20, 0), MILLI))
                .as("handlers are idle")
                .isEqualTo(10);
    }

    @Test
    void claimsAreSmallerAfterOneThatWasTooLarge() {
        Prefetch prefetch = prefetch(1000, 1 << 20, 1000);
        runsTake(10_000);
        for (int i = 0; i < 5; i++) {
            prefetch.wanted(level(0, 10), MILLI);
        }
        prefetch.tooMuch();
        assertThat(prefetch.wanted(level(0, 10), MILLI)).isEqualTo(1000 / 16);
        prefetch.tooMuch();
        assertThat(prefetch.wanted(level(0, 10), MILLI)).isEqualTo(1000 / 256);
        for (int i = 0; i < 8; i++) {
            prefetch.claimed(3, 3);
        }
        assertThat(prefetch.wanted(level(0, 10), MILLI)).isGreaterThan(20);
    }

    @Test
    void jobsThatWaitForStuckHandlersAreReleased() {
        Prefetch prefetch = prefetch(1000, 1 << 20, 1000);
        for (int handler = 0; handler < 10; handler++) {
            handlerRate.begun(handler, 1);
        }
        assertThat(prefetch.isTooLong(level(5, 0), SECOND / 2)).isFalse();
        assertThat(prefetch.isTooLong(level(5, 0), 2 * SECOND)).isTrue();
        assertThat(prefetch.isTooLong(level(0, 0), 2 * SECOND)).isFalse();
    }
}
