package dev.pawl.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallbackTest {
    private static JobRequest callback(EnqueueOptions options) {
        return new JobRequest("report", "{\"a\":\"b\"}", options);
    }

    private static EnqueueOptions headers(int count) {
        Map<String, String> headers = new HashMap<>();
        for (int i = 0; i < count; i++) {
            headers.put("header-" + i, "value \"" + i + "\"");
        }
        return EnqueueOptions.DEFAULTS.headers(headers);
    }

    @Test
    void itKeepsItsOptions() {
        JobRequest written = callback(
                headers(31).queue("reports").priority(-3).maxAttempts(7).tags("blue", "red"));
        assertThat(Callback.read(Callback.write(written))).isEqualTo(written);
        EnqueueOptions rare =
                EnqueueOptions.DEFAULTS.timeout(Duration.ofMinutes(1)).retryFixed(Duration.ofSeconds(2));
        assertThat(Callback.read(Callback.write(callback(rare))).options().headers())
                .isEqualTo(rare.headers())
                .hasSize(2);
    }

    /** Otherwise the last job of the batch could not be completed, because its callback could not be written. */
    @Test
    void itsHeadersLeaveRoomForTheIdOfTheBatch() {
        assertThatThrownBy(() -> Callback.write(callback(headers(32)))).isInstanceOf(InvalidJobException.class);
    }

    @Test
    void otherOptionsAreRefused() {
        for (EnqueueOptions options : new EnqueueOptions[] {
            EnqueueOptions.DEFAULTS.delay(Duration.ofSeconds(1)),
            EnqueueOptions.DEFAULTS.uniqueKey("one"),
            EnqueueOptions.DEFAULTS.key("one"),
            EnqueueOptions.DEFAULTS.cost(2)
        }) {
            assertThatThrownBy(() -> Callback.write(callback(options)))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("'report'");
        }
    }
}
