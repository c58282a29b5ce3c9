package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GatheringTest {
    private static final long NOW = 1_000;

    private final AtomicInteger coming = new AtomicInteger();
    private final Gathering gathering = new Gathering(coming::get);

    @Test
    void theSmallerPartWaitsForTheLargerOne() {
        gathering.ended(300, NOW);
        coming.set(700);
        assertThat(gathering.remaining(NOW)).isEqualTo(Gathering.LONGEST);
        gathering.ended(700, NOW + 5);
        coming.set(0);
        assertThat(gathering.remaining(NOW + 5)).isZero();
    }

    @Test
    void theLargerPartDoesNotWait() {
        gathering.ended(700, NOW);
        coming.set(300);
        assertThat(gathering.remaining(NOW)).isZero();
    }

    @Test
    void nobodyWaitsForAFew() {
        gathering.ended(1, NOW);
        coming.set(Gathering.MANY - 1);
        assertThat(gathering.remaining(NOW)).isZero();
        coming.set(Gathering.MANY);
        assertThat(gathering.remaining(NOW)).isPositive();
    }

    /** However often some more have ended, and still more are to come. */
    @Test
    void theTimeCountsFromTheFirst() {
        coming.set(1_000);
        gathering.ended(1, NOW);
        gathering.ended(1, NOW + Gathering.LONGEST - 1);
        assertThat(gathering.remaining(NOW + Gathering.LONGEST - 1)).isEqualTo(1);
        assertThat(gathering.remaining(NOW + Gathering.LONGEST)).isZero();
    }

    @Test
    void whatIsOverDoesNotCount() {
        coming.set(1_000);
        gathering.ended(1, NOW);
        gathering.over();
        assertThat(gathering.remaining(NOW)).isZero();
    }

    @Test
    void keysOfWhichNoneHasEndedDoNotWait() {
        coming.set(1_000);
        assertThat(gathering.remaining(NOW)).isZero();
    }
}
