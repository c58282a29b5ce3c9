package dev.pawl.lab.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The lab's own commands, together. */
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        subcommands = {RunCommand.class, ReportCommand.class, AdviseCommand.class, ScenarioCommand.class},
        description = "Measure strategies, the study's designs and other queues, here or on your database.")
final class LabCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
