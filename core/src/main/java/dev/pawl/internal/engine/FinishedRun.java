package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.WorkerEvent;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run that has ended and is not recorded yet. Used by the runner that created it, then by the completer. */
final class Ended {
    private final HeldJob held;
    private final Verdict verdict;
    private @Nullable Long putOffNanos;
    private boolean inDoubt;
    private boolean substitute;
    private int timesAlone;
    private long aloneNanos;

    Ended(HeldJob held, Verdict verdict) {
        this.held = held;
        this.verdict = verdict;
    }

    HeldJob held() {
        return held;
    }

    /** {@return the same run with another verdict, in place of one that cannot be recorded} */
    Ended replacedBy(Verdict other) {
        Ended replaced = new Ended(held, other);
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

    /** The reply to a try was lost: it may have been recorded. */
    void doubt() {
        inDoubt = true;
    }

    /**
     * {@return whether it is recorded, although it was refused} Then a try whose reply was lost has done that: while its lease is sure to last
     * nobody else ends a run.
     */
    boolean wasRecordedBefore() {
        return inDoubt && !held.isOver(System.nanoTime());
    }

    /** It could not be recorded; remembers when that happened first. */
    void putOff(long nowNanos) {
        if (putOffNanos == null) {
            putOffNanos = nowNanos;
        }
    }

    /**
     * It was tried alone, and the database seemed to be away. That it was not is known when something else was written since the last
     * time.
     *
     * @param sentNanos before it was sent
     * @param wroteNanos when something was written last
     * @return how many times that was this outcome's own fault, for all that is known
     */
    int failedAlone(long sentNanos, long wroteNanos) {
        if (timesAlone == 0 || wroteNanos - aloneNanos > 0) {
            timesAlone++;
            aloneNanos = sentNanos;
        }
        return timesAlone;
    }

    boolean isTriedLongerThan(Duration length) {
        return putOffNanos != null && System.nanoTime() - putOffNanos >= length.toNanos();
    }

    /** {@return what to tell listeners once it is recorded; empty if nothing has happened to the job} */
    Optional<WorkerEvent> event() {
        return verdict.choose(new Telling(held.job()));
    }

    private record Telling(Job job) implements Verdict.Cases<Optional<WorkerEvent>> {
        @Override
        public Optional<WorkerEvent> completed() {
            return Optional.of(new WorkerEvent.Completed(job));
        }

        @Override
        public Optional<WorkerEvent> retry(Verdict.Retry retry) {
            return Optional.of(new WorkerEvent.Failed(job, retry.error(), retry.delay()));
        }

        @Override
        public Optional<WorkerEvent> snooze(Verdict.Snooze snooze) {
            return Optional.of(new WorkerEvent.Snoozed(job, snooze.delay()));
        }

        @Override
        public Optional<WorkerEvent> giveBack() {
            return Optional.empty(); // as if it had not been claimed
        }

        @Override
        public Optional<WorkerEvent> cancelled(Verdict.Cancelled cancelled) {
            return Optional.of(new WorkerEvent.Cancelled(job, cancelled.reason()));
        }

        @Override
        public Optional<WorkerEvent> discarded(Verdict.Discarded discarded) {
            return Optional.of(new WorkerEvent.Discarded(job, discarded.reason(), discarded.error()));
        }
    }
}
