package dev.pawl.internal.retention;

import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import java.util.List;

/** Determines how long finished jobs are kept. Its table names no job. */
public final class RetentionFeature implements Feature {
    @Override
    public String name() {
        return "retention";
    }

    @Override
    public List<JobLink> links() {
        return List.of();
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("retention is about finished jobs");
        return switch (transition) {
            case PRUNE -> Decision.kernel("Pruner deletes by the rules of the program and of the queue");
            case COMPLETE, DISCARD, STOP, CANCEL, FAIL, SNOOZE, WAIT, RELEASE, RESCUE ->
                Decision.kernel("a finished job that is not kept never gets a row in the history");
            case SWEEP -> Decision.kernel("a completed job that is not kept is not swept into the history");
            case ENQUEUE, REPLACE, MERGE, UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, RENEW -> unaffected;
            case ASSIGN, SIGNAL, ASK_TO_STOP, RETRY, REVIVE, MOVE, EDIT, RESCHEDULE, PRIORITIZE, DELETE -> unaffected;
            case ERASE -> unaffected;
        };
    }
}
