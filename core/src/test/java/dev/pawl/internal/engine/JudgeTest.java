package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.Outcome;
import dev.pawl.RetryPolicy;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private final Judge judge = new Judge(RetryPolicy.fixed(Duration.ofSeconds(7)));

    private static Job job(int attempt, int maxAttempts) {
        return new Job(
                1,
                "kind",
                "queue",
                JobState.RUNNING,
                0,
                attempt,
                maxAttempts,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                null,
                null,
                null,
                1,
                false,
                null,
                null,
                List.of(),
                "{}",
                null);
    }

    @Test
    void aFailureIsRetriedByThePolicyWhileAttemptsAreLeft() {
        assertThat(judge.failed(job(2, 3), "boom", null)).isEqualTo(new Verdict.Retry(Duration.ofSeconds(7), "boom"));
        assertThat(judge.failed(job(3, 3), "boom", null))
                .isEqualTo(new Verdict.Discarded("all 3 attempts failed", "boom"));
    }

    @Test
    void theKindsOwnPolicyGoesFirst() {
        assertThat(judge.failed(job(1, 3), "boom", RetryPolicy.fixed(Duration.ofSeconds(1))))
                .isEqualTo(new Verdict.Retry(Duration.ofSeconds(1), "boom"));
    }

    @Test
    void aPolicyThatThrowsDoesNotCostTheRetry() {
        Verdict verdict = judge.failed(job(1, 3), "boom", attempt -> {
            throw new IllegalStateException("broken policy");
        });
        assertThat(verdict).isInstanceOf(Verdict.Retry.class);
    }

    @Test
    void aRetryAskedForByTheHandlerStillCountsAttempts() {
        Outcome again = Outcome.retryAfter(Duration.ofMinutes(1), "later");
        assertThat(judge.judge(job(1, 2), again)).isEqualTo(new Verdict.Retry(Duration.ofMinutes(1), "later"));
        assertThat(judge.judge(job(2, 2), again)).isInstanceOf(Verdict.Discarded.class);
    }

    @Test
    void anAbandonedJobRunsAtOnceTheFirstTimeThenWaitsThenIsDiscarded() {
        assertThat(judge.abandoned(1, 3, "gone")).isEqualTo(new Verdict.Retry(Duration.ZERO, "gone"));
        assertThat(((Verdict.Retry) judge.abandoned(2, 3, "gone")).delay()).isGreaterThan(Duration.ofSeconds(1));
        assertThat(judge.abandoned(3, 3, "gone")).isInstanceOf(Verdict.Discarded.class);
    }

    @Test
    void errorsAreMadeFitToStore() {
        assertThat(ErrorText.clean("a\0b\uD800c")).isEqualTo("a\uFFFDb\uFFFDc");
        assertThat(ErrorText.clean("x".repeat(100_000))).hasSize(16_384);
    }
}
