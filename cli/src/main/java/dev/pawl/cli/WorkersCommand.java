package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;
import static dev.pawl.cli.Output.Column.words;

import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.admin.WorkerInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "workers",
        mixinStandardHelpOptions = true,
        description = {
            "List the worker processes, and the workers without a database as their managers see them.",
            "Shows how many jobs each has, or why it gets none."
        })
final class WorkersCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            List<WorkerInfo> workers = session.queue().admin().workers().list();
            List<RemoteWorkerInfo> remote = session.queue().admin().workers().remote();
            if (output().isJson()) {
                Map<String, Object> all = new LinkedHashMap<>();
                all.put("workers", workers);
                all.put(
                        "remoteWorkers",
                        remote.stream().map(WorkersCommand::asJson).toList());
                output().json(out(), all);
                return 0;
            }
            output().rows(
                            out(),
                            workers,
                            List.of(
                                    right("ID", WorkerInfo::id),
                                    left("NAME", WorkerInfo::name),
                                    left("STATE", WorkersCommand::state),
                                    left("QUEUES", worker -> String.join(",", worker.queues())),
                                    left("KINDS", worker -> String.join(",", worker.kinds())),
                                    right("CONCURRENCY", WorkersCommand::concurrency),
                                    right("HOLDS", WorkerInfo::running),
                                    left("STARTED", worker -> Texts.time(worker.startedAt())),
                                    left("LAST SEEN", WorkersCommand::lastSeen)),
                            "no workers");
            if (!remote.isEmpty()) {
                out().println();
                output().rows(
                                out(),
                                remote,
                                List.of(
                                        left(
                                                "WORKER WITHOUT A DATABASE",
                                                worker -> worker.status().url()),
                                        left("MANAGER", RemoteWorkerInfo::manager),
                                        right(
                                                "CONCURRENCY",
                                                worker -> worker.status().capacity()),
                                        right("RUNS", worker -> worker.status().running()),
                                        left("KINDS", worker -> kinds(worker.status())),
                                        words("STATE", worker -> state(worker.status()))),
                                "none");
            }
            return 0;
        }
    }

    private static Map<String, @Nullable Object> asJson(RemoteWorkerInfo worker) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("url", worker.status().url());
        fields.put("manager", worker.manager());
        fields.put("problem", worker.status().problem());
        fields.put("capacity", worker.status().capacity());
        fields.put("running", worker.status().running());
        fields.put("kinds", worker.status().kinds().stream().sorted().toList());
        fields.put("reportedAt", worker.reportedAt());
        return fields;
    }

    /** A worker that names no kind runs all, unless it has a problem: then its kinds are unknown. */
    private static String kinds(RemoteWorkerStatus worker) {
        return worker.kinds().isEmpty()
                ? worker.problem() == null ? "all" : "?"
                : String.join(",", worker.kinds().stream().sorted().toList());
    }

    private static String state(RemoteWorkerStatus worker) {
        String problem = worker.problem();
        return problem == null ? "well" : "gets no jobs: " + problem;
    }

    /** Also shows the requested concurrency until the worker has applied it. */
    private static String concurrency(WorkerInfo worker) {
        Integer wanted = worker.wantedConcurrency();
        return wanted == null || !worker.alive() ? "" + worker.concurrency() : worker.concurrency() + " -> " + wanted;
    }

    private static String state(WorkerInfo worker) {
        if (!worker.alive()) {
            return worker.stoppedAt() != null ? "stopped" : "gone";
        }
        return switch (worker.command()) {
            case WORK -> worker.suspended() ? "suspended" : "alive";
            case QUIET -> "quiet";
            case STOP -> "told to stop";
        };
    }

    /** The heartbeat of a suspended worker is the time when it will wake: until then it sends none. */
    private static String lastSeen(WorkerInfo worker) {
        String moment = Texts.time(worker.heartbeatAt());
        return worker.suspended() ? "until " + moment : moment;
    }
}
