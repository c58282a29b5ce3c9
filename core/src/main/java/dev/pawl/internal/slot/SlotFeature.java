package dev.pawl.internal.slot;

import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import java.util.List;

/** Slots: values that jobs reserve and use once. */
public final class SlotFeature implements Feature {
    @Override
    public String name() {
        return "slots";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.mentionsJob(
                "pawl_slot", "job_id", "a used value is never issued again, and a reservation expires by itself"));
    }

    @Override
    public Decision on(Transition transition) {
        return switch (transition) {
            case PRUNE, DELETE, ERASE ->
                Decision.unaffected("a used value is never issued again, and a reservation expires by itself");
            case ENQUEUE,
                    REPLACE,
                    MERGE,
                    UNBLOCK,
                    START_NODE,
                    PAUSE,
                    RESUME,
                    CLAIM,
                    BEGIN,
                    RENEW,
                    ASSIGN,
                    COMPLETE,
                    FAIL,
                    DISCARD,
                    STOP,
                    SNOOZE,
                    WAIT,
                    SIGNAL,
                    RELEASE,
                    RESCUE,
                    SWEEP,
                    CANCEL,
                    ASK_TO_STOP,
                    RETRY,
                    REVIVE,
                    MOVE,
                    EDIT,
                    RESCHEDULE,
                    PRIORITIZE ->
                Decision.unaffected(
                        "handlers reserve and use values through their run; nothing follows the state of the job");
        };
    }
}
