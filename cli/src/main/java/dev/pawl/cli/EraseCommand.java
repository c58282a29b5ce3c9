package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;

@Command(
        name = "erase",
        mixinStandardHelpOptions = true,
        description = "Remove every trace of jobs, such as those of a person.",
        subcommands = {EraseCommand.One.class, EraseCommand.Many.class})
final class EraseCommand {
    private static final String WHAT =
            "Waiting and finished ones are removed, with their attempts and log lines. Running ones are asked to stop but not"
                    + " erased: repeat this when they have ended. Your backups and logs are not touched.";

    private static Wanted erased() {
        return new Wanted(new JobChange.Erase(), "is gone", "are gone");
    }

    @Command(
            name = "job",
            mixinStandardHelpOptions = true,
            description = {"Remove every trace of jobs, by their ids.", WHAT})
    static final class One extends ChangeJob {
        @Override
        Wanted wanted() {
            return erased();
        }
    }

    @Command(
            name = "jobs",
            mixinStandardHelpOptions = true,
            description = {"Remove every trace of all jobs that match.", WHAT})
    static final class Many extends ChangeJobs {
        @Override
        Wanted wanted() {
            return erased();
        }
    }
}
