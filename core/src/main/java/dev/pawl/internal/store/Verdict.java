package dev.pawl.internal.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The decision about a job after a run, in which the retry policy and the remaining attempts are already taken into account. */
public sealed interface Verdict {
    /** The kinds of verdicts. A switch expression over them compiles only if it handles all; one over types would need Java 21. */
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

    /** {@return which one it is} */
    Kind kind();

    /** {@return after which the job is available again; zero for one that has none} */
    default Duration delay() {
        return Duration.ZERO;
    }

    /** {@return why the job ends; empty for one that has none} */
    default String reason() {
        return "";
    }

    /** {@return the failure of the attempt; empty for one that has none} */
    default String error() {
        return "";
    }

    /**
     * Completed.
     *
     * @param result as the codec wrote it; null if the handler gave none
     */
    record Completed(@Nullable String result) implements Verdict {
        /** Without a result. */
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
