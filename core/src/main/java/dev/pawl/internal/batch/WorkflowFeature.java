package dev.pawl.internal.batch;

import dev.pawl.admin.WaitReason;
import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.feature.WaitingJob;
import dev.pawl.internal.feature.WorkMoment;
import java.sql.SQLException;
import java.util.List;

/** Workflows: graphs of batches. Their tables name no job. */
public final class WorkflowFeature implements Feature {
    @Override
    public String name() {
        return "workflows";
    }

    @Override
    public List<JobLink> links() {
        return List.of();
    }

    @Override
    public List<WaitReason> waitReasons(WaitingJob job) throws SQLException {
        return WorkflowReasons.of(job);
    }

    @Override
    public List<WorkMoment> workMoments() {
        return BatchMoments.ofWorkflows();
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected =
                Decision.unaffected("what happens to a job that has not ended, or is gone, changes no dependency");
        return switch (transition) {
            case START_NODE -> Decision.kernel("NextNodes makes the jobs of the node due");
            case COMPLETE, DISCARD, STOP, FAIL, SNOOZE, WAIT, RELEASE, RESCUE, CANCEL, ERASE ->
                Decision.hook("a node is a batch: the count of its last job starts the next nodes");
            case ENQUEUE -> Decision.kernel("NewWorkflows enqueues the jobs of later nodes as pending");
            case PAUSE, RESUME -> Decision.kernel("BatchPauses pauses and resumes the batches of all nodes");
            case REPLACE, MERGE, UNBLOCK, CLAIM, BEGIN, RENEW, ASSIGN, SIGNAL, SWEEP, ASK_TO_STOP -> unaffected;
            case RETRY, REVIVE, MOVE, EDIT, RESCHEDULE, PRIORITIZE, DELETE, PRUNE -> unaffected;
        };
    }
}
