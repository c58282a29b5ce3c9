package dev.pawl.admin;

import dev.pawl.api.WorkerCommand;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import dev.pawl.limit.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reason why a waiting job does not run yet, see {@link JobAdmin#waitReasons}.
 *
 * @param cause the cause
 * @param text describes the reason to people; it contains neither a time nor a command
 * @param until when the reason ends by itself, by the database's clock; null if that is unknown, or it does not end by itself
 * @param about the name of the queue, kind, key or signal, or the id of the job, batch or workflow that causes it; empty for none
 */
public record WaitReason(Cause cause, String text, @Nullable Instant until, String about) {
    /** All causes, in display order. */
    public enum Cause {
        /** All queues are paused. */
        ALL_PAUSED,
        /** Its queue is paused. */
        QUEUE_PAUSED,
        /** Its batch is paused, or is releasing its jobs. */
        BATCH_PAUSED,
        /** The first jobs of its batch have not completed yet. */
        BATCH_CANARY,
        /**
         * Its batch was stopped because too many jobs failed, or one of its first jobs was discarded or cancelled: its waiting jobs will be
         * cancelled soon.
         */
        BATCH_STOPPED,
        /** It has expired: it will be cancelled. */
        EXPIRED,
        /** It waits for other jobs of its workflow. */
        WORKFLOW_PENDING,
        /** It was enqueued for a later time, or its handler sleeps until a later time. */
        SCHEDULED,
        /** Its next attempt is due later. */
        RETRY,
        /** Its handler waits for a signal. */
        SIGNAL,
        /** Its concurrency key is paused, by an operator or because of an outage. */
        KEY_OUTAGE,
        /** Other jobs with its concurrency key come first. */
        KEY_BLOCKED,
        /** The rate of its concurrency key is used up. */
        KEY_RATE,
        /** It is the next job of its concurrency key, but no worker has made it available yet. */
        KEY_RELEASE,
        /** No live worker claims from its queue. */
        QUEUE_WITHOUT_WORKER,
        /** No live worker of its queue handles its kind. */
        KIND_WITHOUT_WORKER,
        /** All workers that handle it were told to stop claiming jobs. */
        WORKERS_QUIET,
        /** Its queue or kind is paused, by an operator or because of an outage. */
        OUTAGE,
        /** The concurrency limit of its queue or kind is reached. */
        LIMIT_FULL,
        /** The rate of its queue or kind is used up. */
        RATE,
        /** All workers that handle it run as many jobs as they can. */
        WORKERS_BUSY,
        /** Other jobs of its queue are before it. */
        QUEUE_POSITION,
        /** Nothing prevents it from running: the next claim of a worker takes it. */
        NEXT;

        /** {@return whether it ends without intervention, as the queue progresses} */
        public boolean isOrdinary() {
            return this == WORKERS_BUSY || this == QUEUE_POSITION || this == NEXT;
        }
    }

    /**
     * {@return why no worker takes a job of a queue and kind at the moment; empty if one can}
     *
     * @param queue the job's queue
     * @param kind the job's kind
     * @param workers all workers
     */
    public static Optional<WaitReason> ofWorkers(String queue, String kind, Collection<WorkerInfo> workers) {
        List<WorkerInfo> ofQueue = workers.stream()
                .filter(worker -> worker.alive() && worker.queues().contains(queue))
                .toList();
        List<WorkerInfo> ofKind =
                ofQueue.stream().filter(worker -> worker.kinds().contains(kind)).toList();
        List<WorkerInfo> claiming = ofKind.stream()
                .filter(worker -> worker.command() == WorkerCommand.WORK)
                .toList();
        if (ofQueue.isEmpty()) {
            return of(Cause.QUEUE_WITHOUT_WORKER, "no live worker claims from queue " + queue, queue);
        }
        if (ofKind.isEmpty()) {
            return of(Cause.KIND_WITHOUT_WORKER, "no live worker of queue " + queue + " handles kind " + kind, kind);
        }
        if (claiming.isEmpty()) {
            return of(Cause.WORKERS_QUIET, "all workers that handle it have been told not to claim jobs", "");
        }
        return claiming.stream().allMatch(worker -> worker.running() >= worker.concurrency())
                ? of(Cause.WORKERS_BUSY, "all workers that handle it are busy", "")
                : Optional.empty();
    }

    private static Optional<WaitReason> of(Cause cause, String text, String about) {
        return Optional.of(new WaitReason(cause, text, null, about));
    }

    /**
     * {@return the reasons why jobs wait for a limit on their queue or kind, or for the end of its pause}
     *
     * @param info the limit and its current use; which of its times have passed was decided by the database's clock when the limit was read
     */
    public static List<WaitReason> ofLimit(LimitInfo info) {
        Subject subject = info.limit().subject();
        List<WaitReason> reasons = new ArrayList<>();
        Pause pause = info.pause();
        if (pause != null) {
            reasons.add(ofOutage(Cause.OUTAGE, subject.toString(), pause, subject.name()));
        }
        Integer atOnce = info.limit().atOnce();
        if (atOnce != null && info.shared() >= atOnce && info.waiting() > 0) {
            reasons.add(new WaitReason(
                    Cause.LIMIT_FULL, subject + " is at its limit: " + atOnce + " at once", null, subject.name()));
        }
        Instant next = info.nextStart();
        if (next != null) {
            Cause rate = subject.of() == Subject.Of.KEYS ? Cause.KEY_RATE : Cause.RATE;
            reasons.add(new WaitReason(rate, "the rate of " + subject + " is used up", next, subject.name()));
        }
        return reasons;
    }

    /**
     * {@return the reason that jobs are paused, or tried one at a time after a pause}
     *
     * @param cause {@link Cause#KEY_OUTAGE} for a concurrency key, {@link Cause#OUTAGE} for a queue or kind
     * @param what the paused key, queue or kind
     * @param pause the pause
     * @param about the name of the paused key, queue or kind
     */
    public static WaitReason ofOutage(Cause cause, String what, Pause pause, String about) {
        String why = pause.reason().isEmpty() ? "" : ": " + pause.reason();
        return new WaitReason(
                cause,
                what + (pause.expired() ? " was paused and is tried with one job at a time" : " is paused") + why,
                pause.expired() ? null : pause.until(),
                about);
    }
}
