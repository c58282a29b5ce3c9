package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.api.Retention;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "prune",
        mixinStandardHelpOptions = true,
        description = {
            "Delete finished jobs that are older than their retention. Workers do this continuously.",
            "Jobs are kept for the retention that your program is configured with: its workers store it when"
                    + " they start. Of several programs, the longest"
                    + " time counts; a program that starts no worker stores nothing. Queues and kinds with a retention of their"
                    + " own ('pawl retentions') keep to that."
        })
final class PruneCommand extends CliCommand {
    private static final String DEFAULT = "Default: your program's retention; if no program has stored one, ";

    @Option(
            names = "--completed",
            paramLabel = "DURATION",
            description = "Keep completed jobs this long, 0s or more. " + DEFAULT + "1d")
    private @Nullable String completed;

    @Option(
            names = "--cancelled",
            paramLabel = "DURATION",
            description = "Keep cancelled jobs this long, 0s or more. " + DEFAULT + "7d")
    private @Nullable String cancelled;

    @Option(
            names = "--discarded",
            paramLabel = "DURATION",
            description = "Keep discarded jobs this long, 1ms or more. " + DEFAULT + "90d")
    private @Nullable String discarded;

    @Option(
            names = "--keep-last",
            paramLabel = "N",
            description = "Keep no more than the last N completed jobs, 1 or more. Default: no limit")
    private long keepLast = Long.MAX_VALUE;

    @Mixin
    private BulkOptions bulk = new BulkOptions();

    @Override
    public Integer call() {
        Retention unused = retention(Retention.DEFAULTS); // reports mistakes before the database is opened
        try (DatabaseOptions.Session session = database().openExisting()) {
            Admin admin = session.queue().admin();
            Optional<Retention> stored = admin.maintenance().storedRetention();
            Retention retention = retention(stored.orElse(Retention.DEFAULTS));
            OptionalInt refusal = bulk.refusal(this, Map.of("pruned", 0), () -> extent(retention));
            if (refusal.isPresent()) {
                return refusal.getAsInt();
            }
            long pruned = admin.maintenance().prune(retention);
            report(Map.of("pruned", pruned), "pruned " + pruned + " job(s), keeping " + words(retention));
            return 0;
        }
    }

    private Retention retention(Retention others) {
        return new Retention(
                given("--completed", completed, others.completed()),
                given("--cancelled", cancelled, others.cancelled()),
                given("--discarded", discarded, others.discarded()),
                keepLast);
    }

    private static Duration given(String option, @Nullable String text, Duration other) {
        return text == null ? other : Texts.duration(option, text);
    }

    /** Counts no jobs: a history may be large, and queues and kinds may have retentions of their own. */
    private static BulkOptions.Extent extent(Retention retention) {
        return new BulkOptions.Extent(1, "finished jobs will be deleted, except " + words(retention));
    }

    static String words(Retention retention) {
        String words = "completed ones for " + Texts.length(retention.completed()) + ", cancelled ones for "
                + Texts.length(retention.cancelled()) + ", discarded ones for " + Texts.length(retention.discarded());
        return retention.mostCompleted() == Long.MAX_VALUE
                ? words
                : words + ", and at most the last " + retention.mostCompleted() + " completed ones";
    }
}
