package dev.pawl.testkit;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Formats jobs for assertion messages. */
final class JobText {
    private static final int MAX_JOBS = 20;
    private static final int MAX_PAYLOAD = 300;

    private JobText() {}

    /** {@return a line} */
    static String of(Job job) {
        StringBuilder text = new StringBuilder("#" + job.id() + " " + job.kind() + " queue=" + job.queue()
                + " priority=" + job.priority() + " attempt=" + job.attempt() + "/" + job.maxAttempts());
        Duration delay = delay(job);
        if (job.state() == JobState.PENDING) {
            text.append(" after others of its workflow");
        } else if (job.state() == JobState.BLOCKED) {
            text.append(" blocked");
        } else if (job.state() == JobState.PAUSED) {
            text.append(" paused");
        } else if (!delay.isZero()) {
            text.append(" delay=").append(delay);
        }
        if (job.uniqueKey() != null) {
            text.append(" uniqueKey=").append(job.uniqueKey());
        }
        job.key().ifPresent(key -> text.append(" key=").append(key));
        job.batch().ifPresent(batch -> text.append(" batch=").append(batch));
        if (job.cost() != 1) {
            text.append(" cost=").append(job.cost());
        }
        job.expiresAt().ifPresent(moment -> text.append(" expiresAt=").append(moment));
        if (!job.tags().isEmpty()) {
            text.append(" tags=").append(job.tags());
        }
        if (!job.headers().isEmpty()) {
            text.append(" headers=").append(job.headers());
        }
        String payload = job.payload();
        return text.append(" payload=")
                .append(payload.length() > MAX_PAYLOAD ? payload.substring(0, MAX_PAYLOAD) + "…" : payload)
                .toString();
    }

    /** {@return one line per job, for the first twenty, indented, each after a line break} */
    static String list(List<Job> jobs) {
        String lines =
                jobs.stream().limit(MAX_JOBS).map(job -> "\n  " + of(job)).collect(Collectors.joining());
        return jobs.size() > MAX_JOBS ? lines + "\n  and " + (jobs.size() - MAX_JOBS) + " more" : lines;
    }

    /** {@return the time from the job's enqueue until it becomes available, which {@link QueueTester#advance} does not change} */
    static Duration delay(Job job) {
        return Duration.between(job.createdAt(), job.availableAt());
    }
}
