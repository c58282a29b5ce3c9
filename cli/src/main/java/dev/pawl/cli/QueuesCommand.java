package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.QueueStats;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "queues", mixinStandardHelpOptions = true, description = "Count the jobs of each queue.")
final class QueuesCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            output().rows(
                            out(),
                            session.queue().admin().queues(),
                            List.of(
                                    left("QUEUE", QueueStats::name),
                                    right("AVAILABLE", QueueStats::available),
                                    right("DELAYED", QueueStats::delayed),
                                    right("RETRYING", QueueStats::retrying),
                                    right("RUNNING", QueueStats::running),
                                    right("OLDEST", queue -> Texts.age(queue.oldestAge())),
                                    left("STRATEGY", queue -> queue.strategy() == null ? "auto" : queue.strategy()),
                                    left("", queue -> queue.paused() ? "paused" : "")),
                            queue -> queue,
                            "no live jobs in any queue");
            return 0;
        }
    }
}
