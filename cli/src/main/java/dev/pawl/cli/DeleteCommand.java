package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;

@Command(
        name = "delete",
        mixinStandardHelpOptions = true,
        description =
                "Delete finished jobs with their attempts and log lines. Workers do so when a job's retention expires.",
        subcommands = {DeleteCommand.One.class, DeleteCommand.Many.class})
final class DeleteCommand {
    private static Wanted deleted() {
        return new Wanted(new JobChange.Delete(), "is deleted", "are deleted");
    }

    @Command(name = "job", mixinStandardHelpOptions = true, description = "Delete finished jobs by their ids.")
    static final class One extends ChangeJob {
        @Override
        Wanted wanted() {
            return deleted();
        }
    }

    @Command(name = "jobs", mixinStandardHelpOptions = true, description = "Delete all finished jobs that match.")
    static final class Many extends ChangeJobs {
        @Override
        Wanted wanted() {
            return deleted();
        }
    }
}
