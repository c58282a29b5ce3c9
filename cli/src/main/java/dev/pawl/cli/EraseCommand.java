package dev.pawl.cli;

import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "erase",
        mixinStandardHelpOptions = true,
        description = {
            "Remove every trace of jobs, such as those of a person: waiting ones, finished ones, their attempts and log lines.",
            "Running ones are asked to stop and left: do it again when they have ended. Backups and logs of your own are yours."
        })
final class EraseCommand extends CliCommand {
    @Mixin
    private SingleChanges single = new SingleChanges();

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    @Override
    public Integer call() {
        boolean all = matching.isMeant(single.ids());
        JobChange change = new JobChange.Erase();
        try (DatabaseOptions.Session session = database().openExisting()) {
            JobAdmin admin = session.queue().admin();
            return all
                    ? matching.change(this, admin, change, "are gone")
                    : single.change(this, admin, change, "is gone");
        }
    }
}
