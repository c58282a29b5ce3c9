package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    @Test
    void exponentialDoublesWithinItsJitterUpToTheCap() {
        RetryPolicy policy = RetryPolicy.exponential(Duration.ofSeconds(2), Duration.ofMinutes(1));
        for (int attempt = 1; attempt <= 40; attempt++) {
            double middle = Math.min(60, 2 * Math.pow(2, attempt - 1));
            assertThat(policy.backoff(attempt).toMillis() / 1000.0)
                    .as("attempt %d", attempt)
                    .isBetween(middle * 0.749, middle * 1.251);
        }
    }

    @Test
    void exponentialHasJitter() {
        RetryPolicy policy = RetryPolicy.exponential(Duration.ofSeconds(2), Duration.ofMinutes(1));
        assertThat(java.util.stream.IntStream.range(0, 50)
                        .mapToObj(i -> policy.backoff(3))
                        .distinct()
                        .count())
                .isGreaterThan(10);
    }

    @Test
    void theLastWaitOfAListRepeats() {
        RetryPolicy policy = RetryPolicy.list(Duration.ofSeconds(1), Duration.ofSeconds(5));
        assertThat(policy.backoff(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(policy.backoff(2)).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.backoff(9)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void badWaitsAreRefused() {
        assertThatThrownBy(() -> RetryPolicy.fixed(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(RetryPolicy::list).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RetryPolicy.exponential(Duration.ofSeconds(5), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("first <= longest");
    }

    @Test
    void aPolicyMayChooseByTheExceptionAndTheKind() {
        RetryPolicy policy = RetryPolicy.forFailure(failure -> failure.cause() instanceof IllegalStateException
                ? Duration.ofDays(1)
                : failure.kind().equals("mail") ? Duration.ofHours(1) : Duration.ofSeconds(failure.attempt()));
        assertThat(policy.backoff(new RetryPolicy.Failure("mail", 3, new IllegalStateException())))
                .isEqualTo(Duration.ofDays(1));
        assertThat(policy.backoff(new RetryPolicy.Failure("mail", 3, null))).isEqualTo(Duration.ofHours(1));
        assertThat(policy.backoff(3)).isEqualTo(Duration.ofSeconds(3));
        assertThat(RetryPolicy.list(Duration.ofSeconds(1), Duration.ofSeconds(5))
                        .backoff(new RetryPolicy.Failure("mail", 2, new IllegalStateException())))
                .isEqualTo(Duration.ofSeconds(5));
    }
}
