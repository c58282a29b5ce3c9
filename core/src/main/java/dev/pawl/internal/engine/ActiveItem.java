package dev.pawl.internal.engine;

import dev.pawl.api.Chunk;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import org.jspecify.annotations.Nullable;

/** A job while its handler is called, as a chunk handler sees it, and the outcome. Thread-safe. */
final class ActiveItem<T> implements Chunk.Item<T> {
    private final JobRun run;
    private volatile @Nullable T payload;
    private volatile @Nullable Outcome outcome;
    private volatile @Nullable Throwable error;

    ActiveItem(JobRun run) {
        this.run = run;
    }

    void payload(T decoded) {
        payload = decoded;
    }

    @Override
    @SuppressWarnings("NullAway") // set before the handler sees it; a codec may decode "null" to null
    public T payload() {
        return payload;
    }

    @Override
    public JobRun run() {
        return run;
    }

    @Override
    public void ends(Outcome how) {
        outcome = OutcomePolicy.present(how, run.job());
        error = null;
    }

    /** Of a handler that was called with this job alone; null if it has handed the run off. */
    void returned(@Nullable Outcome how) {
        outcome = how;
    }

    @Override
    public void fails(Throwable cause) {
        error = cause;
        outcome = null;
    }

    /** {@return whether the handler has reported an outcome or a failure} */
    boolean hasOutcome() {
        return outcome != null || error != null;
    }

    /** Called at the end of a transaction that is about to commit and complete the job; an outcome reported inside it would be ignored. */
    void requireNoOutcome() {
        if (hasOutcome()) {
            throw new IllegalStateException(
                    "an outcome of job " + run.job().id()
                            + " was set within chunk.transaction, which would complete it: rolled back; set it before, or throw");
        }
    }

    /** The transaction was rolled back, so a completion reported inside it no longer holds. */
    void rolledBack(Throwable why) {
        if (outcome instanceof Outcome.Completed) {
            fails(why);
        }
    }

    @Nullable
    Outcome outcome() {
        return outcome;
    }

    @Nullable
    Throwable error() {
        return error;
    }

    /** {@return the outcome as interceptors see it} */
    Outcome ended() throws Exception {
        Throwable failed = error;
        if (failed instanceof Exception exception) {
            throw exception;
        } else if (failed instanceof Error serious) {
            throw serious;
        } else if (failed != null) {
            throw new IllegalStateException(failed);
        }
        return OutcomePolicy.present(outcome, run.job());
    }
}
