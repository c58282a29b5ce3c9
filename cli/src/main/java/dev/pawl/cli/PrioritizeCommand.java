package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "prioritize", mixinStandardHelpOptions = true, description = "Give waiting jobs another priority.")
final class PrioritizeCommand extends ChangeCommand {
    @Option(
            names = "--to",
            paramLabel = "N",
            required = true,
            description = "The priority, -32768 to 32767; smaller ones go first, most jobs have 0.")
    private int to;

    @Override
    Wanted wanted() {
        return new Wanted(new JobChange.Prioritize(to), "has priority " + to, "have priority " + to);
    }
}
