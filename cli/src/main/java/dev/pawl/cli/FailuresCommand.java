package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.admin.Admin;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.JobChange;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "failures",
        mixinStandardHelpOptions = true,
        description = {
            "List failed attempts by cause: the same exception at the same place, or the same text except for numbers.",
            "All those of jobs that have not ended, and, of jobs that have, the 50,000 of those enqueued last."
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
            List<FailureGroup> groups = session.queue().admin().runs().failures(queue, kind, Admin.UNLIMITED);
            output().rows(
                            out(),
                            groups,
                            List.of(
                                    name("GROUP", FailureGroup::id),
                                    left("KIND", FailureGroup::kind),
                                    left("QUEUE", FailureGroup::queue),
                                    right("ATTEMPTS", FailureGroup::attempts),
                                    right("JOBS", FailureGroup::jobs),
                                    right("DEAD", FailureGroup::discardedJobs),
                                    right("RETRYING", FailureGroup::waitingJobs),
                                    left("FIRST", group -> Texts.time(group.firstAt())),
                                    left("LAST", group -> Texts.time(group.lastAt())),
                                    left("CAUSE", FailureGroup::cause)),
                            "no failed attempts");
            if (!output().isJson() && groups.stream().anyMatch(FailureGroup::isPartial)) {
                out().println(
                                "There are older failed attempts, which are not counted here; 'pawl failures retry' and 'cancel'"
                                        + " find their jobs as well.");
            }
            return 0;
        }
    }

    /** A change of the jobs of a failure group. */
    abstract static class OfGroup extends CliCommand {
        @Parameters(paramLabel = "GROUP", description = "As 'pawl failures' lists it.")
        private String id = "";

        /** {@return the exit code: 1 if some jobs have changed in the meantime} */
        final int change(JobChange change, String what) {
            try (DatabaseOptions.Session session = database().openExisting()) {
                Admin admin = session.queue().admin();
                ChangeResult result;
                try (ProgressBar progress = new ProgressBar(err(), "jobs", 0, output().isJson())) {
                    result = admin.runs().changeFailures(id, change, progress::show);
                }
                if (result.changed() + result.left() == 0) {
                    requireThere(admin);
                }
                report(
                        JsonForm.object("group", id, "changed", result.changed(), "left", result.left()),
                        String.format(Locale.ROOT, "%,d job(s) of group %s %s", result.changed(), id, what)
                                + (result.left() == 0
                                        ? ""
                                        : String.format(
                                                Locale.ROOT,
                                                "; %,d have changed in the meantime, or a live job has their unique key",
                                                result.left())));
                return result.left() == 0 ? 0 : 1;
            }
        }

        private void requireThere(Admin admin) {
            if (admin.runs().failures(null, null, Admin.UNLIMITED).stream()
                    .noneMatch(group -> group.id().equalsIgnoreCase(id))) {
                throw new NotFoundException("there is no group " + id + " of failures: 'pawl failures' lists them");
            }
        }
    }

    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description = {
                "Make all jobs of a group run again now: those that failed for good and those that wait to be tried, however many",
                "they are."
            })
    static final class Retry extends OfGroup {
        @Override
        public Integer call() {
            return change(new JobChange.Retry(), "are available now");
        }
    }

    @Command(
            name = "cancel",
            mixinStandardHelpOptions = true,
            description = "Cancel all jobs of a group that wait for a retry.")
    static final class Cancel extends OfGroup {
        @Override
        public Integer call() {
            return change(new JobChange.Cancel(), "are cancelled");
        }
    }
}
