package dev.pawl.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The retry policy that an abandoned job has in its headers. */
class AbandonedJobsTest {
    @Test
    void aPolicyIsFoundAmongOtherHeaders() {
        assertThat(Objects.requireNonNull(AbandonedJobs.retryPolicy("{\"a\":\"1\",\"pawl-retry\":\"PT7S\"}"))
                        .backoff(3))
                .hasSeconds(7);
    }

    @Test
    void otherHeadersHaveNone() {
        assertThat(AbandonedJobs.retryPolicy(null)).isNull();
        assertThat(AbandonedJobs.retryPolicy("{\"trace\":\"0af7\"}")).isNull();
        assertThat(AbandonedJobs.retryPolicy("{\"note\":\"set pawl-retry later\"}"))
                .isNull();
    }
}
