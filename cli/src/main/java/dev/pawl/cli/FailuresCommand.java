package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.admin.Admin;
import dev.pawl.admin.FailureGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "failures",
        mixinStandardHelpOptions = true,
        description = {
            "List failed attempts by cause: the same exception at the same place, or the same text except for numbers.",
            "Reads up to 50,000 attempts of live jobs and as many of finished ones, which may take seconds."
        })
final class FailuresCommand extends CliCommand {
    @Option(names = "--queue", paramLabel = "QUEUE", description = "Only this queue.")
    private @Nullable String queue;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only this kind.")
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
                out().println("There are older failed attempts, which are not counted here; 'pawl retry failures' and"
                        + " 'pawl cancel failures' find their jobs as well.");
            }
            return 0;
        }
    }
}
