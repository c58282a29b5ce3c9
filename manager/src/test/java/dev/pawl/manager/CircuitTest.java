package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CircuitTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void threeConsecutiveFailuresBlockCallsWithBackoff() {
        Circuit circuit = new Circuit();
        circuit.failed(0);
        circuit.failed(0);
        assertThat(circuit.allows(0)).isTrue();
        circuit.failed(0);
        assertThat(circuit.allows(SECOND - 1)).isFalse();
        assertThat(circuit.allows(SECOND)).isTrue();
        circuit.begin();
        assertThat(circuit.allows(SECOND)).as("while one call tries").isFalse();
        circuit.ended();
        assertThat(circuit.allows(SECOND))
                .as("the call has told nothing: the next may try")
                .isTrue();
        circuit.begin();
        circuit.failed(SECOND);
        circuit.ended();
        assertThat(circuit.allows(2 * SECOND)).isFalse();
        assertThat(circuit.allows(3 * SECOND)).isTrue();
        circuit.succeeded();
        circuit.failed(3 * SECOND);
        assertThat(circuit.allows(3 * SECOND)).as("the count begins anew").isTrue();
    }

    /** When a worker restarts, all its calls fail at once. */
    @Test
    void callsThatFailTogetherBlockForASecond() {
        Circuit circuit = new Circuit();
        for (int call = 1; call <= 20; call++) {
            circuit.failed(0);
        }
        assertThat(circuit.allows(SECOND - 1)).isFalse();
        assertThat(circuit.allows(SECOND)).isTrue();
    }
}
