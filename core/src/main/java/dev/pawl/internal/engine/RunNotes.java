package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunSuspended;
import org.jspecify.annotations.Nullable;

/** What people are told about a run besides its verdict, in the log of its job and in that of the program. */
final class RunNotes {
    private final RunLog log;
    private final EventLog program;

    /**
     * @param log of jobs
     * @param program its log
     */
    RunNotes(RunLog log, EventLog program) {
        this.log = log;
        this.program = program;
    }

    /** A handler reported an outage. */
    void outage(Job job, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Unavailable unavailable) {
            log.add(job, "not available: " + unavailable.reason());
        } else if (outcome instanceof Outcome.KeyUnavailable unavailable) {
            log.add(job, "not available for its key: " + unavailable.reason());
        }
    }

    /** The job stays completed, but a later failure or outcome of its handler must not vanish silently. */
    void ignoredOutcome(Job job, @Nullable Outcome outcome, @Nullable Throwable error) {
        if (error != null) {
            program.failedAfterCommit(job, error);
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

    /** The job is suspended and will run again from its beginning, but what its handler did afterwards must not vanish silently. */
    void caughtSuspension(Job job, @Nullable Throwable error) {
        if (!(error instanceof RunSuspended)) {
            EventLog.LOG.warn(
                    "job {} ({}) is suspended; its handler has caught RunSuspended and gone on, which has no effect: do not catch it",
                    job.id(),
                    job.kind());
            log.add(job, "went on after its suspension: the handler has caught RunSuspended");
        }
    }
}
