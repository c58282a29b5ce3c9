package dev.pawl.cli;

import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobLogLine;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Derives events from successive reads of a job, in the order in which they happened. */
final class JobHistory {
    private final Deduplicated<FailedAttempt> failures =
            new Deduplicated<>(failed -> Map.entry(failed.attempt(), failed.failedAt()));
    private final Deduplicated<JobLogLine> lines = new Deduplicated<>(line -> line);
    private List<@Nullable Object> state = List.of();
    private List<@Nullable Object> progress = List.of();

    /** {@return whether the job has changed since the last read, so that an attempt may have failed} */
    boolean hasChanged(Job job) {
        return !stateOf(job).equals(state);
    }

    /**
     * @param failed the failed attempts; none if the job has not changed
     * @param log all log lines of the job
     * @return the new events
     */
    List<JobEvent> next(Job job, List<FailedAttempt> failed, List<JobLogLine> log) {
        List<JobEvent> events = new ArrayList<>();
        lines.in(log).forEach(line -> events.add(logged(line)));
        failures.in(failed).forEach(failure -> events.add(failed(failure)));
        boolean changed = hasChanged(job);
        state = stateOf(job);
        if (changed && job.state() == JobState.RUNNING) {
            events.add(state(job));
        }
        events.sort(Comparator.comparing(event -> Objects.requireNonNullElse(event.at(), Instant.MAX)));
        List<@Nullable Object> current = Arrays.asList(job.progress(), job.leaseToken());
        if (job.progress() != null && !current.equals(progress)) {
            progress = current;
            events.add(new JobEvent(
                    "progress", null, "progress " + job.progress() + " %", Map.of("percent", job.progress())));
        }
        if (changed && job.state() != JobState.RUNNING) {
            events.add(state(job));
        }
        return events;
    }

    private static List<@Nullable Object> stateOf(Job job) {
        return Arrays.asList(
                job.state(),
                job.attempt(),
                job.leaseToken(),
                job.state().isWaiting() ? job.availableAt() : null,
                job.cancelRequested());
    }

    private static JobEvent logged(JobLogLine line) {
        return new JobEvent(
                "log",
                line.loggedAt(),
                "attempt " + line.attempt() + ": " + line.line(),
                JsonForm.object("attempt", line.attempt(), "line", line.line()));
    }

    private static JobEvent failed(FailedAttempt failed) {
        String error = failed.error().lines().findFirst().orElse("");
        return new JobEvent(
                "failed",
                failed.failedAt(),
                "attempt " + failed.attempt() + " failed: " + error,
                JsonForm.object("attempt", failed.attempt(), "leasedBy", failed.leasedBy(), "error", error));
    }

    private static JobEvent state(Job job) {
        Instant at = switch (job.state()) {
            case AVAILABLE, BLOCKED, PENDING, PAUSED -> job.leaseToken() == 0 ? job.createdAt() : null;
            case RUNNING -> job.startedAt();
            default -> job.finishedAt();
        };
        Map<String, @Nullable Object> fields =
                JsonForm.object("state", Texts.state(job), "attempt", job.attempt(), "maxAttempts", job.maxAttempts());
        fields.put("availableAt", job.state().isWaiting() ? job.availableAt() : null);
        fields.put("leasedBy", job.state() == JobState.RUNNING ? job.leasedBy() : null);
        fields.put("cancelRequested", job.cancelRequested());
        fields.put("reason", job.reason());
        return new JobEvent("state", at, Texts.state(job) + details(job), fields);
    }

    private static String details(Job job) {
        String cancel = job.cancelRequested() ? ", to be cancelled" : "";
        String attempt = "attempt " + job.attempt() + " of " + job.maxAttempts();
        return switch (job.state()) {
            case AVAILABLE, BLOCKED, PENDING, PAUSED ->
                (job.state().waitsForOthers() ? ", " : ", from ")
                        + Texts.available(job)
                        + (job.attempt() == 0 ? "" : ", after " + attempt);
            case RUNNING -> ", " + attempt + (job.leasedBy() == null ? "" : ", worker " + job.leasedBy()) + cancel;
            default -> job.reason() == null ? "" : ": " + job.reason();
        };
    }
}
