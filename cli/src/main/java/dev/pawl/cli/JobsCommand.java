package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "jobs", mixinStandardHelpOptions = true, description = "List jobs, newest first.")
final class JobsCommand extends CliCommand implements NamesJobs {
    @Mixin
    private FilterOptions which = new FilterOptions();

    @Option(names = "--before", paramLabel = "ID", description = "Only jobs with a smaller id: for the next page.")
    private @Nullable Long before;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most, of each shard, 1 to 10000. Default: ${DEFAULT-VALUE}")
    private int limit = 50;

    /** Returns the job of {@code --before}: the next page comes from the shard of that job. */
    @Override
    public List<Long> routingIds() {
        return before == null ? List.of() : List.of(before);
    }

    @Override
    public Integer call() {
        JobFilter filter = which.filter().limit(limit);
        if (before != null) {
            filter = filter.before(before);
        }
        JobFilter page = filter;
        try (DatabaseOptions.Session session = database().openExisting()) {
            List<Job> jobs = session.queue().admin().jobs().list(page);
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
                                    left("AVAILABLE AT", Texts::available),
                                    left("FINISHED AT", job -> Texts.time(job.finishedAt())),
                                    left("PAYLOAD", job -> Texts.cut(job.payload()))),
                            "no jobs");
            if (!output().isJson() && jobs.size() == limit) {
                out().println("next page: --before " + jobs.get(jobs.size() - 1).id());
            }
            return 0;
        }
    }
}
