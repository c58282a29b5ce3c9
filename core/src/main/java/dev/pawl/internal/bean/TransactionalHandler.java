package dev.pawl.internal.bean;

import dev.pawl.api.JobHandler;
import dev.pawl.api.JobHandler.WithOutcome;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.internal.engine.Completing;
import dev.pawl.internal.slot.PlainSlotHandler;
import dev.pawl.internal.slot.SlotHandler;

/**
 * A handler that runs in the transaction that completes its job.
 *
 * @param handler what to run
 * @param <T> the payload
 */
record TransactionalHandler<T>(WithOutcome<T> handler) implements WithOutcome<T> {
    /**
     * Wraps a handler. A slot is reserved before the transaction begins, so the transaction runs inside the handler
     * that reserves the slot.
     */
    static <T> WithOutcome<T> around(WithOutcome<T> handler) {
        return handler instanceof SlotHandler<T> slot
                ? slot.inside(TransactionalHandler::new)
                : new TransactionalHandler<>(handler);
    }

    static <T> WithOutcome<T> aroundPlain(JobHandler<T> handler) {
        return around(handler instanceof PlainSlotHandler<T> slot ? slot.handler() : Completing.of(handler));
    }

    @Override
    public Outcome handle(T payload, JobRun run) throws Exception {
        try {
            run.transaction(connection -> {
                Outcome outcome = handler.handle(payload, run);
                if (!(outcome instanceof Outcome.Completed)) {
                    throw new NotCompleted(outcome);
                }
            });
        } catch (NotCompleted rolledBack) {
            return rolledBack.outcome;
        }
        return Outcome.completed();
    }

    /** Thrown to roll the transaction back, because the handler's outcome does not complete the job. */
    private static final class NotCompleted extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Outcome outcome;

        NotCompleted(Outcome outcome) {
            super("the handler's outcome is not 'completed'", null, false, false);
            this.outcome = outcome;
        }
    }
}
