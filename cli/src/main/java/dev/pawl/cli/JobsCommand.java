package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.Job;
import dev.pawl.admin.JobFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "jobs", mixinStandardHelpOptions = true, description = "List jobs, newest first.")
final class JobsCommand extends CliCommand {
    @Option(names = "--state", description = "available, running, completed, cancelled or discarded")
    private @Nullable String state;

    @Option(names = "--queue", description = "Only this queue.")
    private @Nullable String queue;

    @Option(names = "--kind", description = "Only this kind.")
    private @Nullable String kind;

    @Option(names = "--unique-key", description = "Only jobs with this unique key.")
    private @Nullable String uniqueKey;

    @Option(names = "--tag", description = "Only jobs with this tag.")
    private @Nullable String tag;

    @Option(names = "--text", description = "Only jobs whose payload contains this text; case-sensitive.")
    private @Nullable String text;

    @Option(
            names = "--since",
            paramLabel = "MOMENT",
            description = "Only jobs enqueued then or later: 2030-01-31T08:00:00Z, or 15m, 2h, 7d ago.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "MOMENT", description = "Only jobs enqueued earlier.")
    private @Nullable String until;

    @Option(names = "--before", paramLabel = "ID", description = "Only jobs with a smaller id: for the next page.")
    private @Nullable Long before;

    @Option(names = "--limit", defaultValue = "50", description = "1 to 10000. Default: ${DEFAULT-VALUE}")
    private int limit = 50;

    @Override
    public Integer call() {
        JobFilter filter = new JobFilter(
                state == null ? null : Texts.state(state),
                queue,
                kind,
                uniqueKey,
                tag,
                text,
                since == null ? null : Texts.moment("--since", since),
                until == null ? null : Texts.moment("--until", until),
                before,
                limit);
        try (DatabaseOptions.Session session = database().openExisting()) {
            List<Job> jobs = session.queue().admin().list(filter);
            output().rows(
                            out(),
                            jobs,
                            List.of(
                                    right("ID", Job::id),
                                    left("STATE", Texts::state),
                                    left("QUEUE", Job::queue),
                                    left("KIND", Job::kind),
                                    right("PRIO", Job::priority),
                                    right("ATTEMPT", job -> job.attempt() + "/" + job.maxAttempts()),
                                    left("AVAILABLE AT", job -> Texts.time(job.availableAt())),
                                    left("FINISHED AT", job -> Texts.time(job.finishedAt())),
                                    left("PAYLOAD", job -> Texts.cut(job.payload()))),
                            Texts::asJson,
                            "no jobs");
            if (!output().isJson() && jobs.size() == limit) {
                out().println("next page: --before " + jobs.get(jobs.size() - 1).id());
            }
            return 0;
        }
    }
}
