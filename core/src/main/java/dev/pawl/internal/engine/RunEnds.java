package dev.pawl.internal.engine;

import dev.pawl.HandlerOptions;
import dev.pawl.Job;
import dev.pawl.LeaseLostException;
import dev.pawl.Outcome;
import dev.pawl.RunSuspended;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a job whose handler has ended, or never began: what the handler said, and why it may have been stopped. */
final class RunEnds {
    private static final Logger LOG = LoggerFactory.getLogger(RunEnds.class);

    private final Judge judge;
    private final RunLog log;
    private final LimitFeedback feedback;
    private final RunTally tally;
    private final Conflicts conflicts;
    private final Interruptions interruptions;

    RunEnds(Judge judge, RunLog log, LimitFeedback feedback, RunTally tally, Conflicts conflicts, Interruptions interruptions) {
        this.interruptions = interruptions;
        this.conflicts = conflicts;
        this.judge = judge;
        this.log = log;
        this.feedback = feedback;
        this.tally = tally;
    }

    /**
     * @param outcome what the handler returned; null if it has failed
     * @param error what it threw; null if it returned
     * @return null if the run goes on elsewhere
     */
    @Nullable
    Verdict of(HeldJob held, @Nullable Outcome outcome, @Nullable Throwable error, HandlerOptions options) {
        Verdict verdict = judged(held, outcome, error, options);
        tally.ended(held, verdict);
        return verdict;
    }

    private @Nullable Verdict judged(
            HeldJob held, @Nullable Outcome outcome, @Nullable Throwable error, HandlerOptions options) {
        Duration suspended = held.suspendedFor();
        if (suspended != null) {
            sayWhatWasCaught(held.job(), error);
            feedback.ended(held.job(), null);
            // Recorded already; tells the completer to let go of it, and listeners what has become of it.
            return held.isCancelledAsItWaited()
                    ? new Verdict.Cancelled("cancelled while it was running")
                    : new Verdict.Snooze(suspended);
        }
        if (held.isCommitted()) {
            sayWhatCameTooLate(held.job(), outcome, error);
            feedback.ended(held.job(), null);
            return new Verdict.Completed(); // the same
        }
        if (outcome instanceof Outcome.Elsewhere) {
            return null;
        }
        if (!(error instanceof TooLate)) {
            feedback.ended(held.job(), outcome);
        }
        if (outcome instanceof Outcome.Unavailable unavailable) {
            log.add(held.job(), "not available: " + unavailable.reason());
        } else if (outcome instanceof Outcome.KeyUnavailable unavailable) {
            log.add(held.job(), "not available for its key: " + unavailable.reason());
        }
        return error != null ? failed(held, error, options) : judge.judge(held.job(), outcome);
    }

    /** The job is completed and stays so; but what its handler did or wanted afterwards must not vanish silently. */
    private void sayWhatCameTooLate(Job job, @Nullable Outcome outcome, @Nullable Throwable error) {
        if (error != null) {
            EventLog.LOG.warn(
                    "job {} ({}) was completed by its transaction; its handler failed afterwards, which changes nothing: {}",
                    job.id(),
                    job.kind(),
                    ErrorText.of(error));
            log.add(job, "failed after its transaction had completed the job: " + ErrorText.firstLine(error));
        } else if (!(outcome instanceof Outcome.Completed)) {
            String wanted = outcome == null ? "nothing" : outcome.getClass().getSimpleName();
            EventLog.LOG.warn(
                    "job {} ({}) was completed by its transaction; the outcome {} that its handler returned afterwards is"
                            + " ignored",
                    job.id(),
                    job.kind(),
                    wanted);
            log.add(job, "returned " + wanted + " after its transaction had completed the job: ignored");
        }
    }

    /** The job waits, and will be run again from its beginning; but what its handler did after that must not vanish silently. */
    private void sayWhatWasCaught(Job job, @Nullable Throwable error) {
        if (!(error instanceof RunSuspended)) {
            EventLog.LOG.warn(
                    "job {} ({}) waits, so its run was over; its handler has caught RunSuspended and gone on, which changes nothing: let"
                            + " it pass",
                    job.id(),
                    job.kind());
            log.add(job, "went on after its run was over: the handler has caught RunSuspended");
        }
    }

    /** {@return that it is too late} */
    static Verdict expired(HeldJob held) {
        return new Verdict.Cancelled("expired: it was to begin before "
                + held.job().expiresAt().map(Instant::toString).orElse("now"));
    }

    /**
     * Its start may have been announced, and it may still be ours: then it is given back, or it would lose an attempt.
     */
    static Verdict neverBegun(HeldJob held) {
        return held.stopped() == HeldJob.Stop.CANCELLED
                ? new Verdict.Cancelled("cancelled before its handler started")
                : new Verdict.GiveBack();
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
            return judge.failed(
                    job,
                    "timed out after " + Spoken.of(Objects.requireNonNullElse(held.limit(), Duration.ZERO)) + "\n"
                            + ErrorText.of(error),
                    options.retryPolicy());
        }
        String unkept = held.unkept();
        if (unkept != null) {
            return judge.judge(
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
        return judge.failed(job, ErrorText.of(error), options.retryPolicy());
    }
}
