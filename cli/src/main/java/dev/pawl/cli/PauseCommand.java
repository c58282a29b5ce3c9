package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.PawlException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = {
            "Stop claiming from a queue, on all workers. Running jobs go on.",
            "With --all, from all queues, also from those that come into being later. Schedules go on enqueueing."
        })
final class PauseCommand extends CliCommand {
    @ArgGroup(multiplicity = "1")
    private QueueOrAll which = new QueueOrAll();

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            if (which.all) {
                session.queue().admin().queues().pauseAll();
                report(Map.of("all", true, "paused", true), "all queues are paused: pawl resume --all");
                return 0;
            }
            String queue = which.queue;
            session.queue().admin().queues().pause(queue);
            report(Map.of("queue", queue, "paused", true), "queue " + queue + " is paused" + ifUnknown(session, queue));
            return 0;
        }
    }

    /** The name may be mistyped. Checked only after the pause, which may be urgent, and omitted if it cannot be determined. */
    private static String ifUnknown(DatabaseOptions.Session session, String queue) {
        try {
            List<QueueStats> queues = session.queue().admin().queues().list(Admin.UNLIMITED);
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
