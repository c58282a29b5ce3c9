package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;

@Command(
        name = "erase",
        mixinStandardHelpOptions = true,
        description = {
            "Remove every trace of jobs, such as those of a person: waiting ones, finished ones, their attempts and log lines.",
            "Running ones are asked to stop but not erased: repeat this when they have ended. Your backups and logs are not touched."
        })
final class EraseCommand extends ChangeCommand {
    @Override
    Wanted wanted() {
        return new Wanted(new JobChange.Erase(), "is gone", "are gone");
    }
}
