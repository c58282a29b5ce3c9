package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.dashboard.internal.snapshot.Pauses;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains why the jobs of a list wait, from data about the whole queue, so that no job needs a statement of its own. The page of a job
 * has all reasons, from {@link dev.pawl.admin.JobAdmin#waitReasons}. Immutable.
 */
public final class Waits {
    private final Pauses pauses;
    private final List<LimitInfo> limits;
    private final List<WorkerInfo> workers;
    /** By the clock of this machine, as for the states of jobs. */
    private final Instant now = Instant.now();

    private Waits(Pauses pauses, List<LimitInfo> limits, List<WorkerInfo> workers) {
        this.pauses = pauses;
        this.limits = limits;
        this.workers = workers;
    }

    static Waits of(Snapshots snapshots) {
        return new Waits(snapshots.pauses(), snapshots.limits(), snapshots.workers());
    }

    /** {@return the first reason why a job waits; null if it does not wait} */
    public @Nullable WaitRow of(Job job) {
        return job.state().isWaiting() ? WaitRow.all(job, reasons(job)).get(0) : null;
    }

    private List<WaitReason> reasons(Job job) {
        List<WaitReason> reasons = ofQueue(job.queue(), job.kind());
        WaitReason own = own(job);
        if (own != null) {
            reasons.add(own);
        }
        if (reasons.isEmpty()) {
            reasons.add(new WaitReason(Cause.NEXT, "the next claim of a worker takes it, or one before it", null, ""));
        }
        reasons.sort(Comparator.comparing(WaitReason::cause));
        return reasons;
    }

    /** {@return why jobs of a queue and kind wait; empty if workers can take them} */
    List<WaitReason> ofQueue(String queue, String kind) {
        List<WaitReason> reasons = new ArrayList<>();
        if (pauses.all() != null) {
            reasons.add(new WaitReason(Cause.ALL_PAUSED, "all queues are paused", null, ""));
        }
        if (pauses.queues().containsKey(queue)) {
            reasons.add(new WaitReason(Cause.QUEUE_PAUSED, "queue " + queue + " is paused", null, queue));
        }
        for (LimitInfo limit : limits) {
            Subject subject = limit.limit().subject();
            String name = subject.of() == Subject.Of.KIND ? kind : queue;
            if (subject.of() != Subject.Of.KEYS && subject.name().equals(name)) {
                reasons.addAll(WaitReason.ofLimit(limit));
            }
        }
        WaitReason.ofWorkers(queue, kind, workers).ifPresent(reasons::add);
        return reasons;
    }

    /** {@return why this job waits, apart from reasons that concern its whole queue or kind} */
    private @Nullable WaitReason own(Job job) {
        return switch (job.state()) {
            case PAUSED -> new WaitReason(Cause.BATCH_PAUSED, "its batch has not released it", null, batch(job));
            case PENDING -> new WaitReason(Cause.WORKFLOW_PENDING, "others of its workflow come first", null, "");
            case BLOCKED ->
                new WaitReason(
                        Cause.KEY_RELEASE,
                        "others of its key come first",
                        null,
                        job.key().orElse(""));
            default -> job.state() == JobState.AVAILABLE && job.availableAt().isAfter(now) ? later(job) : null;
        };
    }

    private static WaitReason later(Job job) {
        return job.attempt() > 0
                ? new WaitReason(Cause.RETRY, "its next attempt is due later", job.availableAt(), "")
                : new WaitReason(Cause.SCHEDULED, "it is scheduled for later", job.availableAt(), "");
    }

    private static String batch(Job job) {
        return job.batch().isPresent() ? Long.toString(job.batch().getAsLong()) : "";
    }
}
