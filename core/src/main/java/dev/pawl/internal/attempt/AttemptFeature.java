package dev.pawl.internal.attempt;

import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import java.util.List;

/** Attempts that failed, each with its error. */
public final class AttemptFeature implements Feature {
    @Override
    public String name() {
        return "failed attempts";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_attempt", "failed_at"));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("errors are about runs that have ended, and the job keeps its id");
        return switch (transition) {
            case FAIL, DISCARD, RESCUE -> Decision.kernel("Settle writes the error of the attempt");
            case PRUNE, DELETE, ERASE -> Decision.deleteRows();
            case CANCEL -> Decision.unaffected("its failed attempts are kept as long as the job");
            case COMPLETE, STOP, SNOOZE, WAIT, RELEASE -> Decision.unaffected("no attempt has failed");
            case ENQUEUE, REPLACE, MERGE, UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, RENEW -> unaffected;
            case ASSIGN, SIGNAL, SWEEP, ASK_TO_STOP, RETRY, REVIVE, MOVE, EDIT, RESCHEDULE, PRIORITIZE -> unaffected;
        };
    }
}
