package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;

@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description = "Delete finished jobs with their attempts and log lines; workers do so when their time is over.")
final class DeleteCommand extends ChangeCommand {
    @Override
    Wanted wanted() {
        return new Wanted(new JobChange.Delete(), "is deleted", "are deleted");
    }
}
