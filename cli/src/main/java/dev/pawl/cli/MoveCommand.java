package dev.pawl.cli;

import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "move", mixinStandardHelpOptions = true, description = "Put jobs that wait into another queue.")
final class MoveCommand extends CliCommand {
    @Option(names = "--to", paramLabel = "QUEUE", required = true, description = "The other queue.")
    private String to = "";

    @Mixin
    private SingleChanges single = new SingleChanges();

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    @Override
    public Integer call() {
        boolean all = matching.isMeant(single.ids());
        JobChange change = new JobChange.Move(to);
        try (DatabaseOptions.Session session = database().openExisting()) {
            JobAdmin admin = session.queue().admin();
            return all
                    ? matching.change(this, admin, change, "are in queue " + to)
                    : single.change(this, admin, change, "is in queue " + to);
        }
    }
}
