package dev.pawl.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "resume", mixinStandardHelpOptions = true, description = "Let workers claim from a paused queue again.")
final class ResumeCommand extends CliCommand {
    @Parameters(paramLabel = "QUEUE", description = "The queue's name.")
    private String queue = "";

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            boolean resumed = session.queue().admin().resume(queue);
            tell(
                    Map.of("queue", queue, "paused", false, "changed", resumed),
                    "queue " + queue + (resumed ? " runs again" : " was not paused"));
            return 0;
        }
    }
}
