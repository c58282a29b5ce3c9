package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "prioritize",
        mixinStandardHelpOptions = true,
        description = "Give waiting jobs another priority.",
        subcommands = {PrioritizeCommand.One.class, PrioritizeCommand.Many.class})
final class PrioritizeCommand {
    private static final class Target {
        @Option(
                names = "--to",
                paramLabel = "N",
                required = true,
                description = "The priority, -32768 to 32767; smaller ones go first, most jobs have 0.")
        private int to;

        Wanted wanted() {
            return new Wanted(new JobChange.Prioritize(to), "has priority " + to, "have priority " + to);
        }
    }

    @Command(
            name = "job",
            mixinStandardHelpOptions = true,
            description = "Give waiting jobs another priority, by their ids.")
    static final class One extends ChangeJob {
        @Mixin
        private Target target = new Target();

        @Override
        Wanted wanted() {
            return target.wanted();
        }
    }

    @Command(
            name = "jobs",
            mixinStandardHelpOptions = true,
            description = "Give all waiting jobs that match another priority.")
    static final class Many extends ChangeJobs {
        @Mixin
        private Target target = new Target();

        @Override
        Wanted wanted() {
            return target.wanted();
        }
    }
}
