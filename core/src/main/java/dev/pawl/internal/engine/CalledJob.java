package dev.pawl.internal.engine;

import dev.pawl.internal.store.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A job for which a handler is called, alone or with the other jobs of its chunk, and its verdict. Confined to the thread of the handler.
 *
 * @param <T> the payload
 */
final class CalledJob<T> {
    final HeldJob held;
    final ActiveRun run;
    final ActiveItem<T> item;

    /** Surrounds the run; null for nothing. */
    Scoped.@Nullable Scope scope;

    /** Null without a recording. */
    @Nullable
    JobRunEvent recorded;

    /** Null until it is decided, and for a run that was handed off. */
    @Nullable
    Verdict verdict;

    /** Why there is no verdict: a bug in the engine, or the JVM is short of a resource. */
    @Nullable
    Throwable broken;

    CalledJob(HeldJob held, ActiveRun run) {
        this.held = held;
        this.run = run;
        this.item = new ActiveItem<>(run);
    }
}
