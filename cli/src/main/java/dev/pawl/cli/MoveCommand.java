package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "move", mixinStandardHelpOptions = true, description = "Put waiting jobs into another queue.")
final class MoveCommand extends ChangeCommand {
    @Option(names = "--to", paramLabel = "QUEUE", required = true, description = "The other queue.")
    private String to = "";

    @Override
    Wanted wanted() {
        return new Wanted(new JobChange.Move(to), "is in queue " + to, "are in queue " + to);
    }
}
