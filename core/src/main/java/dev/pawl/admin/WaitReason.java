package dev.pawl.admin;

import dev.pawl.limit.Hold;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job that waits does not run yet, see {@link JobAdmin#waitReasons}.
 *
 * @param cause what it waits for
 * @param text the same for people, without a moment and without a command
 * @param until when it ends by itself, by the database's clock; null if that is not known, or it does not
 * @param about the queue, kind or key that it is about, or the id of the job, batch or workflow; empty for none
 */
public record WaitReason(Cause cause, String text, @Nullable Instant until, String about) {
    /** Everything that keeps a job from running, in the order in which it is shown. */
    public enum Cause {
        /** All queues are paused. */
        ALL_PAUSED,
        /** Its queue is paused. */
        QUEUE_PAUSED,
        /** Its batch is paused, or releases its jobs right now. */
        BATCH_PAUSED,
        /** The first jobs of its batch have not completed yet. */
        BATCH_CANARY,
        /** Too many jobs of its batch have failed: its waiting jobs will be cancelled soon. */
        BATCH_STOPPED,
        /** It has expired: it will be cancelled instead of run. */
        EXPIRED,
        /** Other jobs of its workflow come first. */
        WORKFLOW_PENDING,
        /** It was enqueued for a later moment, or sleeps until then. */
        SCHEDULED,
        /** Its next attempt is due later. */
        RETRY,
        /** Its handler waits for a signal. */
        SIGNAL,
        /** What the jobs of its key need is not available. */
        KEY_OUTAGE,
        /** Other jobs with its key come first. */
        KEY_BLOCKED,
        /** The rate of its key is used up. */
        KEY_RATE,
        /** It is the next one of its key, and no worker has released it yet. */
        KEY_RELEASE,
        /** No live worker claims from its queue. */
        QUEUE_WITHOUT_WORKER,
        /** No live worker of its queue handles its kind. */
        KIND_WITHOUT_WORKER,
        /** All workers that handle it have been told not to claim jobs. */
        WORKERS_QUIET,
        /** What the jobs of its queue or kind need is not available. */
        OUTAGE,
        /** Its queue or kind runs as many jobs at once as its limit allows. */
        LIMIT_FULL,
        /** The rate of its queue or kind is used up. */
        RATE,
        /** All workers that handle it run as many jobs as they can. */
        WORKERS_BUSY,
        /** Other jobs of its queue are before it. */
        QUEUE_POSITION,
        /** Nothing keeps it from running: the next claim of a worker takes it. */
        NEXT;

        /** {@return whether it goes by without help, as the queue moves on} */
        public boolean isOrdinary() {
            return this == WORKERS_BUSY || this == QUEUE_POSITION || this == NEXT;
        }
    }

    /**
     * {@return what a limit on a queue or kind, or an outage of it, keeps waiting}
     *
     * @param info how the limit stands
     * @param now by the database's clock
     */
    public static List<WaitReason> ofLimit(LimitInfo info, Instant now) {
        Subject subject = info.limit().subject();
        List<WaitReason> reasons = new ArrayList<>();
        Hold hold = info.hold();
        if (hold != null) {
            reasons.add(ofOutage(Cause.OUTAGE, subject.toString(), hold, now, subject.name()));
        }
        Integer atOnce = info.limit().atOnce();
        if (atOnce != null && info.shared() >= atOnce && info.waiting() > 0) {
            reasons.add(new WaitReason(
                    Cause.LIMIT_FULL, subject + " is at its limit: " + atOnce + " at once", null, subject.name()));
        }
        Instant next = info.nextStart();
        if (next != null && next.isAfter(now)) {
            Cause rate = subject.of() == Subject.Of.KEYS ? Cause.KEY_RATE : Cause.RATE;
            reasons.add(new WaitReason(rate, "the rate of " + subject + " is used up", next, subject.name()));
        }
        return reasons;
    }

    /**
     * {@return that something is held back, or tried after that}
     *
     * @param cause of a key, or of a queue or kind
     * @param what is held back
     * @param hold until when, and why
     * @param now by the database's clock
     * @param about its name
     */
    public static WaitReason ofOutage(Cause cause, String what, Hold hold, Instant now, String about) {
        boolean isHeld = hold.until().isAfter(now);
        String why = hold.reason().isEmpty() ? "" : ": " + hold.reason();
        return new WaitReason(
                cause,
                what + (isHeld ? " is held back" : " was held back and is tried with one job at a time") + why,
                isHeld ? hold.until() : null,
                about);
    }
}
