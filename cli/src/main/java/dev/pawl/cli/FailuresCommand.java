package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.admin.CancelResult;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.RetryResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "failures",
        mixinStandardHelpOptions = true,
        description = {
            "Failed attempts by their causes: the same exception at the same place, or the same text but for its numbers. Of",
            "jobs that have not ended, and of those that have, the 10,000 of the jobs that were enqueued last."
        },
        subcommands = {FailuresCommand.Retry.class, FailuresCommand.Cancel.class})
final class FailuresCommand extends CliCommand {
    @Option(names = "--queue", description = "Only this queue.")
    private @Nullable String queue;

    @Option(names = "--kind", description = "Only this kind.")
    private @Nullable String kind;

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            output().rows(
                            out(),
                            session.queue().admin().failures(queue, kind),
                            List.of(
                                    left("GROUP", FailureGroup::id),
                                    left("KIND", FailureGroup::kind),
                                    left("QUEUE", FailureGroup::queue),
                                    right("ATTEMPTS", FailureGroup::attempts),
                                    right("JOBS", FailureGroup::jobs),
                                    right("DEAD", group -> group.discarded().size()),
                                    right("RETRYING", group -> group.waiting().size()),
                                    left("FIRST", group -> Texts.time(group.firstAt())),
                                    left("LAST", group -> Texts.time(group.lastAt())),
                                    left("CAUSE", FailureGroup::cause)),
                            group -> group,
                            "no failed attempts");
            return 0;
        }
    }

    /** What is done to the jobs of a group. */
    abstract static class OfGroup extends CliCommand {
        @Parameters(paramLabel = "GROUP", description = "As 'pawl failures' lists it.")
        private String id = "";

        final FailureGroup group(JobAdmin admin) {
            return admin.failures(null, null).stream()
                    .filter(group -> group.id().equalsIgnoreCase(id))
                    .findFirst()
                    .orElseThrow(() -> new NotFoundException(
                            "there is no group " + id + " of failures: 'pawl failures' lists them"));
        }

        /** {@return the exit code: 1 if some jobs have changed meanwhile} */
        final int told(long changed, int all, String what) {
            tell(
                    Map.of("group", id, "changed", changed, "left", all - changed),
                    String.format(Locale.ROOT, "%,d job(s) of group %s %s", changed, id, what)
                            + (changed == all
                                    ? ""
                                    : String.format(Locale.ROOT, "; %,d have changed meanwhile", all - changed)));
            return changed == all ? 0 : 1;
        }
    }

    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description =
                    "Make the jobs of a group run again now: those that failed for good and those that wait to be tried.")
    static final class Retry extends OfGroup {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                JobAdmin admin = session.queue().admin();
                FailureGroup group = group(admin);
                List<Long> jobs = Stream.concat(group.discarded().stream(), group.waiting().stream())
                        .toList();
                long retried = jobs.stream()
                        .filter(job -> admin.retry(job) == RetryResult.AVAILABLE_NOW)
                        .count();
                return told(retried, jobs.size(), "are available now");
            }
        }
    }

    @Command(
            name = "cancel",
            mixinStandardHelpOptions = true,
            description = "Give up the jobs of a group that wait to be tried again.")
    static final class Cancel extends OfGroup {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                JobAdmin admin = session.queue().admin();
                List<Long> jobs = group(admin).waiting();
                long cancelled = jobs.stream()
                        .filter(job -> admin.cancel(job) == CancelResult.CANCELLED)
                        .count();
                return told(cancelled, jobs.size(), "are cancelled");
            }
        }
    }
}
