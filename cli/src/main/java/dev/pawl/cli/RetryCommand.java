package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.RetryResult;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "retry",
        mixinStandardHelpOptions = true,
        description =
                "Make jobs run again now. Finished ones get one more attempt, waiting ones become available at once.",
        subcommands = {RetryCommand.One.class, RetryCommand.Many.class, RetryCommand.OfFailures.class})
final class RetryCommand {
    @Command(
            name = "job",
            mixinStandardHelpOptions = true,
            description =
                    "Make jobs run again now, by their ids: finished ones with one more attempt, waiting ones at once.")
    static final class One extends ChangeJob {
        @Option(
                names = "--from-step",
                paramLabel = "NAME",
                description = "Discard the results of that step and all later ones, so that they are repeated.")
        private @Nullable String fromStep;

        @Override
        Wanted wanted() {
            return new Wanted(new JobChange.Retry(), "is available now", "are available now");
        }

        @Override
        public Integer call() {
            String step = fromStep;
            try (DatabaseOptions.Session session = database().openExisting()) {
                Admin admin = session.queue().admin();
                Map<RetryResult, String> words = new EnumMap<>(Map.of(
                        RetryResult.AVAILABLE_NOW, "is available now",
                        RetryResult.RUNNING, "is running; nothing was changed",
                        RetryResult.KEY_TAKEN, "cannot run: another live job has its unique key",
                        RetryResult.NOT_FOUND, "does not exist (or it was pruned)"));
                int exit = new JobResults<RetryResult>(
                                ids(),
                                id -> step == null
                                        ? admin.jobs().retry(id)
                                        : admin.jobs().retry(id, step))
                        .print(this, RetryResult.AVAILABLE_NOW::equals, words::get);
                if (!output().isJson()) {
                    ids().forEach(id -> printWaitReasons(admin, id));
                }
                return exit;
            }
        }

        private void printWaitReasons(Admin admin, long id) {
            admin.jobs()
                    .find(id)
                    .ifPresent(job -> admin.jobs().waitReasons(id).stream()
                            .filter(reason -> !reason.cause().isOrdinary())
                            .forEach(reason ->
                                    out().println("! job " + id + " waits: " + WaitReasonText.words(job, reason))));
        }
    }

    @Command(
            name = "jobs",
            mixinStandardHelpOptions = true,
            description = {
                "Make all jobs that match and have failed run again: discarded ones, and those that wait for a retry.",
                "Others only if --state names their state: completed, cancelled, or available for those that are",
                "scheduled for later, which then run now."
            })
    static final class Many extends ChangeJobs {
        @Mixin
        private SpreadOptions spread = new SpreadOptions();

        @Override
        Wanted wanted() {
            JobChange.Retry retry = spread.retry();
            return new Wanted(retry, "is available now", SpreadOptions.words(retry));
        }
    }

    @Command(
            name = "failures",
            mixinStandardHelpOptions = true,
            description = {
                "Make all jobs of a group of failures run again, however many they are: those that failed for good and",
                "those that wait for a retry."
            })
    static final class OfFailures extends FailureGroupCommand {
        @Mixin
        private SpreadOptions spread = new SpreadOptions();

        @Override
        public Integer call() {
            JobChange.Retry retry = spread.retry();
            return change(retry, SpreadOptions.words(retry));
        }
    }
}
