package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobAssignment;
import dev.pawl.admin.JobLogLine;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The history of a job, in order. */
public final class Timeline {
    private Timeline() {}

    /**
     * An event.
     *
     * @param at when
     * @param kind its CSS class: enqueued, started, log, failed, next, or the final state: completed, cancelled or
     *     discarded
     * @param title its name
     * @param text details, in lines; empty for none
     */
    public record Event(Instant at, String kind, String title, String text) {}

    static List<Event> of(Job job, List<FailedAttempt> failed, List<JobLogLine> log, List<JobAssignment> assignments) {
        List<Event> events = new ArrayList<>();
        events.add(new Event(job.createdAt(), "enqueued", "enqueued in " + job.queue(), ""));
        for (FailedAttempt attempt : failed) {
            started(events, attempt.startedAt(), attempt.attempt(), attempt.leasedBy());
            events.add(new Event(
                    attempt.failedAt(), "failed", "attempt " + attempt.attempt() + " failed", attempt.error()));
        }
        assignments.forEach(assignment -> events.add(new Event(
                assignment.assignedAt(),
                "started",
                "attempt " + assignment.attempt() + " assigned to " + assignment.worker(),
                "")));
        log.forEach(
                line -> events.add(new Event(line.loggedAt(), "log", "log of attempt " + line.attempt(), line.line())));
        boolean isKnown = failed.stream().anyMatch(attempt -> attempt.attempt() == job.attempt());
        if (!isKnown) {
            started(events, job.startedAt(), job.attempt(), job.leasedBy());
        }
        Instant finished = job.finishedAt();
        if (finished != null) {
            String reason = job.reason();
            String state = Formats.word(job.state());
            events.add(new Event(finished, state, state, reason == null ? "" : reason));
        }
        // Sorts the final state last. The database writes the final state before the last attempt, so its time may be
        // earlier than that of the attempt.
        events.sort(Comparator.comparing((Event event) -> event.kind().equals(Formats.word(job.state())))
                .thenComparing(Event::at));
        if (job.state().isWaiting()) {
            events.add(next(job));
        }
        return events;
    }

    private static Event next(Job job) {
        if (job.state() == JobState.PAUSED) {
            return new Event(job.createdAt(), "next", "is paused with its batch", "");
        }
        if (job.state() == JobState.BLOCKED || job.state() == JobState.PENDING) {
            String others = "waits for others of its " + (job.state() == JobState.PENDING ? "workflow" : "key");
            return new Event(job.createdAt(), "next", others, "");
        }
        return new Event(job.availableAt(), "next", job.attempt() == 0 ? "may be claimed" : "may be tried again", "");
    }

    private static void started(List<Event> events, @Nullable Instant at, int attempt, @Nullable Long worker) {
        if (at != null) {
            String by = worker == null ? "" : " by worker " + worker;
            events.add(new Event(at, "started", "attempt " + attempt + " claimed" + by, ""));
        }
    }
}
