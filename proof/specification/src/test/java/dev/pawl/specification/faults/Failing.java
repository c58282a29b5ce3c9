package dev.pawl.specification.faults;

import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.SQLException;

/**
 * A step in which one database call fails.
 *
 * @param step that is tried
 * @param call number of the call that fails, from 1; if there are fewer, none fails
 * @param how the call fails
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
