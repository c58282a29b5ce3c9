package dev.pawl.cli;

import dev.pawl.Job;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobAssignment;
import dev.pawl.admin.JobLogLine;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "job",
        mixinStandardHelpOptions = true,
        description = {
            "Show one job: payload, failed attempts with their errors, log. With --follow, what happens to it until it has ended.",
            "Exit codes with --follow: 0 completed; 1 cancelled, discarded or gone; 2 a mistake on the command line."
        })
final class JobCommand extends CliCommand {
    @Parameters(paramLabel = "ID", description = "The job's id.")
    private long id;

    @Option(
            names = {"-f", "--follow"},
            description =
                    "Print changes of its state, failed attempts, progress and log lines as they come, until the job has"
                            + " ended; with --json one object per line. Looks twice a second.")
    private boolean follow;

    @Override
    public Integer call() throws InterruptedException {
        try (DatabaseOptions.Session session = database().openExisting()) {
            JobAdmin admin = session.queue().admin();
            if (follow) {
                boolean completed = new JobFollower(admin, id)
                        .follow(event -> event.print(out(), output(), id), () -> !out().checkError());
                return completed ? 0 : 1;
            }
            Job job = admin.find(id)
                    .orElseThrow(() -> new NotFoundException("there is no job " + id + " (or it was pruned)"));
            List<FailedAttempt> attempts = admin.failedAttempts(id);
            List<JobLogLine> log = admin.log(id);
            List<JobAssignment> assignments = admin.assignments(id);
            List<String> hindrances = new Hindrances(session.queue()).of(job);
            if (output().isJson()) {
                Map<String, @Nullable Object> fields = Texts.asJson(job);
                fields.put("waitsFor", hindrances);
                fields.put("failedAttempts", attempts);
                fields.put("log", log);
                fields.put("assignments", assignments);
                output().json(out(), fields);
            } else {
                print(job);
                hindrances.forEach(words -> out().println("! " + words));
                assignments.forEach(one -> out().println("given to " + one.worker() + ", attempt " + one.attempt()
                        + ", " + Texts.time(one.assignedAt())));
                attempts.forEach(this::print);
                log.forEach(line -> out().println("log   " + Texts.time(line.loggedAt()) + "  attempt " + line.attempt()
                        + ": " + line.line()));
            }
            return 0;
        }
    }

    private void print(Job job) {
        Texts.asJson(job).forEach((name, value) -> {
            if (value != null && !value.equals(List.of()) && !value.equals(Map.of()) && !value.equals(false)) {
                out().printf(
                                Locale.ROOT,
                                "%-16s %s%n",
                                name,
                                value instanceof Instant moment ? Texts.time(moment) : value);
            }
        });
    }

    private void print(FailedAttempt attempt) {
        out().printf(
                        Locale.ROOT,
                        "%nattempt %d failed at %s on worker %s:%n",
                        attempt.attempt(),
                        Texts.time(attempt.failedAt()),
                        attempt.leasedBy());
        attempt.error().lines().forEach(line -> out().println("    " + line));
    }
}
