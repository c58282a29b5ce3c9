package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "move", mixinStandardHelpOptions = true, description = "Put jobs that wait into another queue.")
final class MoveCommand extends CliCommand {
    @Option(names = "--to", paramLabel = "QUEUE", required = true, description = "The other queue.")
    private String to = "";

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    @Override
    public Integer call() {
        boolean unused = matching.isMeant(List.of());
        JobChange change = new JobChange.Move(to);
        try (DatabaseOptions.Session session = database().openExisting()) {
            return matching.change(this, session.queue().admin(), change, "are in queue " + to);
        }
    }
}
