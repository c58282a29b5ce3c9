package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import org.junit.jupiter.api.Test;

class ResultsTest extends PartsFixture {
    private final Results results = new Results(new Plain(), 100);

    /** A codec that keeps strings unchanged, including those that a database refuses. */
    private static final class Plain implements PayloadCodec {
        @Override
        public <T> String encode(T payload, TypeToken<T> type) {
            return payload.toString();
        }

        @Override
        public <T> T decode(String text, TypeToken<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void aResultThatEveryDatabaseCanStoreIsAccepted() {
        assertThat(results.encoded(job(1, 1), "ä \uD83D\uDE00")).isEqualTo("ä \uD83D\uDE00");
    }

    @Test
    void aResultThatSomeDatabaseCannotStoreIsRefused() {
        assertThatThrownBy(() -> results.encoded(job(1, 1), "a\0b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("result of job 1", "NUL");
        assertThatThrownBy(() -> results.encoded(job(1, 1), "\uD83D"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("surrogate");
    }
}
