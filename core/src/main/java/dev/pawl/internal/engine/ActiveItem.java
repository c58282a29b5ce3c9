package dev.pawl.internal.engine;

import dev.pawl.Chunk;
import dev.pawl.Job;
import dev.pawl.JobRun;
import dev.pawl.Outcome;
import org.jspecify.annotations.Nullable;

/** A job of a chunk while it is handled. Thread-safe. */
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
    @SuppressWarnings(
            "NullAway") // it is read before the handler sees it; what a codec makes of "null" is its own business
    public T payload() {
        return payload;
    }

    @Override
    public JobRun run() {
        return run;
    }

    @Override
    public void ends(Outcome how) {
        Job job = run.job();
        Outcome present = Judge.present(how, job);
        if (present instanceof Outcome.Elsewhere) {
            throw new IllegalArgumentException("job " + job.id() + " of kind '" + job.kind()
                    + "' is handled in a chunk, and cannot go on elsewhere: use handleElsewhere(…)");
        }
        outcome = present;
        error = null;
    }

    @Override
    public void fails(Throwable cause) {
        error = cause;
        outcome = null;
    }

    /** {@return whether its handler has said how it ended} */
    boolean isSaid() {
        return outcome != null || error != null;
    }

    /** At the end of a transaction's work, which is about to be committed and completes the job whatever was said of it within. */
    void requireUnsaid() {
        if (isSaid()) {
            throw new IllegalStateException(
                    "an outcome of job " + run.job().id()
                            + " was said within chunk.transaction, which would complete it: rolled back; say it before, or throw");
        }
    }

    /** A transaction was rolled back: if it was said within that the job is completed, that is no longer true. */
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

    /** What an interceptor gets to see. */
    Outcome ended() throws Exception {
        Throwable failed = error;
        if (failed instanceof Exception exception) {
            throw exception;
        } else if (failed instanceof Error serious) {
            throw serious;
        } else if (failed != null) {
            throw new IllegalStateException(failed);
        }
        return Judge.present(outcome, run.job());
    }
}
