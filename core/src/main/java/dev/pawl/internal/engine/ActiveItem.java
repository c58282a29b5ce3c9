package dev.pawl.internal.engine;

import dev.pawl.api.Chunk;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A job and its outcome while the handler is called, as a chunk handler sees them. Thread-safe. */
final class ActiveItem<T> implements Chunk.Item<T> {
    private final JobRun run;
    private volatile @Nullable T payload;
    /**
     * Null before the handler has reported anything, and for a run that was handed off. The outcome and the error are in one object, so
     * that one write replaces both.
     */
    private volatile @Nullable End end;

    /**
     * How the run ended.
     *
     * @param outcome null for a failure
     * @param error null for an outcome
     */
    record End(@Nullable Outcome outcome, @Nullable Throwable error) {
        static final End NONE = new End(null, null);
    }

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
        end = new End(OutcomePolicy.present(how, run.job()), null);
    }

    /** Takes the outcome of a handler that was called with this job alone; null if it has handed the run off. */
    void returned(@Nullable Outcome how) {
        end = how == null ? null : new End(how, null);
    }

    @Override
    public void fails(Throwable cause) {
        end = new End(null, Objects.requireNonNull(cause, "the failure of a job is null"));
    }

    /** {@return whether the handler has reported an outcome or a failure} */
    boolean hasOutcome() {
        return end != null;
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
        if (end().outcome() instanceof Outcome.Completed) {
            fails(why);
        }
    }

    /** {@return how the run ended; both parts are null if nothing was reported} */
    End end() {
        End now = end;
        return now == null ? End.NONE : now;
    }

    /** {@return the outcome as interceptors see it} */
    Outcome ended() throws Exception {
        End how = end();
        Throwable failed = how.error();
        if (failed instanceof Exception exception) {
            throw exception;
        } else if (failed instanceof Error serious) {
            throw serious;
        } else if (failed != null) {
            throw new IllegalStateException(failed);
        }
        return OutcomePolicy.present(how.outcome(), run.job());
    }
}
