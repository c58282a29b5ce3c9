package dev.pawl.specification;

import java.sql.SQLException;

/** A step of another program on the same database, with its own queue and worker, opened at another time. */
record ByOther(Op step) implements Op {
    @Override
    public void on(Real real, Model model) throws SQLException {
        real.swap();
        try {
            step.on(real, model);
        } finally {
            real.swap();
        }
    }

    @Override
    public String toString() {
        return Op.call("byOther", step);
    }
}
