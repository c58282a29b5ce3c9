package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = "Delete finished jobs with their attempts and log lines; workers do so when their time is over.")
final class DeleteCommand extends CliCommand {
    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    @Override
    public Integer call() {
        boolean unused = matching.isMeant(List.of());
        JobChange change = new JobChange.Delete();
        try (DatabaseOptions.Session session = database().openExisting()) {
            return matching.change(this, session.queue().admin(), change, "are deleted");
        }
    }
}
