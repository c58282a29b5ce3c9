package dev.pawl.cli;

import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobAssignment;
import dev.pawl.admin.JobLogLine;
import dev.pawl.admin.JobStack;
import dev.pawl.admin.WaitReason;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "job",
        mixinStandardHelpOptions = true,
        description = {
            "Show one job: payload, result, failed attempts with their errors, log. With --stack, the stack"
                    + " trace of its handler. With --follow, its events until it finishes.",
            "Exit codes with --follow: 0 completed; 1 cancelled, discarded or deleted; 2 usage error."
        })
final class JobCommand extends CliCommand implements NamesJobs {
    /** How long the database may fail while a job is followed. */
    private static final Duration OUTAGE_TIMEOUT = Duration.ofMinutes(5);

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private long id;

    @Option(
            names = {"-f", "--follow"},
            description =
                    "Print changes of its state, failed attempts, progress and log lines as they come, until the job"
                            + " finishes; with --json one object per line. Polls twice a second; retries for five minutes if the database"
                            + " fails.")
    private boolean follow;

    @Option(
            names = "--stack",
            description = "Request the stack trace of the job's handler from its worker, and print it. Waits ten"
                    + " seconds at most; exit code 1 if the job is not running, or the worker does not answer.")
    private boolean stack;

    @Override
    public List<Long> routingIds() {
        return List.of(id);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (stack && follow) {
            throw new UsageException("use --stack or --follow, not both");
        }
        try (DatabaseOptions.Session session = database().openExisting()) {
            Admin admin = session.queue().admin();
            if (stack) {
                JobStack reported = new StackRequest(admin, id).answer();
                if (output().isJson()) {
                    output().json(out(), reported);
                } else {
                    out().println("attempt " + reported.attempt() + ", "
                            + Texts.time(Objects.requireNonNull(reported.reportedAt())));
                    out().println(reported.stack());
                }
                return 0;
            }
            if (follow) {
                OutageRetry outage = new OutageRetry(OUTAGE_TIMEOUT, words -> err().println("pawl: " + words));
                boolean completed = new JobFollower(admin, id, outage)
                        .follow(event -> event.print(out(), output(), id), () -> !out().checkError());
                return completed ? 0 : 1;
            }
            Job job = admin.jobs()
                    .find(id)
                    .orElseThrow(() -> new NotFoundException("there is no job " + id + " (or it was pruned)"));
            Optional<String> result = admin.jobs().result(id);
            Optional<Long> workflow = session.queue().workflow(job).map(Workflow::id);
            List<FailedAttempt> attempts = admin.runs().failedAttempts(id, Admin.UNLIMITED);
            List<JobLogLine> log = admin.runs().log(id, Admin.UNLIMITED);
            List<JobAssignment> assignments = admin.runs().assignments(id, Admin.UNLIMITED);
            List<JobStep> steps = admin.jobs().steps(id);
            Optional<Instant> due =
                    job.state() == JobState.BLOCKED ? admin.jobs().dueAt(id) : Optional.empty();
            List<WaitReason> reasons = admin.jobs().waitReasons(id);
            if (output().isJson()) {
                Map<String, @Nullable Object> fields = JsonForm.job(job);
                fields.put("result", result.orElse(null));
                fields.put("workflow", workflow.orElse(null));
                fields.put("dueAt", due.orElse(null));
                fields.put(
                        "waitsFor",
                        reasons.stream()
                                .filter(reason -> !reason.cause().isOrdinary())
                                .map(reason -> WaitReasonText.words(job, reason))
                                .toList());
                fields.put("waitReasons", reasons);
                fields.put("steps", steps);
                fields.put("failedAttempts", attempts);
                fields.put("log", log);
                fields.put("assignments", assignments);
                output().json(out(), fields);
            } else {
                print(job);
                workflow.ifPresent(number -> out().printf(Locale.ROOT, "%-16s %s%n", "workflow", number));
                result.ifPresent(text -> out().printf(Locale.ROOT, "%-16s %s%n", "result", TerminalEscapes.line(text)));
                reasons.forEach(reason -> out().println(
                                (reason.cause().isOrdinary() ? String.format(Locale.ROOT, "%-16s ", "waits") : "! ")
                                        + WaitReasonText.words(job, reason)));
                steps.forEach(step -> out().println(words(step)));
                assignments.forEach(one -> out().println("assigned to " + TerminalEscapes.line(one.worker())
                        + ", attempt " + one.attempt() + ", " + Texts.time(one.assignedAt())));
                long interruptions =
                        log.stream().filter(JobLogLine::tellsOfInterruption).count();
                if (interruptions > 0) {
                    out().println("! interrupted " + interruptions + (interruptions == 1 ? " time" : " times")
                            + " because its worker stopped, and restarted each time");
                }
                attempts.forEach(this::print);
                log.forEach(line -> out().println("log   " + Texts.time(line.loggedAt()) + "  attempt " + line.attempt()
                        + ": " + TerminalEscapes.line(line.line())));
            }
            return 0;
        }
    }

    private void print(Job job) {
        JsonForm.job(job).forEach((name, value) -> {
            if (isNonDefault(name, value)) {
                out().printf(Locale.ROOT, "%-16s %s%n", name, TerminalEscapes.line(String.valueOf(words(value))));
            }
        });
    }

    private static boolean isNonDefault(String name, @Nullable Object value) {
        return value != null
                && !value.equals(List.of())
                && !value.equals(Map.of())
                && !value.equals(false)
                && !(name.equals("cost") && value.equals(1));
    }

    private static @Nullable Object words(@Nullable Object value) {
        return value instanceof Instant moment
                ? Texts.time(moment)
                : value instanceof Enum<?> word ? JsonForm.word(word) : value;
    }

    private static String words(JobStep step) {
        String value = step.value() == null ? "" : ": " + Texts.cut(step.value());
        String state = switch (step.state()) {
            case DONE -> step.kind() == JobStep.Kind.SIGNAL ? "received" : "done";
            case GIVEN_UP -> "timed out";
            case WAITING -> "waits until " + Texts.time(Objects.requireNonNull(step.until()));
        };
        return String.format(
                Locale.ROOT,
                "%-6s %s  %s: %s%s",
                JsonForm.word(step.kind()),
                Texts.time(step.at()),
                TerminalEscapes.line(step.name()),
                state,
                value);
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
