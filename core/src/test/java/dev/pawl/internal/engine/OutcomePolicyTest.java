package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OutcomePolicyTest {
    private final OutcomePolicy outcomePolicy = new OutcomePolicy(RetryPolicy.fixed(Duration.ofSeconds(7)));

    private static Job job(int attempt, int maxAttempts) {
        return Job.builder(1, "kind", "queue")
                .state(JobState.RUNNING)
                .attempt(attempt)
                .maxAttempts(maxAttempts)
                .leaseToken(1)
                .payload("{}")
                .build();
    }

    @Test
    void aFailureIsRetriedByThePolicyWhileAttemptsAreLeft() {
        assertThat(outcomePolicy.failed(job(2, 3), "boom", null))
                .isEqualTo(new Verdict.Retry(Duration.ofSeconds(7), "boom"));
        assertThat(outcomePolicy.failed(job(3, 3), "boom", null))
                .isEqualTo(new Verdict.Discarded("all 3 attempts failed", "boom"));
    }

    @Test
    void theKindsOwnPolicyGoesFirst() {
        assertThat(outcomePolicy.failed(job(1, 3), "boom", RetryPolicy.fixed(Duration.ofSeconds(1))))
                .isEqualTo(new Verdict.Retry(Duration.ofSeconds(1), "boom"));
    }

    @Test
    void thePolicySeesTheExceptionAndTheKind() {
        Exception boom = new IllegalStateException("boom");
        RetryPolicy policy = RetryPolicy.forFailure(
                failure -> Duration.ofSeconds(failure.equals(new RetryPolicy.Failure("kind", 2, boom)) ? 1 : 60));
        assertThat(outcomePolicy.failed(job(2, 3), "boom", boom, policy))
                .isEqualTo(new Verdict.Retry(Duration.ofSeconds(1), "boom"));
        assertThat(outcomePolicy.failed(job(2, 3), "boom", policy))
                .as("of a run without an exception, such as a remote one")
                .isEqualTo(new Verdict.Retry(Duration.ofSeconds(60), "boom"));
    }

    @Test
    void aPolicyThatThrowsDoesNotCostTheRetry() {
        Verdict verdict = outcomePolicy.failed(job(1, 3), "boom", attempt -> {
            throw new IllegalStateException("broken policy");
        });
        assertThat(verdict).isInstanceOf(Verdict.Retry.class);
    }

    @Test
    void aRetryAskedForByTheHandlerStillCountsAttempts() {
        Outcome again = Outcome.retryAfter(Duration.ofMinutes(1), "later");
        assertThat(outcomePolicy.decide(job(1, 2), again)).isEqualTo(new Verdict.Retry(Duration.ofMinutes(1), "later"));
        assertThat(outcomePolicy.decide(job(2, 2), again)).isInstanceOf(Verdict.Discarded.class);
    }

    private static AbandonedJob abandoned(int attempt, int maxAttempts, boolean mayHaveBegun) {
        return new AbandonedJob(
                new Lease(1, 1), Instant.EPOCH, "kind", null, attempt, maxAttempts, 7, "worker", mayHaveBegun);
    }

    @Test
    void anAbandonedJobRunsAtOnceTheFirstTimeThenWaitsThenIsDiscarded() {
        assertThat(outcomePolicy.abandoned(abandoned(1, 3, true), "gone", null, Duration.ZERO))
                .isEqualTo(new Verdict.Retry(Duration.ZERO, "gone"));
        assertThat(((Verdict.Retry) outcomePolicy.abandoned(abandoned(2, 3, true), "gone", null, Duration.ZERO))
                        .delay())
                .isGreaterThan(Duration.ofSeconds(1));
        for (int attempt : new int[] {1, 2}) {
            assertThat(((Verdict.Retry) outcomePolicy.abandoned(
                                    abandoned(attempt, 3, true), "gone", null, Duration.ofHours(1)))
                            .delay())
                    .as("its turn comes later")
                    .isGreaterThanOrEqualTo(Duration.ofHours(1));
        }
        assertThat(outcomePolicy.abandoned(abandoned(3, 3, true), "gone", null, Duration.ZERO))
                .isInstanceOf(Verdict.Discarded.class);
    }

    @Test
    void anAbandonedJobThatHasNotBegunLosesNothing() {
        assertThat(outcomePolicy.abandoned(abandoned(1, 1, false), "gone", null, Duration.ofSeconds(9)))
                .isEqualTo(new Verdict.Release());
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void aPolicyThatThrowsAnErrorOrReturnsNullDoesNotCostTheRetry() {
        assertThat(outcomePolicy.failed(job(1, 3), "boom", attempt -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(Verdict.Retry.class);
        assertThat(outcomePolicy.failed(job(1, 3), "boom", attempt -> null)).isInstanceOf(Verdict.Retry.class);
    }

    @Test
    void anErrorThatCannotBePrintedIsReportedByItsClass() {
        Throwable mute = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("even this fails");
            }
        };
        assertThat(ErrorText.of(mute)).contains("OutcomePolicyTest").contains("cannot be printed");
    }

    @Test
    void aHandlerMustReturnAnOutcome() {
        assertThatThrownBy(() -> OutcomePolicy.present(null, job(1, 1))).hasMessageContaining("returned null");
        assertThatThrownBy(() -> outcomePolicy.decide(job(1, 1), null)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void errorsAreMadeFitToStore() {
        assertThat(ErrorText.clean("a\0b\uD800c")).isEqualTo("a\uFFFDb\uFFFDc");
        assertThat(ErrorText.clean("x".repeat(100_000))).hasSize(16_384);
    }
}
