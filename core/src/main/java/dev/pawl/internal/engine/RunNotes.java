package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunSuspended;
import org.jspecify.annotations.Nullable;

/** Logs what users should know about a run besides its verdict, in the log of the job and in the log of the program. */
final class RunNotes {
    private final RunLog log;
    private final EventLog program;

    /**
     * @param log the log of jobs
     * @param program the log of the program
     */
    RunNotes(RunLog log, EventLog program) {
        this.log = log;
        this.program = program;
    }

    /** Notes that a handler reported an outage. */
    void outage(Job job, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Unavailable unavailable) {
            log.add(job, "not available: " + unavailable.reason());
        } else if (outcome instanceof Outcome.KeyUnavailable unavailable) {
            log.add(job, "not available for its key: " + unavailable.reason());
        }
    }

    /** Notes a failure or outcome of a handler after its job was completed: the job stays completed, but this must not vanish silently. */
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

    /** Notes that a handler went on after its suspension: the job will run again from the beginning, but this must not vanish silently. */
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
