package dev.pawl.internal.step;

import dev.pawl.admin.WaitReason;
import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.feature.WaitingJob;
import java.sql.SQLException;
import java.util.List;

/** Stores steps, signals and sleeps of handlers. */
public final class StepFeature implements Feature {
    @Override
    public String name() {
        return "steps";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_step", "written_at").begunIf("place > 0"));
    }

    @Override
    public List<WaitReason> waitReasons(WaitingJob job) throws SQLException {
        return StepReasons.of(job);
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected =
                Decision.unaffected("completed steps stay until the job is deleted, so that the next run skips them");
        return switch (transition) {
            case REPLACE, MERGE -> Decision.kernel("the link shows which jobs have begun; they are not replaced");
            case ENQUEUE ->
                Decision.kernel("the link shows which jobs have begun; they do not count as waiting for a unique key");
            case WAIT -> Decision.kernel("SqlSteps has written what the job waits for");
            case SIGNAL -> Decision.kernel("Signals writes the signal for the next run");
            case PRUNE, DELETE, ERASE -> Decision.deleteRows();
            case CANCEL -> Decision.unaffected("completed steps are kept as long as the job");
            case UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, RENEW, ASSIGN, COMPLETE, FAIL -> unaffected;
            case DISCARD, STOP, SNOOZE, RELEASE, RESCUE, SWEEP, ASK_TO_STOP, RETRY, REVIVE, MOVE, EDIT -> unaffected;
            case RESCHEDULE, PRIORITIZE -> unaffected;
        };
    }
}
