package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.JobChange;
import picocli.CommandLine.Mixin;

/** Applies one change to jobs given by id, or to all that match. */
abstract class ChangeCommand extends CliCommand {
    @Mixin
    private SingleChanges single = new SingleChanges();

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    /**
     * The requested change.
     *
     * @param change of each job
     * @param one text for one job, such as "is deleted"
     * @param many text for several
     */
    record Wanted(JobChange change, String one, String many) {}

    /** {@return the change that the options request} */
    abstract Wanted wanted();

    @Override
    public final Integer call() {
        boolean all = matching.isMeant(single.ids());
        Wanted wanted = wanted();
        try (DatabaseOptions.Session session = database().openExisting()) {
            Admin admin = session.queue().admin();
            return all
                    ? matching.change(this, admin, wanted.change, wanted.many)
                    : single.change(this, admin, wanted.change, wanted.one);
        }
    }
}
