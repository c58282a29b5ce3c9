package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides the verdict on a run from the handler's outcome, the retry policy and the remaining attempts. */
public final class OutcomePolicy {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomePolicy.class);
    private static final Duration LONGEST = Duration.ofDays(3653);
    /**
     * Time until all workers know that the kind is paused. The rest of the delay belongs to the pause, so that the end of the pause makes
     * all jobs available at once.
     */
    private static final Duration UNTIL_PAUSE_IS_KNOWN = Duration.ofSeconds(5);

    private static final Duration MAX_UNKNOWN_BACKOFF = Duration.ofMinutes(1);

    private final RetryPolicy fallback;

    /**
     * @param fallback the retry policy of kinds without their own
     */
    public OutcomePolicy(RetryPolicy fallback) {
        this.fallback = fallback;
    }

    /** Rejects null as an outcome: the run fails, and its transaction is rolled back. */
    static Outcome present(@Nullable Outcome outcome, Job job) {
        if (outcome == null) {
            throw new IllegalStateException("the handler of kind '" + job.kind()
                    + "' returned null instead of an Outcome: return Outcome.completed() or another");
        }
        return outcome;
    }

    /** {@return the verdict on a job whose handler has returned} */
    public Verdict decide(Job job, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Completed) {
            return new Verdict.Completed();
        }
        if (outcome instanceof Outcome.RetryAfter retry) {
            return failed(job, retry.reason(), retry.delay());
        }
        if (outcome instanceof Outcome.SnoozeFor snooze) {
            return new Verdict.Snooze(bounded(snooze.delay()));
        }
        if (outcome instanceof Outcome.Unavailable unavailable) {
            return new Verdict.Snooze(shorter(unavailable.delay(), UNTIL_PAUSE_IS_KNOWN));
        }
        if (outcome instanceof Outcome.KeyUnavailable unavailable) {
            return new Verdict.Snooze(
                    job.key().isPresent()
                            ? shorter(unavailable.delay(), UNTIL_PAUSE_IS_KNOWN)
                            : bounded(unavailable.delay()));
        }
        if (outcome instanceof Outcome.Cancel cancel) {
            return new Verdict.Cancelled(ErrorText.clean(cancel.reason()));
        }
        if (outcome instanceof Outcome.Discard discard) {
            String reason = ErrorText.clean(discard.reason());
            return new Verdict.Discarded(reason, reason);
        }
        throw new IllegalStateException("there is no verdict for the outcome " + outcome);
    }

    /** {@return the verdict on a job whose handler threw or timed out} */
    public Verdict failed(Job job, String error, @Nullable RetryPolicy policy) {
        return failed(job, error, null, policy);
    }

    /** {@return the same verdict} The retry policy sees the exception. */
    Verdict failed(Job job, String error, @Nullable Throwable cause, @Nullable RetryPolicy policy) {
        if (job.attempt() >= job.maxAttempts()) {
            return discarded(job, error);
        }
        RetryPolicy own = job.retryPolicy().orElse(policy == null ? fallback : policy);
        return failed(job, error, backoff(own, new RetryPolicy.Failure(job.kind(), job.attempt(), cause)));
    }

    /** A user's retry policy that throws or returns null must not cost the job its retry. */
    private static Duration backoff(RetryPolicy policy, RetryPolicy.Failure failure) {
        try {
            return Objects.requireNonNull(policy.backoff(failure), "a retry policy returned null");
        } catch (Throwable broken) {
            LOG.warn("a retry policy failed, the default one is used instead: {}", ErrorText.firstLine(broken));
            return RetryPolicy.DEFAULT.backoff(failure);
        }
    }

    /**
     * The verdict on a job whose worker is gone. A job that did not start is available again as if it had not been claimed. A job that may
     * have started is retried at once the first time, then after growing delays.
     *
     * @param policy of the job, its kind, or the worker; null if this worker does not handle the kind. Without a policy the delay is at
     *     most a minute, because the next job of the same key may wait for this job
     * @param spacing additional delay that keeps the job apart from those that ran beside it
     */
    Verdict abandoned(AbandonedJob job, String error, @Nullable RetryPolicy policy, Duration spacing) {
        if (!job.mayHaveBegun()) {
            return new Verdict.Release();
        }
        if (job.attempt() >= job.maxAttempts()) {
            return new Verdict.Discarded(allUsed(job.maxAttempts()), error);
        }
        return new Verdict.Retry(bounded(bounded(wait(job, policy)).plus(spacing)), error);
    }

    private static Duration wait(AbandonedJob job, @Nullable RetryPolicy policy) {
        if (job.attempt() == 1) {
            return Duration.ZERO;
        }
        return policy == null
                ? shorter(RetryPolicy.DEFAULT.backoff(job.attempt() - 1), MAX_UNKNOWN_BACKOFF)
                : backoff(policy, new RetryPolicy.Failure(job.kind(), job.attempt() - 1, null));
    }

    private static Verdict failed(Job job, String error, Duration delay) {
        return job.attempt() >= job.maxAttempts()
                ? discarded(job, ErrorText.clean(error))
                : new Verdict.Retry(bounded(delay), ErrorText.clean(error));
    }

    private static Verdict discarded(Job job, String error) {
        return new Verdict.Discarded(allUsed(job.maxAttempts()), ErrorText.clean(error));
    }

    private static String allUsed(int maxAttempts) {
        return maxAttempts == 1 ? "its only attempt failed" : "all " + maxAttempts + " attempts failed";
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration bounded(Duration delay) {
        return delay.isNegative() ? Duration.ZERO : delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
    }
}
