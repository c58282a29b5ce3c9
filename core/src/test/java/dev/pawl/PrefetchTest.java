package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.Prefetch;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PrefetchTest {
    @Test
    void eachValueIsChangedByItself() {
        Prefetch changed =
                Prefetch.DEFAULTS.buffer(1).bufferBytes(1 << 20).batch(7).maxHeapUse(0.8);
        assertThat(List.of(changed.buffer(), changed.batch())).containsExactly(1, 7);
        assertThat(changed.bufferBytes()).isEqualTo(1 << 20);
        assertThat(changed.maxHeapUse()).isEqualTo(0.8);
        assertThat(Prefetch.DEFAULTS)
                .hasToString("Prefetch[buffer=2000, bufferBytes=16777216, batch=1000, maxHeapUse=0.0]");
        assertThat(changed.buffer(2_000).bufferBytes(16 << 20).batch(1_000)).isNotEqualTo(Prefetch.DEFAULTS);
        assertThat(Prefetch.DEFAULTS.buffer(0).buffer(2_000))
                .isEqualTo(Prefetch.DEFAULTS)
                .hasSameHashCodeAs(Prefetch.DEFAULTS);
    }

    @Test
    void valuesOutsideTheirRangesAreRefused() {
        for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                () -> Prefetch.DEFAULTS.buffer(-1),
                () -> Prefetch.DEFAULTS.buffer(10_001),
                () -> Prefetch.DEFAULTS.bufferBytes((1 << 16) - 1),
                () -> Prefetch.DEFAULTS.bufferBytes((1L << 34) + 1),
                () -> Prefetch.DEFAULTS.batch(0),
                () -> Prefetch.DEFAULTS.batch(1_001),
                () -> Prefetch.DEFAULTS.maxHeapUse(0.49),
                () -> Prefetch.DEFAULTS.maxHeapUse(Double.NaN))) {
            assertThatThrownBy(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not valid: use ");
        }
    }
}
