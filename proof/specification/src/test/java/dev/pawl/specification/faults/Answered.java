package dev.pawl.specification.faults;

import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.SQLException;

/**
 * A step in which one database call, or several in a row, are answered with an engine's error.
 *
 * @param step that is tried
 * @param call number of the first such call, from 1, counting only calls that can end with this error; if there are fewer calls, none fails
 * @param answer the error
 * @param again whether the client retries
 */
public record Answered(Op step, int call, EngineAnswer answer, boolean again) implements Op {
    @Override
    public void on(Real real, Model model) throws SQLException {
        ((FaultyStage) real.stage).faults().arm(call, answer);
        if (!new Guarded(step, real, model).run() && again) {
            step.on(real, model);
        }
    }

    @Override
    public String toString() {
        return "new Answered(" + step + ", " + call + ", " + answer + ", " + again + ")";
    }
}
