package dev.pawl.specification.faults;

import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.SQLException;

/**
 * A step of which one call to the database fails.
 *
 * @param step that is tried
 * @param call which of its calls fails, from 1; if it has fewer, none does
 * @param how it fails
 * @param again whether the client, or after its death another one, retries
 */
public record Failing(Op step, int call, Fault how, boolean again) implements Op {
    @Override
    public void on(Real real, Model model) throws SQLException {
        ((FaultyStage) real.stage).faults().arm(call, how);
        if (!new Guarded(step, real, model).run() && again) {
            step.on(real, model);
        }
    }

    @Override
    public String toString() {
        return "new Failing(" + step + ", " + call + ", Fault." + how + ", " + again + ")";
    }
}
