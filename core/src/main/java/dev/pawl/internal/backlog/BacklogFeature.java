package dev.pawl.internal.backlog;

import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.EnqueueContext;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import java.util.List;
import java.util.Optional;

/** The maximum number of waiting jobs of a queue. It has no table that names jobs. */
public final class BacklogFeature implements Feature {
    @Override
    public String name() {
        return "backlog bounds";
    }

    @Override
    public List<JobLink> links() {
        return List.of();
    }

    @Override
    public Optional<EnqueueHook> enqueueHook(EnqueueContext context) {
        return Optional.of(new Backlogs(context));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("the bound is about new jobs, and the waiting ones are counted anew");
        return switch (transition) {
            case ENQUEUE -> Decision.hook("the job is refused before anything is written if the queue is full");
            case REPLACE, MERGE ->
                Decision.unaffected("the job is counted before it is known whether it replaces another");
            case UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, RENEW, ASSIGN, COMPLETE, FAIL -> unaffected;
            case DISCARD, STOP, SNOOZE, WAIT, SIGNAL, RELEASE, RESCUE, SWEEP, CANCEL, ASK_TO_STOP -> unaffected;
            case RETRY, REVIVE, MOVE, EDIT, RESCHEDULE, PRIORITIZE, DELETE, ERASE, PRUNE -> unaffected;
        };
    }
}
