package dev.pawl.internal.slot;

import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.internal.engine.Scoped;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A handler that gets a slot. A worker opens the scope of the slot, which surrounds the transaction of the run if the run has a
 * transaction. If another caller invokes the handler, such as another handler or a manager's channel, the handler opens the scope itself.
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
     * Wraps the innermost handler, so that the wrapper also runs while the slot is reserved.
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

    /** The duration by which the reservation is extended; null if it lasts until a given time and so is not extended. */
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
            run.transaction(connection -> {}); // one transaction uses the slot and completes the job
        }
        return outcome;
    }
}
