package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlainProgramTest {
    @Test
    void onlyTimesInOutagesAreExcused() {
        List<PlainProgram.Outage> outages = List.of(new PlainProgram.Outage(59, 61), new PlainProgram.Outage(70, 90));
        assertThat(PlainProgram.longestOutside(outages, 0, 60)).isEqualTo(59);
        assertThat(PlainProgram.longestOutside(outages, 60, 95)).isEqualTo(9);
        assertThat(PlainProgram.longestOutside(outages, 75, 80)).isZero();
        assertThat(PlainProgram.longestOutside(outages, 100, 107)).isEqualTo(7);
        assertThat(PlainProgram.longestOutside(List.of(), 1, 4)).isEqualTo(3);
    }
}
