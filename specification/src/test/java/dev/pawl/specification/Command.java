package dev.pawl.specification;

import java.sql.SQLException;

/** What a person does by the command line; the model does the same. */
interface Command {
    void on(Pawl pawl, Real real, Model model) throws SQLException;
}
