package dev.pawl.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = "Stop claiming from a queue, on all workers. Running jobs go on.")
final class PauseCommand extends CliCommand {
    @Parameters(paramLabel = "QUEUE", description = "The queue's name.")
    private String queue = "";

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            session.queue().admin().pause(queue);
            tell(Map.of("queue", queue, "paused", true), "queue " + queue + " is paused");
            return 0;
        }
    }
}
