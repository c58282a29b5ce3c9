package dev.pawl.internal.engine;

import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;

/** Adapts a handler without an outcome: a normal return completes the job. */
public final class Completing {
    private Completing() {}

    /**
     * @param handler the user's
     * @param <T> the payload
     * @return the adapter, {@link Scoped} if the handler is
     */
    public static <T> JobHandler.WithOutcome<T> of(JobHandler<T> handler) {
        return handler instanceof Scoped scoped ? new WithScope<>(handler, scoped) : call(handler);
    }

    private static <T> JobHandler.WithOutcome<T> call(JobHandler<T> handler) {
        return (payload, run) -> {
            handler.handle(payload, run);
            return Outcome.completed();
        };
    }

    private record WithScope<T>(JobHandler<T> handler, Scoped scoped) implements JobHandler.WithOutcome<T>, Scoped {
        @Override
        public Outcome handle(T payload, JobRun run) throws Exception {
            return call(handler).handle(payload, run);
        }

        @Override
        public Scope open(JobRun run) throws Exception {
            return scoped.open(run);
        }
    }
}
