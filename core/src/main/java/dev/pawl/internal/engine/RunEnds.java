package dev.pawl.internal.engine;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Job;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides the verdict on a run whose handler has ended, or never started, from its outcome and the reason of a stop. */
final class RunEnds {
    private static final Logger LOG = LoggerFactory.getLogger(RunEnds.class);

    private final OutcomePolicy outcomePolicy;
    private final RunNotes notes;
    private final AddedParts added;
    private final RunTally tally;
    private final Conflicts conflicts;
    private final Interruptions interruptions;
    private final LongRuns longRuns;

    RunEnds(
            OutcomePolicy outcomePolicy,
            RunNotes notes,
            AddedParts added,
            RunTally tally,
            Conflicts conflicts,
            Interruptions interruptions,
            LongRuns longRuns) {
        this.longRuns = longRuns;
        this.interruptions = interruptions;
        this.conflicts = conflicts;
        this.outcomePolicy = outcomePolicy;
        this.notes = notes;
        this.added = added;
        this.tally = tally;
    }

    /**
     * @param outcome what the handler returned; null if it failed, or has handed the run off
     * @param error what it threw; null if it returned
     * @return the verdict; null if the run was handed off
     */
    @Nullable
    Verdict of(HeldJob held, @Nullable Outcome outcome, @Nullable Throwable error, HandlerOptions options) {
        Verdict verdict = decide(held, outcome, error, options);
        if (verdict instanceof Verdict.Completed) {
            verdict = new Verdict.Completed(held.result());
            longRuns.completed(held.job().kind(), held.ranNanos());
        }
        tally.ended(held, verdict);
        return verdict;
    }

    private @Nullable Verdict decide(
            HeldJob held, @Nullable Outcome outcome, @Nullable Throwable error, HandlerOptions options) {
        HeldJob.Suspension suspended = held.suspension();
        if (suspended != null) {
            notes.caughtSuspension(held.job(), error);
            added.ran(held.job(), null);
            // The suspension is recorded already: the verdict only makes the completer drop the job and notify
            // listeners.
            return suspended.isCancelled()
                    ? new Verdict.Cancelled("cancelled while it was running")
                    : new Verdict.Snooze(suspended.length());
        }
        if (held.isCommitted()) {
            notes.ignoredOutcome(held.job(), outcome, error);
            added.ran(held.job(), null);
            return new Verdict.Completed(); // recorded already
        }
        if (outcome == null && error == null) {
            return null;
        }
        if (!(error instanceof TooLate)) {
            added.ran(held.job(), outcome);
        }
        notes.outage(held.job(), outcome);
        return error != null ? failed(held, error, options) : outcomePolicy.decide(held.job(), outcome);
    }

    /** {@return the verdict on an expired job} */
    static Verdict expired(HeldJob held) {
        return new Verdict.Cancelled("expired: it was to begin before "
                + held.job().expiresAt().map(Instant::toString).orElse("now"));
    }

    /**
     * The verdict on a job whose handler was not called. Its start may have been logged already, so the job is released to keep it from
     * losing an attempt.
     */
    static Verdict neverBegun(HeldJob held) {
        return held.stopped() == HeldJob.Stop.CANCELLED
                ? new Verdict.Cancelled("cancelled before its handler started")
                : new Verdict.Release();
    }

    private Verdict failed(HeldJob held, Throwable error, HandlerOptions options) {
        if (error instanceof TooLate) {
            return new Verdict.Snooze(Duration.ZERO);
        }
        Job job = held.job();
        HeldJob.Stop stop = held.stopped();
        if (stop == HeldJob.Stop.WORKER_STOPS) {
            interruptions.note(held);
            return new Verdict.Snooze(Duration.ZERO);
        }
        if (stop == HeldJob.Stop.CANCELLED) {
            return new Verdict.Cancelled("cancelled while it was running");
        }
        if (stop == HeldJob.Stop.TIMED_OUT) {
            return outcomePolicy.failed(
                    job,
                    "timed out after " + HumanDuration.of(Objects.requireNonNullElse(held.limit(), Duration.ZERO))
                            + "\n" + ErrorText.of(error),
                    error,
                    options.retryPolicy());
        }
        String unkept = held.unkept();
        if (unkept != null) {
            return outcomePolicy.decide(
                    job,
                    Outcome.discard("the value of the " + unkept
                            + " cannot be kept, so its work would be done again at each attempt: "
                            + ErrorText.of(error)));
        }
        Verdict free = conflicts.free(held, error);
        if (free != null) {
            return free;
        }
        if (error instanceof LeaseLostException) {
            LOG.debug("job {}: the lease was lost during its transaction", job.id());
        }
        return outcomePolicy.failed(job, ErrorText.of(error), error, options.retryPolicy());
    }
}
