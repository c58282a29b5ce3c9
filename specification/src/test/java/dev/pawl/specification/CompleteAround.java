package dev.pawl.specification;

import java.sql.SQLException;

/**
 * A run completes in its transaction, while something else happens that needs none of the same rows. Where a database has only one writer
 * at a time, that happens first.
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
        boolean accepted = held.worker().completeInTransaction(held.run(), () -> {
            if (!isAlone) {
                inside.on(real, model);
            }
        });
        model.end(held.run().job().id(), held.claim(), How.COMPLETE_IN_TRANSACTION, accepted);
    }

    @Override
    public String toString() {
        return "new CompleteAround(" + run + ", " + inside + ")";
    }
}
