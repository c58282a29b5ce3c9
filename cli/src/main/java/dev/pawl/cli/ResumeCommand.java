package dev.pawl.cli;

import dev.pawl.admin.Admin;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        description = "Let workers claim from a paused queue again, or with --all end the pause of all queues.")
final class ResumeCommand extends CliCommand {
    @ArgGroup(multiplicity = "1")
    private QueueOrAll which = new QueueOrAll();

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            Admin admin = session.queue().admin();
            if (which.all) {
                boolean resumed = admin.queues().resumeAll();
                report(
                        Map.of("all", true, "paused", false, "changed", resumed),
                        resumed
                                ? "all queues run again, except those that were paused one by one"
                                : "there was no pause of all queues");
                return 0;
            }
            String queue = which.queue;
            boolean resumed = admin.queues().resume(queue);
            boolean all = admin.queues().allPausedSince().isPresent();
            report(
                    Map.of("queue", queue, "paused", all, "changed", resumed),
                    "queue " + queue + (resumed ? all ? " is resumed" : " runs again" : " was not paused")
                            + (all ? ", but all queues are paused: pawl resume --all" : ""));
            return 0;
        }
    }
}
