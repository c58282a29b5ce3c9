package dev.pawl.internal.stack;

import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import java.util.List;

/** Shows stack traces of runs on request. */
public final class StackFeature implements Feature {
    @Override
    public String name() {
        return "stack traces";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.mentionsJob(
                "pawl_stack", "job_id", "a stack names only code; a later request deletes it when it is an hour old"));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("a request is about one run, by its lease token");
        return switch (transition) {
            case RENEW ->
                Decision.kernel("a worker reads requests with the cancellations, and reports the stack of a run");
            case PRUNE, DELETE, ERASE ->
                Decision.unaffected("a stack names only code; a later request deletes it when it is an hour old");
            case ENQUEUE, REPLACE, MERGE, UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, ASSIGN -> unaffected;
            case COMPLETE, FAIL, DISCARD, STOP, SNOOZE, WAIT, SIGNAL, RELEASE, RESCUE, SWEEP, CANCEL -> unaffected;
            case ASK_TO_STOP, RETRY, REVIVE, MOVE, EDIT, RESCHEDULE, PRIORITIZE -> unaffected;
        };
    }
}
