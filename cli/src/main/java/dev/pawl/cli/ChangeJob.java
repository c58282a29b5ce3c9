package dev.pawl.cli;

import dev.pawl.admin.Admin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Parameters;

/** Base of the commands that change jobs by their ids. */
abstract class ChangeJob extends CliCommand implements NamesJobs {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "The jobs' ids.")
    private List<Long> ids = new ArrayList<>();

    @Override
    public final List<Long> routingIds() {
        return List.copyOf(ids);
    }

    /** {@return the ids without repetitions; with several shards, only those of the current shard} */
    final List<Long> ids() {
        return new LinkedHashSet<>(ids).stream().filter(database()::mayHave).toList();
    }

    /** {@return the change that the options request} */
    abstract Wanted wanted();

    /** Checks names in the change, such as the target queue, before any job is changed. */
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
