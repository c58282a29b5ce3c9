package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EnqueueOptionsTest {
    private static final EnqueueOptions NONE = EnqueueOptions.DEFAULTS;

    @Test
    void valuesOutsideTheirRangeAreRefusedWithTheRange() {
        assertThatThrownBy(() -> NONE.queue("two words")).hasMessageContaining("queue 'two words' is not valid");
        assertThatThrownBy(() -> NONE.queue("x'; DROP TABLE pawl_job; --")).isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> NONE.priority(40_000)).hasMessageContaining("-32768 to 32767");
        assertThatThrownBy(() -> NONE.maxAttempts(0)).hasMessageContaining("1 to 32767");
        assertThatThrownBy(() -> NONE.delay(Duration.ofSeconds(-1))).hasMessageContaining("from zero");
        assertThatThrownBy(() -> NONE.uniqueKey(" padded ")).hasMessageContaining("no blank at either end");
        assertThatThrownBy(() -> NONE.tags("a\nb")).hasMessageContaining("no control characters");
        assertThatThrownBy(() -> NONE.availableAt(Instant.MAX)).isInstanceOf(InvalidJobException.class);
    }

    @Test
    void delayAndMomentReplaceEachOther() {
        Instant moment = Instant.parse("2030-01-01T00:00:00Z");
        assertThat(NONE.delay(Duration.ofHours(1)).availableAt(moment).delay()).isZero();
        assertThat(NONE.availableAt(moment).delay(Duration.ofHours(1)).availableAt())
                .isNull();
    }

    @Test
    void aPayloadWithNulIsRefused() {
        assertThatThrownBy(() -> new JobRequest("kind", "a\0b", NONE)).hasMessageContaining("NUL");
    }
}
