package dev.pawl.spring;

import dev.pawl.JobHandler.WithOutcome;
import dev.pawl.JobRun;
import dev.pawl.Outcome;

/**
 * A handler that runs in the transaction which completes its job.
 *
 * @param handler what to run
 */
record InTransaction(WithOutcome<Object> handler) implements WithOutcome<Object> {
    @Override
    public Outcome handle(Object payload, JobRun run) throws Exception {
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

    /** Rolls the transaction back: what the handler wrote belongs to a completion that does not come. */
    private static final class NotCompleted extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Outcome outcome;

        NotCompleted(Outcome outcome) {
            super("the handler's outcome is not 'completed'", null, false, false);
            this.outcome = outcome;
        }
    }
}
