package dev.pawl.internal.result;

import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.KeptStates;
import java.util.List;
import java.util.Optional;

/** Stores the results of completed jobs. */
public final class ResultFeature implements Feature {
    @Override
    public String name() {
        return "results";
    }

    @Override
    public List<JobLink> links() {
        return List.of(JobLink.partOfJob("pawl_result", "written_at"));
    }

    @Override
    public Optional<CompletionHook> completionHook(Dialect dialect, KeptStates kept) {
        return Optional.of(new ResultCompletion(dialect, kept));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("only a completed run has a result");
        return switch (transition) {
            case COMPLETE -> Decision.hook("CompletionHook writes the result");
            case REVIVE ->
                Decision.unaffected("a result belongs to a run, by its lease token; the next run writes its own");
            case PRUNE, DELETE, ERASE -> Decision.deleteRows();
            case CANCEL -> Decision.unaffected("an existing result is kept as long as the job");
            case ENQUEUE, REPLACE, MERGE, UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, RENEW -> unaffected;
            case ASSIGN, FAIL, DISCARD, STOP, SNOOZE, WAIT, SIGNAL, RELEASE, RESCUE, SWEEP, ASK_TO_STOP -> unaffected;
            case RETRY, MOVE, EDIT, RESCHEDULE, PRIORITIZE -> unaffected;
        };
    }
}
