package dev.pawl.specification;

import dev.pawl.internal.engine.StepWorker;
import java.sql.SQLException;

/**
 * A run completes in its transaction. While the transaction is open, another step runs, which needs none of the same rows. On a database
 * with a single writer, the other step runs first.
 */
record CompleteAround(int run, Op inside) implements Op {
    @Override
    public void on(Real real, Model model) throws SQLException {
        if (real.runs.isEmpty()) {
            inside.on(real, model);
            return;
        }
        Real.Held held = real.runs.remove(run % real.runs.size());
        boolean isAlone = !real.stage.hasManyWriters();
        if (isAlone) {
            inside.on(real, model);
        }
        StepWorker.Committed committed = held.worker().completeInTransaction(held.run(), () -> {
            if (!isAlone) {
                inside.on(real, model);
            }
        });
        long job = held.run().job().id();
        if (committed == StepWorker.Committed.RELEASED) {
            model.conflict(job, held.claim());
        } else {
            boolean accepted = committed == StepWorker.Committed.COMPLETED;
            model.end(job, held.claim(), How.COMPLETE_IN_TRANSACTION, accepted);
        }
    }

    @Override
    public String toString() {
        return "new CompleteAround(" + run + ", " + inside + ")";
    }
}
