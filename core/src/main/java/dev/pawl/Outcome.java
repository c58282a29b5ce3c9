package dev.pawl;

import java.time.Duration;
import java.util.Objects;

/** How a run ended, according to its handler. An exception means a retry by the {@link RetryPolicy}. */
public sealed interface Outcome {
    /** The work is done; the job is finished. */
    record Completed() implements Outcome {
        static final Completed INSTANCE = new Completed();
    }

    /**
     * The attempt failed; try again after a delay that the handler chooses. Counts as an attempt: when none is left,
     * the job is discarded.
     *
     * @param delay how long to wait; not negative
     * @param reason recorded as the attempt's error
     */
    record RetryAfter(Duration delay, String reason) implements Outcome {
        /**
         * @throws InvalidJobException if the delay is negative
         */
        public RetryAfter {
            requireNotNegative(delay);
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * Nothing failed, but now is not the time: run again later. Does not count as an attempt.
     *
     * @param delay how long to wait; not negative
     */
    record SnoozeFor(Duration delay) implements Outcome {
        /**
         * @throws InvalidJobException if the delay is negative
         */
        public SnoozeFor {
            requireNotNegative(delay);
        }
    }

    /**
     * What jobs of this kind need is not available, such as a service that is down. It is nobody's fault: the attempt is not
     * counted, and <em>all</em> jobs of the kind are held back, on all workers, for the given time. Then one job at a time
     * is tried, until one ends without saying this again. {@link Limits#list} shows what is held back, and
     * {@link Limits#open} ends it: the job that said so, too, is available again after the delay or five seconds, whichever is
     * shorter, and waits for the end of the hold like all others.
     *
     * @param delay for how long, up to a day; not negative
     * @param reason shown to people
     */
    record Unavailable(Duration delay, String reason) implements Outcome {
        /**
         * @throws InvalidJobException if the delay is negative or longer than a day
         */
        public Unavailable {
            requireNotLong(delay);
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * What jobs with this job's key ({@link EnqueueOptions#key}) need is not available, such as the server of one customer. It is
     * nobody's fault: the attempt is not counted, and all jobs of the queue with this key are held back, on all workers, for the given
     * time; those of other keys go on. Those of the key that run already go on, too, and whatever they say makes the time no longer. Then
     * one job at a time is tried, until one ends for good. {@link Limits#heldKeys} shows what is held back, and
     * {@link Limits#openKey} ends it. A job without a key waits alone.
     *
     * @param delay for how long, up to a day; not negative
     * @param reason shown to people
     */
    record KeyUnavailable(Duration delay, String reason) implements Outcome {
        /**
         * @throws InvalidJobException if the delay is negative or longer than a day
         */
        public KeyUnavailable {
            requireNotLong(delay);
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The work is no longer wanted; the job is finished as cancelled.
     *
     * @param reason kept with the job
     */
    record Cancel(String reason) implements Outcome {
        /** Checks the reason. */
        public Cancel {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The work can never succeed; the job is finished as discarded, however many attempts are left.
     *
     * @param reason kept with the job and as the attempt's error
     */
    record Discard(String reason) implements Outcome {
        /** Checks the reason. */
        public Discard {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The run goes on in another process, which keeps the lease and records the outcome, see {@link RunsElsewhere}.
     * Only for handlers of {@link WorkerBuilder#handleElsewhere}.
     */
    record Elsewhere() implements Outcome {
        static final Elsewhere INSTANCE = new Elsewhere();
    }

    /** {@return the work is done} */
    static Outcome completed() {
        return Completed.INSTANCE;
    }

    /**
     * @param delay how long to wait
     * @param reason recorded as the attempt's error
     * @return failed, try again after the delay
     */
    static Outcome retryAfter(Duration delay, String reason) {
        return new RetryAfter(delay, reason);
    }

    /**
     * @param delay how long to wait
     * @return run again later, without counting an attempt
     */
    static Outcome snoozeFor(Duration delay) {
        return new SnoozeFor(delay);
    }

    /**
     * @param delay for how long to hold all jobs of the kind back, up to a day
     * @param reason shown to people
     * @return what jobs of this kind need is not available
     */
    static Outcome unavailable(Duration delay, String reason) {
        return new Unavailable(delay, reason);
    }

    /**
     * @param delay for how long to hold all jobs with the key of this one back, up to a day
     * @param reason shown to people
     * @return what jobs with this job's key need is not available
     */
    static Outcome keyUnavailable(Duration delay, String reason) {
        return new KeyUnavailable(delay, reason);
    }

    /**
     * @param reason kept with the job
     * @return finished as cancelled
     */
    static Outcome cancel(String reason) {
        return new Cancel(reason);
    }

    /**
     * @param reason kept with the job
     * @return finished as discarded
     */
    static Outcome discard(String reason) {
        return new Discard(reason);
    }

    /** {@return the run goes on in another process} */
    static Outcome elsewhere() {
        return Elsewhere.INSTANCE;
    }

    private static void requireNotLong(Duration delay) {
        requireNotNegative(delay);
        if (delay.compareTo(Duration.ofDays(1)) > 0) {
            throw new InvalidJobException("jobs are held back for a day at most, not for " + delay);
        }
    }

    private static void requireNotNegative(Duration delay) {
        if (delay.isNegative()) {
            throw new InvalidJobException("a delay must not be negative: " + delay);
        }
    }
}
