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

    private static void requireNotNegative(Duration delay) {
        if (delay.isNegative()) {
            throw new InvalidJobException("a delay must not be negative: " + delay);
        }
    }
}
