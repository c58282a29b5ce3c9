package dev.pawl.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ScanPositionTest {
    private final ScanPosition look = new ScanPosition();

    private static long at(int second) {
        return Long.MAX_VALUE - 5 + TimeUnit.SECONDS.toNanos(second); // nanoTime may wrap around
    }

    @Test
    void aScanContinuesWhereTheLastOneEndedAndRestartsOnceAMinute() {
        assertThat(look.begin(at(0))).isZero();
        look.reached(500);
        assertThat(look.begin(at(1))).isEqualTo(500);
        look.reached(700);
        look.reached(600);
        assertThat(look.begin(at(59))).isEqualTo(700);
        assertThat(look.begin(at(60))).isZero();
        look.reached(800);
        assertThat(look.begin(at(119))).isEqualTo(800);
        assertThat(look.begin(at(120))).isZero();
    }

    @Test
    void aFailedScanIsRepeated() {
        assertThat(look.begin(at(0))).isZero();
        assertThat(look.begin(at(1))).isZero();
    }
}
