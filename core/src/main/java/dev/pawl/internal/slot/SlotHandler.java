package dev.pawl.internal.slot;

import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.internal.engine.Scoped;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A handler with a slot. A worker opens the scope around any transaction that the handler has; if another caller
 * invokes
 * it, such as another handler or a manager's channel, it opens its scope itself.
 *
 * @param <T> the payload
 */
public final class SlotHandler<T> implements JobHandler.WithOutcome<T>, Scoped {
    private final Reservations reservations;
    private final SeriesOptions options;
    private final JobHandler.WithOutcome<T> handler;

    /**
     * @param reservations issues the slots
     * @param options of the series
     * @param handler called with the slot
     */
    public SlotHandler(Reservations reservations, SeriesOptions options, JobHandler.WithOutcome<T> handler) {
        this.reservations = reservations;
        this.options = options;
        this.handler = handler;
    }

    /**
     * Wraps the handler, inside the handling of its slot.
     *
     * @param around creates the wrapper
     * @return a handler with the same slot
     */
    public SlotHandler<T> inside(UnaryOperator<JobHandler.WithOutcome<T>> around) {
        return new SlotHandler<>(
                reservations,
                options,
                handler instanceof SlotHandler<T> inner ? inner.inside(around) : around.apply(handler));
    }

    @Override
    public Scope open(JobRun run) throws Exception {
        Duration ttl = reservations.ttl(options, run);
        ReservedSlot slot = reservations.reserve(options, run, ttl);
        SlotScope own = new SlotScope(new SlotRun(run, slot, this), slot, heartbeat(ttl), options.holdOnFailure());
        if (!(handler instanceof Scoped inner)) {
            return own;
        }
        try {
            return new Nested(own, inner.open(own.run()));
        } catch (Throwable failure) {
            own.close(false);
            throw failure;
        }
    }

    /** A reservation that was to last until a given moment is not extended. */
    private @Nullable Duration heartbeat(Duration ttl) {
        return options.ttl().until() == null ? ttl : null;
    }

    private record Nested(Scope outer, Scope inner) implements Scope {
        @Override
        public JobRun run() {
            return inner.run();
        }

        @Override
        public void close(boolean completed) {
            try {
                inner.close(completed);
            } finally {
                outer.close(completed);
            }
        }
    }

    @Override
    public Outcome handle(T payload, JobRun run) throws Exception {
        if (SlotRun.isOpen(run, this)) {
            return opened(payload, run);
        }
        Scope scope = open(run);
        boolean completed = false;
        try {
            Outcome outcome = opened(payload, scope.run());
            completed = outcome instanceof Outcome.Completed;
            return outcome;
        } finally {
            scope.close(completed);
        }
    }

    private Outcome opened(T payload, JobRun run) throws Exception {
        Outcome outcome = handler.handle(payload, run);
        if (outcome instanceof Outcome.Completed && SlotRun.isUnused(run, this)) {
            run.transaction(connection -> {}); // used with the completion of the job, or not at all
        }
        return outcome;
    }
}
