package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.RetryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "retry",
        mixinStandardHelpOptions = true,
        description = {
            "Make jobs run again now: finished ones with one more attempt, waiting ones at once. With --all, completed ones only",
            "if --state completed is given."
        })
final class RetryCommand extends CliCommand {
    @Parameters(arity = "0..*", paramLabel = "ID", description = "The jobs' ids.")
    private List<Long> ids = new ArrayList<>();

    @Option(
            names = "--from-step",
            paramLabel = "NAME",
            description = "Discard the results of that step and all later ones, so that they are repeated.")
    private @Nullable String fromStep;

    @Option(
            names = "--spread",
            paramLabel = "DURATION",
            description =
                    "With --all or --everything: let the jobs become available one after the other, over this time, the oldest"
                            + " first, 1s to 365d. Default: all at once.")
    private @Nullable String spread;

    @Option(
            names = "--rate",
            paramLabel = "JOBS",
            description = "The same, this many jobs in a second, 0.001 to 100000. Default: all at once.")
    private @Nullable Double rate;

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    @Override
    public Integer call() {
        boolean all = matching.isMeant(ids);
        String step = fromStep;
        if (all && step != null) {
            throw new UsageException("--from-step is for jobs given by their ids");
        }
        JobChange.Retry retry = change();
        if (!all && retry.isSpread()) {
            throw new UsageException("--spread and --rate are for many jobs: give them with --all or --everything");
        }
        try (DatabaseOptions.Session session = database().openExisting()) {
            Admin admin = session.queue().admin();
            if (all) {
                return matching.change(
                        this,
                        admin,
                        retry,
                        retry.isSpread() ? "become available one after the other" : "are available now");
            }
            Map<RetryResult, String> words = new EnumMap<>(Map.of(
                    RetryResult.AVAILABLE_NOW, "is available now",
                    RetryResult.RUNNING, "is running; nothing was changed",
                    RetryResult.KEY_TAKEN, "cannot run: another live job has its unique key",
                    RetryResult.NOT_FOUND, "does not exist (or it was pruned)"));
            int exit = new JobResults<RetryResult>(
                            ids,
                            id -> step == null
                                    ? admin.jobs().retry(id)
                                    : admin.jobs().retry(id, step))
                    .print(this, RetryResult.AVAILABLE_NOW::equals, words::get);
            if (!output().isJson()) {
                ids.stream().distinct().forEach(id -> tellWhyItWaits(admin, id));
            }
            return exit;
        }
    }

    private void tellWhyItWaits(Admin admin, long id) {
        admin.jobs()
                .find(id)
                .ifPresent(job -> admin.jobs().waitReasons(id).stream()
                        .filter(reason -> !reason.cause().isOrdinary())
                        .forEach(reason ->
                                out().println("! job " + id + " waits: " + WaitReasonText.words(job, reason))));
    }

    private JobChange.Retry change() {
        String over = spread;
        Double perSecond = rate;
        if (over != null && perSecond != null) {
            throw new UsageException("give --spread or --rate, not both");
        }
        if (over != null) {
            return JobChange.Retry.over(Texts.duration("--spread", over, "1s", "365d"));
        }
        if (perSecond == null) {
            return new JobChange.Retry();
        }
        if (!(perSecond >= 0.001 && perSecond <= 100_000)) {
            throw new UsageException("--rate " + perSecond + " is not valid: use 0.001 to 100000 jobs a second");
        }
        return JobChange.Retry.every(Duration.ofNanos(Math.round(1_000_000_000 / perSecond)));
    }
}
