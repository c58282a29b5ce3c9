package dev.pawl.internal.joblog;

import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import java.util.List;

/** The log of a job: lines of its handler, and what people have changed. */
public final class JobLogFeature implements Feature {
    @Override
    public String name() {
        return "job log";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_job_log", "logged_at"));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("lines are about runs and edits, and the job keeps its id");
        return switch (transition) {
            case RELEASE, RESCUE -> Decision.kernel("the engine writes a line about the interruption");
            case EDIT, RESCHEDULE, PRIORITIZE ->
                Decision.kernel("Edits writes what the job was before, if one job is edited");
            case PRUNE, DELETE, ERASE -> Decision.deleteRows();
            case CANCEL -> Decision.unaffected("its log is kept as long as the job");
            case ENQUEUE, REPLACE, MERGE, UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, RENEW -> unaffected;
            case ASSIGN, COMPLETE, FAIL, DISCARD, STOP, SNOOZE, WAIT, SIGNAL, SWEEP, ASK_TO_STOP, RETRY -> unaffected;
            case REVIVE, MOVE -> unaffected;
        };
    }
}
