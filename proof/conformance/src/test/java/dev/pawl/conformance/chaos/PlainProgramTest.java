package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlainProgramTest {
    @Test
    void onlyTimesInOutagesAreExcused() {
        List<PlainProgram.Outage> outages = List.of(new PlainProgram.Outage(59, 61), new PlainProgram.Outage(70, 90));
        assertThat(PlainProgram.outside(outages, 0, 60)).isEqualTo(59);
        assertThat(PlainProgram.outside(outages, 60, 95)).isEqualTo(14);
        assertThat(PlainProgram.outside(outages, 75, 80)).isZero();
        assertThat(PlainProgram.outside(outages, 100, 107)).isEqualTo(7);
        assertThat(PlainProgram.outside(List.of(), 1, 4)).isEqualTo(3);
    }

    /** Regression: a plain program that could not write until the end had no outage, so that another one seemed to have lagged. */
    @Test
    void anOutageMayLastUntilTheEnd() {
        long second = TimeUnit.SECONDS.toNanos(1);
        assertThat(PlainProgram.outages(0, List.of(second, 4 * second, 5 * second), 9 * second))
                .containsExactly(
                        new PlainProgram.Outage(second, 4 * second), new PlainProgram.Outage(5 * second, 9 * second));
        assertThat(PlainProgram.outages(0, List.of(second, 7 * second), 5 * second))
                .containsExactly(new PlainProgram.Outage(second, 5 * second));
        assertThat(PlainProgram.outages(0, List.of(second), 2 * second)).isEmpty();
    }
}
