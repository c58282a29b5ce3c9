package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HandlerRateTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final HandlerRate handlerRate = new HandlerRate(4);

    private void run(int handler, long from, long took) {
        handlerRate.begun(handler, from);
        handlerRate.ended(handler, from + took);
    }

    @Test
    void nothingIsKnownBeforeARunHasEnded() {
        handlerRate.begun(0, 1);
        assertThat(handlerRate.ahead(ClaimHorizon.MIN_NANOS, MILLI)).isZero();
    }

    @Test
    void quickHandlersFinishManyJobsWithinTheHorizon() {
        run(0, 1, MILLI);
        assertThat(handlerRate.ahead(ClaimHorizon.MIN_NANOS, 2 * MILLI))
                .isEqualTo(400); // 4 handlers, 100 ms, 1 ms each
    }

    @Test
    void slowHandlersFinishNothingWithinTheHorizon() {
        for (int handler = 0; handler < 4; handler++) {
            run(handler, 1, SECOND);
        }
        assertThat(handlerRate.ahead(ClaimHorizon.MIN_NANOS, SECOND + 1)).isZero();
    }

    /** Four jobs that start together show no rate until one of them ends, however quickly they were taken. */
    @Test
    void aBurstOfStartsShowsNoRate() {
        for (int handler = 0; handler < 4; handler++) {
            handlerRate.begun(handler, 1 + handler);
        }
        assertThat(handlerRate.ahead(ClaimHorizon.MIN_NANOS, 10)).isZero();
    }

    @Test
    void largeJobsUseSeveralUnits() {
        handlerRate.begun(0, 1, 3);
        assertThat(handlerRate.isStuck(1, SECOND, 2 * SECOND)).isFalse();
        assertThat(handlerRate.isStuck(2, SECOND, 2 * SECOND)).isTrue();
        run(1, 1, MILLI);
        assertThat(handlerRate.ahead(ClaimHorizon.MIN_NANOS, 2 * SECOND))
                .as("one unit is quick")
                .isEqualTo(100);
    }

    @Test
    void numbersOfThreadsThatEndedAreUsedAgain() {
        assertThat(handlerRate.enlist()).isZero();
        assertThat(handlerRate.enlist()).isEqualTo(1);
        handlerRate.retire(0);
        assertThat(handlerRate.enlist()).isZero();
        for (int i = 0; i < 20; i++) {
            assertThat(handlerRate.enlist()).isBetween(2, 7);
        }
    }

    @Test
    void handlersThatHaveBecomeSlowDoNotCount() {
        run(0, 1, MILLI);
        handlerRate.begun(0, MILLI);
        handlerRate.begun(1, MILLI);
        assertThat(handlerRate.ahead(ClaimHorizon.MIN_NANOS, MILLI + 200 * MILLI))
                .isEqualTo(200);
        handlerRate.begun(2, MILLI);
        handlerRate.begun(3, MILLI);
        assertThat(handlerRate.ahead(ClaimHorizon.MIN_NANOS, MILLI + 200 * MILLI))
                .isZero();
    }

    @Test
    void allHandlersMustBeBusyForTheWorkerToBeStuck() {
        for (int handler = 0; handler < 3; handler++) {
            handlerRate.begun(handler, 1);
        }
        assertThat(handlerRate.isStuck(SECOND, 2 * SECOND)).isFalse();
        handlerRate.begun(3, SECOND);
        assertThat(handlerRate.isStuck(SECOND, 2 * SECOND - 1)).isFalse();
        assertThat(handlerRate.isStuck(SECOND, 2 * SECOND)).isTrue();
        handlerRate.ended(1, 2 * SECOND);
        assertThat(handlerRate.isStuck(SECOND, 3 * SECOND)).isFalse();
    }
}
