package dev.pawl.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReleaseDelayTest {
    private static final long NOW = 1_000;

    private final AtomicInteger coming = new AtomicInteger();
    private final ReleaseDelay releaseDelay = new ReleaseDelay(coming::get);

    @Test
    void theSmallerPartWaitsForTheLargerOne() {
        releaseDelay.ended(300, NOW);
        coming.set(700);
        assertThat(releaseDelay.remaining(NOW)).isEqualTo(ReleaseDelay.LONGEST);
        releaseDelay.ended(700, NOW + 5);
        coming.set(0);
        assertThat(releaseDelay.remaining(NOW + 5)).isZero();
    }

    @Test
    void theLargerPartDoesNotWait() {
        releaseDelay.ended(700, NOW);
        coming.set(300);
        assertThat(releaseDelay.remaining(NOW)).isZero();
    }

    @Test
    void aReleaseDoesNotWaitForAFewJobs() {
        releaseDelay.ended(1, NOW);
        coming.set(ReleaseDelay.MIN_JOBS - 1);
        assertThat(releaseDelay.remaining(NOW)).isZero();
        coming.set(ReleaseDelay.MIN_JOBS);
        assertThat(releaseDelay.remaining(NOW)).isPositive();
    }

    /** More finished jobs do not extend the delay, even while still more are expected. */
    @Test
    void theDelayStartsWithTheFirstFinishedJob() {
        coming.set(1_000);
        releaseDelay.ended(1, NOW);
        releaseDelay.ended(1, NOW + ReleaseDelay.LONGEST - 1);
        assertThat(releaseDelay.remaining(NOW + ReleaseDelay.LONGEST - 1)).isEqualTo(1);
        assertThat(releaseDelay.remaining(NOW + ReleaseDelay.LONGEST)).isZero();
    }

    @Test
    void jobsWhoseKeysWereReleasedDoNotCount() {
        coming.set(1_000);
        releaseDelay.ended(1, NOW);
        releaseDelay.reset();
        assertThat(releaseDelay.remaining(NOW)).isZero();
    }

    @Test
    void keysDoNotWaitIfNoJobHasEnded() {
        coming.set(1_000);
        assertThat(releaseDelay.remaining(NOW)).isZero();
    }
}
