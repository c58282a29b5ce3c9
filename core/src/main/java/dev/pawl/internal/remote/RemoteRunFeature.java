package dev.pawl.internal.remote;

import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import java.util.List;

/** Stores which remote worker has which run. */
public final class RemoteRunFeature implements Feature {
    @Override
    public String name() {
        return "remote runs";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_assignment", "assigned_at"));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("a row is about one run, by its lease token");
        return switch (transition) {
            case ASSIGN -> Decision.kernel("Assignments names the remote worker of the run");
            case RELEASE -> Decision.kernel("Assignments forgets the remote worker that gives the run back");
            case PRUNE, DELETE, ERASE -> Decision.deleteRows();
            case CANCEL -> Decision.unaffected("its row is kept as long as the job");
            case ENQUEUE, REPLACE, MERGE, UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, RENEW -> unaffected;
            case COMPLETE, FAIL, DISCARD, STOP, SNOOZE, WAIT, SIGNAL, RESCUE, SWEEP, ASK_TO_STOP, RETRY -> unaffected;
            case REVIVE, MOVE, EDIT, RESCHEDULE, PRIORITIZE -> unaffected;
        };
    }
}
