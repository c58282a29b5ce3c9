package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run that is finished and not recorded yet. Used by the runner that created it, then by the completer. */
final class FinishedRun {
    private final HeldJob held;
    private final Verdict verdict;
    private @Nullable Long deferredNanos;
    private boolean inDoubt;
    private boolean substitute;
    private int timesAlone;
    private long aloneNanos;

    FinishedRun(HeldJob held, Verdict verdict) {
        this.held = held;
        this.verdict = verdict;
    }

    HeldJob held() {
        return held;
    }

    /** {@return the same run with a substitute for a verdict that cannot be recorded} */
    FinishedRun replacedBy(Verdict other) {
        FinishedRun replaced = new FinishedRun(held, other);
        replaced.substitute = true;
        return replaced;
    }

    boolean isSubstitute() {
        return substitute;
    }

    Verdict verdict() {
        return verdict;
    }

    Settlement settlement() {
        return new Settlement(held.lease(), verdict, held.job().batch().orElse(0));
    }

    /** The reply to a write was lost, or was an unknown error, so the outcome may have been recorded. */
    void mayBeRecorded() {
        inDoubt = true;
    }

    /**
     * {@return whether an earlier write whose reply was lost recorded the outcome, so that this one was refused} Assumed while the lease
     * certainly lasts, because no other worker can have ended the run.
     */
    boolean wasRecordedBefore() {
        return inDoubt && !held.hasExpired(System.nanoTime());
    }

    /** Notes the time of the first deferral. */
    void defer(long nowNanos) {
        if (deferredNanos == null) {
            deferredNanos = nowNanos;
        }
    }

    /**
     * Reports that the outcome was sent alone, and the database seemed unavailable. A repeated failure counts only if another write has
     * succeeded since the failure that counted last, because that write proves that the database was available.
     *
     * @param sentNanos time before the outcome was sent
     * @param wroteNanos time of the last successful write
     * @return how many failures are attributed to this outcome
     */
    int failedAlone(long sentNanos, long wroteNanos) {
        if (timesAlone == 0 || wroteNanos - aloneNanos > 0) {
            timesAlone++;
            aloneNanos = sentNanos;
        }
        return timesAlone;
    }

    boolean isTriedLongerThan(Duration length) {
        return deferredNanos != null && System.nanoTime() - deferredNanos >= length.toNanos();
    }

    /** {@return the event to publish once the outcome is recorded; empty for a released or paused job} */
    Optional<WorkerEvent> event() {
        Job job = held.job();
        return Optional.ofNullable(
                switch (verdict.kind()) {
                    case COMPLETED -> new WorkerEvent.Completed(job);
                    case RETRY -> new WorkerEvent.Failed(job, verdict.error(), verdict.delay());
                    case SNOOZE -> new WorkerEvent.Snoozed(job, verdict.delay());
                    case RELEASE, PAUSE -> null; // as if it had not been claimed
                    case CANCELLED -> new WorkerEvent.Cancelled(job, verdict.reason());
                    case DISCARDED -> new WorkerEvent.Discarded(job, verdict.reason(), verdict.error());
                });
    }
}
