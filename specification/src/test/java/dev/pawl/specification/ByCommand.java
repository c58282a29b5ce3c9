package dev.pawl.specification;

import java.sql.SQLException;

/** A person uses the command line, which is another door to what programs can do. */
record ByCommand(Prints prints, Command command) implements Op {
    /** For whom the command prints what it has done. */
    enum Prints {
        JSON,
        TEXT
    }

    @Override
    public void on(Real real, Model model) throws SQLException {
        command.on(new Pawl(real.stage, prints == Prints.JSON), real, model);
    }

    @Override
    public String toString() {
        return Op.call("byCommand", prints, command);
    }
}
