package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import dev.pawl.limit.Subject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "move",
        mixinStandardHelpOptions = true,
        description = "Put waiting jobs into another queue.",
        subcommands = {MoveCommand.One.class, MoveCommand.Many.class})
final class MoveCommand {
    private static final class Target {
        @Option(names = "--to", paramLabel = "QUEUE", required = true, description = "The other queue.")
        private String to = "";

        @Mixin
        private NameOptions names = new NameOptions();

        void check(CliCommand command, DatabaseOptions.Session session) {
            names.require(command, session.queue(), Subject.queue(to));
        }

        Wanted wanted() {
            return new Wanted(new JobChange.Move(to), "is in queue " + to, "are in queue " + to);
        }
    }

    @Command(
            name = "job",
            mixinStandardHelpOptions = true,
            description = "Put waiting jobs into another queue, by their ids.")
    static final class One extends ChangeJob {
        @Mixin
        private Target target = new Target();

        @Override
        Wanted wanted() {
            return target.wanted();
        }

        @Override
        void check(DatabaseOptions.Session session) {
            target.check(this, session);
        }
    }

    @Command(
            name = "jobs",
            mixinStandardHelpOptions = true,
            description = "Put all waiting jobs that match into another queue.")
    static final class Many extends ChangeJobs {
        @Mixin
        private Target target = new Target();

        @Override
        Wanted wanted() {
            return target.wanted();
        }

        @Override
        void check(DatabaseOptions.Session session) {
            target.check(this, session);
        }
    }
}
