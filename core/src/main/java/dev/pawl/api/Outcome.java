package dev.pawl.api;

import java.time.Duration;
import java.util.Objects;

/**
 * The outcome of a run, returned by its handler. An exception of the handler is a failed attempt, which the
 * {@link RetryPolicy} retries.
 */
public sealed interface Outcome {
    /** The run succeeded; the job is completed. */
    record Completed() implements Outcome {
        static final Completed INSTANCE = new Completed();
    }

    /**
     * The attempt failed; retry it after a delay chosen by the handler. Counts as an attempt: if none is left, the job
     * is discarded.
     *
     * @param delay time until the retry; not negative
     * @param reason recorded as the attempt's error
     */
    record RetryAfter(Duration delay, String reason) implements Outcome {
        /**
         * @throws IllegalArgumentException if the delay is negative
         */
        public RetryAfter {
            requireNotNegative(delay);
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The job cannot run yet; run it again later. Does not count as an attempt.
     *
     * @param delay time until the next run; not negative
     */
    record SnoozeFor(Duration delay) implements Outcome {
        /**
         * @throws IllegalArgumentException if the delay is negative
         */
        public SnoozeFor {
            requireNotNegative(delay);
        }
    }

    /**
     * Jobs of this kind need something that is unavailable, such as a service that is down. Pauses <em>all</em> jobs of the kind on all
     * workers for the given time. The attempt does not count. After the pause, the jobs are tried one at a time until one of them ends with
     * an outcome other than this one. {@link dev.pawl.Limits#list} shows the pause and {@link dev.pawl.Limits#resume} ends it. This job
     * becomes available again after the delay or five seconds, whichever is shorter, and then waits for the end of the pause like all
     * others.
     *
     * @param delay duration of the pause, at most a day; not negative
     * @param reason shown to operators
     */
    record Unavailable(Duration delay, String reason) implements Outcome {
        /**
         * @throws IllegalArgumentException if the delay is negative or longer than a day
         */
        public Unavailable {
            requireNotLong(delay);
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * Jobs with this concurrency key ({@link EnqueueOptions#key}) need something that is unavailable, such as the
     * server of one customer. Pauses all jobs of the queue with this key on all workers for the given time; other keys
     * are not affected. The attempt does not count. Jobs of the key that are running continue, and cannot extend the
     * pause. After the pause one job at a time is tried, until one has finished. {@link dev.pawl.Limits#pausedKeys} shows
     * the pause and {@link dev.pawl.Limits#resume} ends it. If the job has no key, only this job waits.
     *
     * @param delay duration of the pause, at most a day; not negative
     * @param reason shown to operators
     */
    record KeyUnavailable(Duration delay, String reason) implements Outcome {
        /**
         * @throws IllegalArgumentException if the delay is negative or longer than a day
         */
        public KeyUnavailable {
            requireNotLong(delay);
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The work is no longer wanted; the job is cancelled.
     *
     * @param reason stored with the job
     */
    record Cancel(String reason) implements Outcome {
        /** Checks the reason. */
        public Cancel {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The work can never succeed; the job is discarded, however many attempts are left.
     *
     * @param reason stored with the job, and as the attempt's error
     */
    record Discard(String reason) implements Outcome {
        /** Checks the reason. */
        public Discard {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** {@return the outcome of a successful run} */
    static Outcome completed() {
        return Completed.INSTANCE;
    }

    /**
     * Returns a failed attempt with a chosen delay, see {@link RetryAfter}.
     *
     * @param delay time until the retry
     * @param reason recorded as the attempt's error
     * @return the outcome
     */
    static Outcome retryAfter(Duration delay, String reason) {
        return new RetryAfter(delay, reason);
    }

    /**
     * Returns a run that is repeated later without counting an attempt, see {@link SnoozeFor}.
     *
     * @param delay time until the next run
     * @return the outcome
     */
    static Outcome snoozeFor(Duration delay) {
        return new SnoozeFor(delay);
    }

    /**
     * Returns an outage of the whole kind, see {@link Unavailable}.
     *
     * @param delay duration of the pause, at most a day
     * @param reason shown to operators
     * @return the outcome
     */
    static Outcome unavailable(Duration delay, String reason) {
        return new Unavailable(delay, reason);
    }

    /**
     * Returns an outage of the job's concurrency key, see {@link KeyUnavailable}.
     *
     * @param delay duration of the pause, at most a day
     * @param reason shown to operators
     * @return the outcome
     */
    static Outcome keyUnavailable(Duration delay, String reason) {
        return new KeyUnavailable(delay, reason);
    }

    /**
     * Returns a cancelled job, see {@link Cancel}.
     *
     * @param reason stored with the job
     * @return the outcome
     */
    static Outcome cancel(String reason) {
        return new Cancel(reason);
    }

    /**
     * Returns a discarded job, see {@link Discard}.
     *
     * @param reason stored with the job
     * @return the outcome
     */
    static Outcome discard(String reason) {
        return new Discard(reason);
    }

    private static void requireNotLong(Duration delay) {
        requireNotNegative(delay);
        if (delay.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("jobs can be paused for a day at most, not for " + delay);
        }
    }

    private static void requireNotNegative(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a delay must not be negative: " + delay);
        }
    }
}
