package dev.pawl.internal.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The decision about a job after a run. It already takes the retry policy and the remaining attempts into account. */
public sealed interface Verdict {
    /**
     * The kinds of verdicts. A switch expression over them compiles only if it handles all kinds. A switch over types
     * would need Java 21.
     */
    enum Kind {
        /** See {@link Verdict.Completed}. */
        COMPLETED,
        /** See {@link Verdict.Retry}. */
        RETRY,
        /** See {@link Verdict.Snooze}. */
        SNOOZE,
        /** See {@link Verdict.Release}. */
        RELEASE,
        /** See {@link Verdict.Pause}. */
        PAUSE,
        /** See {@link Verdict.Cancelled}. */
        CANCELLED,
        /** See {@link Verdict.Discarded}. */
        DISCARDED
    }

    /** {@return the kind of this verdict} */
    Kind kind();

    /** {@return the delay until the job is available again; zero for a verdict without a delay} */
    default Duration delay() {
        return Duration.ZERO;
    }

    /** {@return why the job ends; empty for a verdict without a reason} */
    default String reason() {
        return "";
    }

    /** {@return the failure of the attempt; empty for a verdict without an error} */
    default String error() {
        return "";
    }

    /**
     * Completed.
     *
     * @param result as the codec wrote it; null if the handler set none
     */
    record Completed(@Nullable String result) implements Verdict {
        /** Completed without a result. */
        public Completed() {
            this(null);
        }

        @Override
        public Kind kind() {
            return Kind.COMPLETED;
        }
    }

    /**
     * Available again after a delay; the attempt failed. If the job's cancellation was requested, it is cancelled instead.
     *
     * @param delay from now, by the database's clock
     * @param error recorded with the attempt
     */
    record Retry(Duration delay, String error) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.RETRY;
        }
    }

    /**
     * Available again after a delay; the attempt is not counted. If the job's cancellation was requested, it is cancelled instead.
     *
     * @param delay from now, by the database's clock
     */
    record Snooze(Duration delay) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.SNOOZE;
        }
    }

    /**
     * Available again at once, in its old position; the attempt is not counted and nothing is recorded, because it did not start. If the
     * job's cancellation was requested, it is cancelled instead.
     */
    record Release() implements Verdict {
        @Override
        public Kind kind() {
            return Kind.RELEASE;
        }
    }

    /**
     * Paused until its batch is resumed; the attempt is not counted and nothing is recorded, because it did not start. If the job's
     * cancellation was requested, it is cancelled instead.
     */
    record Pause() implements Verdict {
        @Override
        public Kind kind() {
            return Kind.PAUSE;
        }
    }

    /**
     * Cancelled.
     *
     * @param reason kept with the job
     */
    record Cancelled(String reason) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.CANCELLED;
        }
    }

    /**
     * Discarded after its last attempt or by its handler.
     *
     * @param reason kept with the job
     * @param error recorded with the attempt
     */
    record Discarded(String reason, String error) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.DISCARDED;
        }
    }
}
