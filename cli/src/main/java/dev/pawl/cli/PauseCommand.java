package dev.pawl.cli;

import dev.pawl.PawlException;
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
            session.queue().admin().pause(queue);
            tell(Map.of("queue", queue, "paused", true), "queue " + queue + " is paused" + ifUnknown(session));
            return 0;
        }
    }

    /** Perhaps a slip of the pen. Only after the pause, which may be urgent, and not if it cannot be told. */
    private String ifUnknown(DatabaseOptions.Session session) {
        try {
            List<QueueStats> queues = session.queue().admin().queues();
            boolean used = queues.stream()
                    .filter(one -> one.name().equals(queue))
                    .anyMatch(one -> one.available() + one.delayed() + one.retrying() + one.running() > 0);
            List<String> others = queues.stream()
                    .map(QueueStats::name)
                    .filter(name -> !name.equals(queue))
                    .toList();
            return used
                    ? ""
                    : "; it has no jobs" + (others.isEmpty() ? "" : ", but there is " + String.join(", ", others));
        } catch (PawlException unknown) {
            return "";
        }
    }
}
