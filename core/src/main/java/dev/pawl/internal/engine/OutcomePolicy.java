package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.Outcome;
import dev.pawl.RetryPolicy;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides what becomes of a job: the handler's outcome, the retry policy and the attempts left, taken together. */
public final class Judge {
    private static final Logger LOG = LoggerFactory.getLogger(Judge.class);
    private static final Duration LONGEST = Duration.ofDays(3653);
    /** By then all workers know that the kind is held back. What waits longer is the hold's, so that whoever ends it ends all. */
    private static final Duration UNTIL_THE_HOLD_IS_KNOWN = Duration.ofSeconds(5);

    private static final Duration LONGEST_UNKNOWN = Duration.ofMinutes(1);

    private final RetryPolicy fallback;

    /**
     * @param fallback the retry policy of kinds that have none
     */
    public Judge(RetryPolicy fallback) {
        this.fallback = fallback;
    }

    /** A handler that returns null has not said how its run ended: that is a failure, and rolls back its transaction. */
    static Outcome present(@Nullable Outcome outcome, Job job) {
        if (outcome == null) {
            throw new IllegalStateException("the handler of kind '" + job.kind()
                    + "' returned null instead of an Outcome: return Outcome.completed() or another");
        }
        return outcome;
    }

    /** {@return what becomes of a job whose handler has returned} */
    public Verdict judge(Job job, @Nullable Outcome outcome) {
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
            return new Verdict.Snooze(shorter(unavailable.delay(), UNTIL_THE_HOLD_IS_KNOWN));
        }
        if (outcome instanceof Outcome.KeyUnavailable unavailable) {
            return new Verdict.Snooze(
                    job.key().isPresent()
                            ? shorter(unavailable.delay(), UNTIL_THE_HOLD_IS_KNOWN)
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

    /** The handler threw, or ran out of time. */
    public Verdict failed(Job job, String error, @Nullable RetryPolicy policy) {
        if (job.attempt() >= job.maxAttempts()) {
            return discarded(job, error);
        }
        RetryPolicy own = job.retryPolicy().orElse(policy == null ? fallback : policy);
        return failed(job, error, backoff(own, job.attempt()));
    }

    /** A retry policy of the user that throws, or returns nothing, must not cost the job its retry. */
    private static Duration backoff(RetryPolicy policy, int attempt) {
        try {
            return Objects.requireNonNull(policy.backoff(attempt), "a retry policy returned null");
        } catch (Throwable broken) {
            LOG.warn("a retry policy failed, the default one is used instead: {}", ErrorText.firstLine(broken));
            return RetryPolicy.DEFAULT.backoff(attempt);
        }
    }

    /**
     * The worker that held the job is gone. What has not begun is available again as if it had not been claimed; what may
     * have begun is run again at once the first time, then after growing waits.
     *
     * @param policy its own, of its kind, or of the worker; null if this worker does not handle its kind, and so does not know: then it
     *     waits a minute at most, because the next job of its key may wait for it
     * @param turn how much later than that, so that it does not run beside those that it ran beside
     */
    Verdict abandoned(AbandonedJob job, String error, @Nullable RetryPolicy policy, Duration turn) {
        if (!job.mayHaveBegun()) {
            return new Verdict.GiveBack();
        }
        if (job.attempt() >= job.maxAttempts()) {
            return new Verdict.Discarded(allUsed(job.maxAttempts()), error);
        }
        return new Verdict.Retry(bounded(bounded(wait(job, policy)).plus(turn)), error);
    }

    private static Duration wait(AbandonedJob job, @Nullable RetryPolicy policy) {
        if (job.attempt() == 1) {
            return Duration.ZERO;
        }
        return policy == null
                ? shorter(RetryPolicy.DEFAULT.backoff(job.attempt() - 1), LONGEST_UNKNOWN)
                : backoff(policy, job.attempt() - 1);
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
