package dev.pawl.cli;

import dev.pawl.admin.Tuning;
import dev.pawl.admin.WorkerInfo;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        description =
                "Rebuild the tables with options that suit some uses, but not all. PostgreSQL only. Workers wait during that time.")
final class TuneCommand extends CliCommand {
    @Option(
            names = "--unlogged",
            paramLabel = "yes|no",
            description = "Write no log for live jobs: faster, but A CRASH OF THE SERVER LOSES EVERY UNFINISHED JOB.")
    private @Nullable String unlogged;

    @Option(
            names = "--history-by-day",
            paramLabel = "yes|no",
            description = "A partition for each day and state: pruning drops days instead of deleting rows.")
    private @Nullable String historyByDay;

    @Option(
            names = "--live-partitions",
            paramLabel = "N",
            description =
                    "Split the live table by a hash of the kind, 2 to 64; 1 makes it one table again. Default: as it is")
    private @Nullable Integer livePartitions;

    @Mixin
    private BulkOptions bulk = new BulkOptions();

    @Override
    public Integer call() {
        Tuning tuning = Tuning.NOTHING;
        if (unlogged != null) {
            tuning = tuning.unlogged(yes("--unlogged", unlogged));
        }
        if (historyByDay != null) {
            tuning = tuning.historyByDay(yes("--history-by-day", historyByDay));
        }
        if (livePartitions != null) {
            tuning = tuning.livePartitions(livePartitions);
        }
        if (tuning.equals(Tuning.NOTHING)) {
            throw new UsageException("nothing to do: give --unlogged, --history-by-day or --live-partitions");
        }
        Tuning wanted = tuning;
        try (DatabaseOptions.Session session = database().openExisting()) {
            OptionalInt refusal =
                    bulk.refusal(this, Tuning.NOTHING, () -> extent(session, Boolean.TRUE.equals(wanted.unlogged())));
            if (refusal.isPresent()) {
                return refusal.getAsInt();
            }
            session.queue().admin().maintenance().tune(tuning);
        }
        report(tuning, "done");
        if (Boolean.TRUE.equals(tuning.unlogged())) {
            err().println("WARNING: from now on a crash of the server loses every unfinished job");
        }
        return 0;
    }

    private static BulkOptions.Extent extent(DatabaseOptions.Session session, boolean isUnlogged) {
        int workers = (int) session.queue().admin().workers().list().stream()
                .filter(WorkerInfo::alive)
                .count();
        String words = "the tables are rebuilt while " + workers + " live worker(s) wait"
                + (isUnlogged ? ", and from then on a crash of the server loses every unfinished job" : "");
        return new BulkOptions.Extent(1, words);
    }

    private static boolean yes(String option, String answer) {
        return switch (answer) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw new UsageException(option + " " + Texts.cut(answer) + " is not valid: write yes or no");
        };
    }
}
