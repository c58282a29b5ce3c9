package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final Pace pace = new Pace(4);

    private void run(int handler, long from, long took) {
        pace.begun(handler, from);
        pace.ended(handler, from + took);
    }

    @Test
    void nothingIsKnownBeforeARunHasEnded() {
        pace.begun(0, 1);
        assertThat(pace.ahead(MILLI)).isZero();
    }

    @Test
    void quickHandlersGetThroughManyWithinTheHorizon() {
        run(0, 1, MILLI);
        assertThat(pace.ahead(2 * MILLI)).isEqualTo(400); // 4 handlers, 100 ms, 1 ms each
    }

    @Test
    void slowHandlersAreGivenNothingAhead() {
        for (int handler = 0; handler < 4; handler++) {
            run(handler, 1, SECOND);
        }
        assertThat(pace.ahead(SECOND + 1)).isZero();
    }

    /** The ten jobs that begin together tell nothing until they end, however quickly they were taken. */
    @Test
    void aBurstOfBeginningsIsNotSpeed() {
        for (int handler = 0; handler < 4; handler++) {
            pace.begun(handler, 1 + handler);
        }
        assertThat(pace.ahead(10)).isZero();
    }

    @Test
    void largeJobsAreBusyInSeveralPlaces() {
        pace.begun(0, 1, 3);
        assertThat(pace.isStuck(1, SECOND, 2 * SECOND)).isFalse();
        assertThat(pace.isStuck(2, SECOND, 2 * SECOND)).isTrue();
        run(1, 1, MILLI);
        assertThat(pace.ahead(2 * SECOND)).as("one place is quick").isEqualTo(100);
    }

    @Test
    void numbersOfThreadsThatEndedAreUsedAgain() {
        assertThat(pace.enlist()).isZero();
        assertThat(pace.enlist()).isEqualTo(1);
        pace.retire(0);
        assertThat(pace.enlist()).isZero();
        for (int i = 0; i < 20; i++) {
            assertThat(pace.enlist()).isBetween(2, 7);
        }
    }

    @Test
    void handlersThatHaveBecomeSlowDoNotCount() {
        run(0, 1, MILLI);
        pace.begun(0, MILLI);
        pace.begun(1, MILLI);
        assertThat(pace.ahead(MILLI + 200 * MILLI)).isEqualTo(200);
        pace.begun(2, MILLI);
        pace.begun(3, MILLI);
        assertThat(pace.ahead(MILLI + 200 * MILLI)).isZero();
    }

    @Test
    void allHandlersMustBeBusyForTheWorkerToBeStuck() {
        for (int handler = 0; handler < 3; handler++) {
            pace.begun(handler, 1);
        }
        assertThat(pace.isStuck(SECOND, 2 * SECOND)).isFalse();
        pace.begun(3, SECOND);
        assertThat(pace.isStuck(SECOND, 2 * SECOND - 1)).isFalse();
        assertThat(pace.isStuck(SECOND, 2 * SECOND)).isTrue();
        pace.ended(1, 2 * SECOND);
        assertThat(pace.isStuck(SECOND, 3 * SECOND)).isFalse();
    }
}
