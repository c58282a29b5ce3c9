package dev.pawl.internal.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The decision about a job after a run, in which the retry policy and the remaining attempts are already taken into account. */
public sealed interface Verdict {
    /**
     * Calls the method named after this verdict. Java 17 has no exhaustive switch over types; with this method, code that handles verdicts
     * does not compile until it handles all of them.
     *
     * @param cases one method per verdict
     * @param <R> the result
     * @return what that method returns
     */
    <R> R choose(Cases<R> cases);

    /**
     * One method per verdict.
     *
     * @param <R> the result
     */
    interface Cases<R> {
        /** {@return the result for a completed job} */
        R completed();

        /** {@return the result for a failed attempt that is followed by another one} */
        R retry(Retry retry);

        /** {@return the result for a snoozed job} */
        R snooze(Snooze snooze);

        /** {@return the result for a job that did not start} */
        R giveBack();

        /** {@return the result for a job whose batch is paused, and that did not start} */
        R pause();

        /** {@return the result for a cancelled job} */
        R cancelled(Cancelled cancelled);

        /** {@return the result for a discarded job} */
        R discarded(Discarded discarded);
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
        public <R> R choose(Cases<R> cases) {
            return cases.completed();
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
        public <R> R choose(Cases<R> cases) {
            return cases.retry(this);
        }
    }

    /**
     * Available again after a delay; the attempt is not counted. If the job's cancellation was requested, it is cancelled instead.
     *
     * @param delay from now, by the database's clock
     */
    record Snooze(Duration delay) implements Verdict {
        @Override
        public <R> R choose(Cases<R> cases) {
            return cases.snooze(this);
        }
    }

    /**
     * Available again at once, in its old position; the attempt is not counted and nothing is recorded, because it did not start. If the
     * job's cancellation was requested, it is cancelled instead.
     */
    record GiveBack() implements Verdict {
        @Override
        public <R> R choose(Cases<R> cases) {
            return cases.giveBack();
        }
    }

    /**
     * Paused until its batch is resumed; the attempt is not counted and nothing is recorded, because it did not start. If the job's
     * cancellation was requested, it is cancelled instead.
     */
    record Pause() implements Verdict {
        @Override
        public <R> R choose(Cases<R> cases) {
            return cases.pause();
        }
    }

    /**
     * Cancelled.
     *
     * @param reason kept with the job
     */
    record Cancelled(String reason) implements Verdict {
        @Override
        public <R> R choose(Cases<R> cases) {
            return cases.cancelled(this);
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
        public <R> R choose(Cases<R> cases) {
            return cases.discarded(this);
        }
    }
}
