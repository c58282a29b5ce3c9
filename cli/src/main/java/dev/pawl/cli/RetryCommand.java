package dev.pawl.cli;

import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.RetryResult;
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
            description = "Have the jobs forget that step and what they did after it, so that it is done again.")
    private @Nullable String fromStep;

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    @Override
    public Integer call() {
        boolean all = matching.isMeant(ids);
        String step = fromStep;
        if (all && step != null) {
            throw new UsageException("--from-step is for jobs given by their ids");
        }
        try (DatabaseOptions.Session session = database().openExisting()) {
            JobAdmin admin = session.queue().admin();
            if (all) {
                return matching.change(this, admin, new JobChange.Retry(), "are available now");
            }
            Map<RetryResult, String> words = new EnumMap<>(Map.of(
                    RetryResult.AVAILABLE_NOW, "is available now",
                    RetryResult.RUNNING, "is running; nothing was changed",
                    RetryResult.KEY_TAKEN, "cannot run: another live job has its unique key",
                    RetryResult.NOT_FOUND, "does not exist (or it was pruned)"));
            int exit = new Answers<RetryResult>(ids, id -> step == null ? admin.retry(id) : admin.retry(id, step))
                    .print(this, RetryResult.AVAILABLE_NOW::equals, words::get);
            if (!output().isJson()) {
                ids.stream().distinct().forEach(id -> tellWhyItWaits(admin, id));
            }
            return exit;
        }
    }

    private void tellWhyItWaits(JobAdmin admin, long id) {
        admin.find(id)
                .ifPresent(job -> admin.waitReasons(id).stream()
                        .filter(reason -> !reason.cause().isOrdinary())
                        .forEach(reason -> out().println("! job " + id + " waits: " + Hindrances.words(job, reason))));
    }
}
