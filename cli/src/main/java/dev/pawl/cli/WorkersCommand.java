package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.WorkerInfo;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "workers", mixinStandardHelpOptions = true, description = "List the worker processes.")
final class WorkersCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            output().rows(
                            out(),
                            session.queue().admin().workers(),
                            List.of(
                                    right("ID", WorkerInfo::id),
                                    left("NAME", WorkerInfo::name),
                                    left("STATE", WorkersCommand::state),
                                    left("QUEUES", worker -> String.join(",", worker.queues())),
                                    right("AT ONCE", WorkerInfo::concurrency),
                                    right("HOLDS", WorkerInfo::running),
                                    left("STARTED", worker -> Texts.time(worker.startedAt())),
                                    left("LAST SEEN", worker -> Texts.time(worker.heartbeatAt()))),
                            worker -> worker,
                            "no workers");
            return 0;
        }
    }

    private static String state(WorkerInfo worker) {
        return worker.alive() ? "alive" : worker.stoppedAt() != null ? "stopped" : "gone";
    }
}
