package dev.pawl.specification.faults;

import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The server is killed, and loses its last commits; its clients do not notice.
 *
 * @param steps the steps that are lost
 */
public record LostSecond(List<Op> steps) implements Op {
    @Override
    public void on(Real real, Model model) throws SQLException {
        if (!real.stage.remember()) {
            return;
        }
        Model before = model.copy();
        for (Op step : steps) {
            step.on(real, model);
            model.compare(real.listed());
        }
        real.stage.goBack();
        model.loses(before);
    }

    @Override
    public String toString() {
        return "new LostSecond(List.of(" + steps.stream().map(Op::toString).collect(Collectors.joining(", ")) + "))";
    }
}
