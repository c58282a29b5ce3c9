package dev.pawl.cli;

import dev.pawl.api.Retention;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "prune",
        mixinStandardHelpOptions = true,
        description = {
            "Delete finished jobs that are older than their retention. Workers do this all the time.",
            "Queues and kinds with a retention of their own ('pawl retentions') keep to that."
        })
final class PruneCommand extends CliCommand {
    @Option(
            names = "--completed",
            paramLabel = "DURATION",
            defaultValue = "1d",
            description = "Keep completed jobs this long, 0s or more. Default: ${DEFAULT-VALUE}")
    private String completed = "1d";

    @Option(
            names = "--cancelled",
            paramLabel = "DURATION",
            defaultValue = "7d",
            description = "Keep cancelled jobs this long, 0s or more. Default: ${DEFAULT-VALUE}")
    private String cancelled = "7d";

    @Option(
            names = "--discarded",
            paramLabel = "DURATION",
            defaultValue = "90d",
            description = "Keep discarded jobs this long, 1ms or more. Default: ${DEFAULT-VALUE}")
    private String discarded = "90d";

    @Option(
            names = "--keep-last",
            paramLabel = "N",
            description = "Keep no more than the last N completed jobs, 1 or more. Default: as many as there are")
    private long keepLast = Long.MAX_VALUE;

    @Override
    public Integer call() {
        Retention retention = new Retention(
                Texts.duration("--completed", completed),
                Texts.duration("--cancelled", cancelled),
                Texts.duration("--discarded", discarded),
                keepLast);
        try (DatabaseOptions.Session session = database().openExisting()) {
            long pruned = session.queue().admin().maintenance().prune(retention);
            if (output().isJson()) {
                output().json(out(), Map.of("pruned", pruned));
            } else {
                out().println("pruned " + pruned + " job(s)");
            }
            return 0;
        }
    }
}
