package dev.pawl.cli;

import dev.pawl.admin.Admin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Parameters;

/** Base of the commands that change jobs by their ids. */
abstract class ChangeJob extends CliCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "The jobs' ids.")
    private List<Long> ids = new ArrayList<>();

    /** {@return the ids; repeated ones once} */
    final List<Long> ids() {
        return List.copyOf(new LinkedHashSet<>(ids));
    }

    /** {@return the change that the options request} */
    abstract Wanted wanted();

    /** Checks what the change names before anything is changed. */
    void check(DatabaseOptions.Session session) {}

    @Override
    public Integer call() {
        Wanted wanted = wanted();
        try (DatabaseOptions.Session session = database().openExisting()) {
            check(session);
            Admin admin = session.queue().admin();
            return SingleChanges.change(this, admin, ids(), wanted.change(), wanted.one());
        }
    }
}
