package dev.pawl.specification;

import dev.pawl.specification.Op.BatchChange;
import dev.pawl.specification.Op.ChangeBatch;
import dev.pawl.specification.Op.Claim;
import dev.pawl.specification.Op.Kinds;
import java.sql.SQLException;
import java.util.List;

/** A batch is paused, a worker pauses the jobs that it claims, a step runs, and the batch resumes. */
record WhilePaused(int batch, Op step) implements Op {
    @Override
    public void on(Real real, Model model) throws SQLException {
        for (Op each : List.of(
                new ChangeBatch(BatchChange.PAUSE, batch),
                new Claim("default", Kinds.BOTH, 5),
                step,
                new ChangeBatch(BatchChange.RESUME, batch))) {
            each.on(real, model);
            model.compare(real.listed());
        }
    }

    @Override
    public String toString() {
        return Op.call("whilePaused", batch, step);
    }
}
