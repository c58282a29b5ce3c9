package dev.pawl.internal.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The decision about what becomes of a job after a run; the retry policy and the attempts left are already taken into
 * account.
 */
public sealed interface Verdict {
    /**
     * Calls the method that is named after this verdict. Java 17 has no exhaustive switch over types; with this, code that
     * handles verdicts does not compile until it handles all of them.
     *
     * @param cases what to do for each verdict
     * @param <R> the result
     * @return what that method returns
     */
    <R> R choose(Cases<R> cases);

    /**
     * Something for each verdict.
     *
     * @param <R> the result
     */
    interface Cases<R> {
        /** {@return the result for a job that finished well} */
        R completed();

        /** {@return the result for an attempt that failed and is followed by another one} */
        R retry(Retry retry);

        /** {@return the result for a job that asked to be run later} */
        R snooze(Snooze snooze);

        /** {@return the result for a job that did not begin} */
        R giveBack();

        /** {@return the result for a job that is no longer wanted} */
        R cancelled(Cancelled cancelled);

        /** {@return the result for a job that failed for good} */
        R discarded(Discarded discarded);
    }

    /**
     * Finished well.
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
     * Available again after a delay; the attempt failed. If the job was asked to stop meanwhile it is cancelled instead.
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
     * Available again after a delay; the attempt is not counted. If the job was asked to stop meanwhile it is cancelled
     * instead.
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
     * Available again at once, in its old place; the attempt is not counted and nothing is noted, because it did not
     * begin. If the job was asked to stop meanwhile it is cancelled instead.
     */
    record GiveBack() implements Verdict {
        @Override
        public <R> R choose(Cases<R> cases) {
            return cases.giveBack();
        }
    }

    /**
     * Finished because it is no longer wanted.
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
     * Finished because it failed for good.
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
