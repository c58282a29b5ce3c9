package dev.pawl.cli;

import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = "Delete finished jobs with their attempts and log lines; workers do so when their time is over.")
final class DeleteCommand extends CliCommand {
    @Mixin
    private SingleChanges single = new SingleChanges();

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    @Override
    public Integer call() {
        boolean all = matching.isMeant(single.ids());
        JobChange change = new JobChange.Delete();
        try (DatabaseOptions.Session session = database().openExisting()) {
            JobAdmin admin = session.queue().admin();
            return all
                    ? matching.change(this, admin, change, "are deleted")
                    : single.change(this, admin, change, "is deleted");
        }
    }
}
