package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClaimHorizonTest {
    private static final long MILLI = 1_000_000;

    private final ClaimHorizon horizon = new ClaimHorizon();

    private void claims(int number, long took) {
        for (int i = 0; i < number; i++) {
            horizon.claimed(took, false);
        }
    }

    @Test
    void aTenthOfASecondWhileClaimsAreQuick() {
        assertThat(horizon.nanos()).isEqualTo(100 * MILLI);
        claims(50, MILLI);
        assertThat(horizon.nanos()).isEqualTo(100 * MILLI);
    }

    @Test
    void slowClaimsAreMadeSeldom() {
        claims(50, 10 * MILLI);
        assertThat(horizon.nanos()).isBetween(499 * MILLI, 500 * MILLI);
        claims(50, 200 * MILLI);
        assertThat(horizon.nanos()).as("at most two seconds").isEqualTo(2_000 * MILLI);
    }

    @Test
    void oneClaimShowsLittle() {
        claims(50, MILLI / 2);
        claims(1, 20 * MILLI);
        assertThat(horizon.nanos()).isLessThan(300 * MILLI);
    }

    @Test
    void aClaimOfTheLastJobsResetsTheHorizonToTheMinimum() {
        claims(50, 20 * MILLI);
        horizon.claimed(20 * MILLI, true);
        assertThat(horizon.nanos()).isEqualTo(100 * MILLI);
    }
}
