package dev.pawl.cli;

import dev.pawl.admin.QueueStats;
import java.util.List;
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
            List<String> known = session.queue().admin().queues().stream()
                    .map(QueueStats::name)
                    .toList();
            session.queue().admin().pause(queue);
            tell(
                    Map.of("queue", queue, "paused", true),
                    "queue " + queue + " is paused"
                            + (known.contains(queue)
                                    ? ""
                                    : "; it has no jobs"
                                            + (known.isEmpty() ? "" : ", but there is " + String.join(", ", known))));
            return 0;
        }
    }
}
