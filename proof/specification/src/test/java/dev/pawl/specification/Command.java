package dev.pawl.specification;

import java.sql.SQLException;

/** A user's command on the command line; the model does the same. */
interface Command {
    void on(Pawl pawl, Real real, Model model) throws SQLException;
}
