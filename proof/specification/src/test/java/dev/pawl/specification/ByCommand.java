package dev.pawl.specification;

import java.sql.SQLException;

/** A step that a user does with the command line instead of the API. */
record ByCommand(Prints prints, Command command) implements Op {
    /** The reader of the command's output. */
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
