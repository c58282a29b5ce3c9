package dev.pawl.cli;

import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import picocli.CommandLine.Mixin;

/** Does the same to jobs that are named by their ids, or to all that match. */
abstract class ChangeCommand extends CliCommand {
    @Mixin
    private SingleChanges single = new SingleChanges();

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    /**
     * What is to be done.
     *
     * @param change to each job
     * @param one what is then said of one job, such as "is deleted"
     * @param many what is said of several
     */
    record Wanted(JobChange change, String one, String many) {}

    /** {@return what the options say} */
    abstract Wanted wanted();

    @Override
    public final Integer call() {
        boolean all = matching.isMeant(single.ids());
        Wanted wanted = wanted();
        try (DatabaseOptions.Session session = database().openExisting()) {
            JobAdmin admin = session.queue().admin();
            return all
                    ? matching.change(this, admin, wanted.change, wanted.many)
                    : single.change(this, admin, wanted.change, wanted.one);
        }
    }
}
