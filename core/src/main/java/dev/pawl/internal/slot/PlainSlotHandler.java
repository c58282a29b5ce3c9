package dev.pawl.internal.slot;

import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRun;
import dev.pawl.internal.engine.Scoped;

/**
 * Wraps a {@link SlotHandler} as a handler that returns no outcome.
 *
 * @param handler the wrapped handler
 * @param <T> the payload
 */
public record PlainSlotHandler<T>(SlotHandler<T> handler) implements JobHandler<T>, Scoped {
    @Override
    public Scope open(JobRun run) throws Exception {
        return handler.open(run);
    }

    @Override
    public void handle(T payload, JobRun run) throws Exception {
        var unused = handler.handle(payload, run); // always completed, because the handler returns no outcome
    }
}
