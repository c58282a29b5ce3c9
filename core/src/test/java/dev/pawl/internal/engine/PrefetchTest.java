package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrefetchTest {
    private static final long MILLI = 1_000_000;

    @Test
    void slowJobsLeaveTheBufferEmpty() {
        Prefetch prefetch = new Prefetch(1000, 1000, 0);
        assertThat(prefetch.wanted(new Buffer.Level(0, 10, 0), 10 * MILLI)).isEqualTo(10);
        // Ten jobs taken, none done after ten seconds: no handler is idle, nothing more is wanted.
        assertThat(prefetch.wanted(new Buffer.Level(0, 0, 10), 10_000 * MILLI)).isLessThanOrEqualTo(1);
    }

    @Test
    void fastJobsFillTheBufferUpToItsSize() {
        Prefetch prefetch = new Prefetch(500, 1000, 0);
        prefetch.wanted(new Buffer.Level(0, 10, 0), 10 * MILLI);
        int wanted = prefetch.wanted(new Buffer.Level(0, 10, 1000), 20 * MILLI); // 100,000 jobs/s
        assertThat(wanted).isEqualTo(510);
    }

    @Test
    void nothingIsClaimedWhileTheBufferIsMoreThanHalfFull() {
        Prefetch prefetch = new Prefetch(500, 1000, 0);
        prefetch.wanted(new Buffer.Level(0, 10, 0), 10 * MILLI);
        assertThat(prefetch.wanted(new Buffer.Level(400, 0, 1000), 20 * MILLI)).isZero();
        assertThat(prefetch.wanted(new Buffer.Level(200, 0, 2000), 30 * MILLI)).isEqualTo(300);
    }
}
