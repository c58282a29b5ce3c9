package dev.pawl.cli;

import dev.pawl.api.WorkerCommand;
import picocli.CommandLine.Command;

@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description = "Have a worker of the cluster stop.",
        subcommands = StopCommand.OfWorker.class)
final class StopCommand {
    @Command(
            name = "worker",
            mixinStandardHelpOptions = true,
            description = {
                "Have a worker stop: it claims no more, lets handlers end within its grace time, and releases the rest. Its",
                "process goes on if it has anything else to do."
            })
    static final class OfWorker extends OneWorker {
        @Override
        public Integer call() {
            return command(WorkerCommand.STOP, "stops");
        }
    }
}
