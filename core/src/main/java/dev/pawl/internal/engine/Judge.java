package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.Outcome;
import dev.pawl.RetryPolicy;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Decides what becomes of a job: the handler's outcome, the retry policy and the attempts left, taken together. */
final class Judge {
    private static final Duration LONGEST = Duration.ofDays(3653);

    private final RetryPolicy fallback;

    Judge(RetryPolicy fallback) {
        this.fallback = fallback;
    }

    Verdict judge(Job job, Outcome outcome) {
        if (outcome instanceof Outcome.RetryAfter retry) {
            return failed(job, retry.reason(), retry.delay());
        }
        if (outcome instanceof Outcome.SnoozeFor snooze) {
            return new Verdict.Snooze(bounded(snooze.delay()));
        }
        if (outcome instanceof Outcome.Cancel cancel) {
            return new Verdict.Cancelled(ErrorText.clean(cancel.reason()));
        }
        if (outcome instanceof Outcome.Discard discard) {
            String reason = ErrorText.clean(discard.reason());
            return new Verdict.Discarded(reason, reason);
        }
        return new Verdict.Completed();
    }

    /** The handler threw, or ran out of time. */
    Verdict failed(Job job, String error, @Nullable RetryPolicy policy) {
        if (job.attempt() >= job.maxAttempts()) {
            return discarded(job, error);
        }
        try {
            return failed(job, error, (policy == null ? fallback : policy).backoff(job.attempt()));
        } catch (RuntimeException broken) {
            // A retry policy of the user that throws must not cost the job its retry.
            return failed(job, error, RetryPolicy.DEFAULT.backoff(job.attempt()));
        }
    }

    /** The worker that held the job is gone. The first time it is run again at once, then after growing waits. */
    Verdict abandoned(int attempt, int maxAttempts, String error) {
        if (attempt >= maxAttempts) {
            return new Verdict.Discarded(allUsed(maxAttempts), error);
        }
        Duration wait = attempt == 1 ? Duration.ZERO : RetryPolicy.DEFAULT.backoff(attempt - 1);
        return new Verdict.Retry(bounded(wait), error);
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

    private static Duration bounded(Duration delay) {
        return delay.isNegative() ? Duration.ZERO : delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
    }
}
