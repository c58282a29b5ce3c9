package dev.pawl.internal.unique;

import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.EnqueueContext;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.OrphanPolicy;
import dev.pawl.internal.feature.Pruning;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.jdbc.Database;
import java.util.List;
import java.util.Optional;

/**
 * Unique keys. A key that is held for a time, or in another scope than {@code UniqueWhile.LIVE}, has a row of its own. Any other key is
 * only in a column of its job.
 */
public final class UniqueKeyFeature implements Feature {
    private static final String OUTLIVES =
            "a key may be held longer than its job is kept; it is deleted when its time has passed";

    @Override
    public String name() {
        return "unique keys";
    }

    @Override
    public List<JobLink> links() {
        return List.of(
                new JobLink("pawl_unique", "job_id", JobLink.Jobs.IN_ROWS, new OrphanPolicy.Ignore(OUTLIVES), ""));
    }

    @Override
    public Optional<EnqueueHook> enqueueHook(EnqueueContext context) {
        return Optional.of(new UniqueEnqueue(context));
    }

    @Override
    public Optional<Pruning> pruning(Database database) {
        return Optional.of(new ExpiredUniqueKeys(database));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("a key belongs to the kind of its job, which never changes");
        return switch (transition) {
            case ENQUEUE ->
                Decision.hook("the job is written in statements of its own, and with it the row of its key");
            case REPLACE, MERGE -> Decision.unaffected("the job that has the key is written again, and keeps it");
            case CLAIM, BEGIN ->
                Decision.unaffected(
                        "a job that has begun no longer counts as waiting, which the next enqueue reads from its state");
            case REVIVE -> Decision.kernel("JobCommands refuses a job if a live one has its key");
            case ERASE ->
                Decision.removeRows("the keys of the jobs are deleted by their names", ErasedUniqueKeys::delete);
            case PRUNE, DELETE, CANCEL -> Decision.unaffected(OUTLIVES);
            case COMPLETE, DISCARD, STOP ->
                Decision.unaffected(
                        "a key of scope live without a time goes with the job's row; any other key is held by its time or scope");
            case UNBLOCK, START_NODE, PAUSE, RESUME, RENEW, ASSIGN, FAIL, SNOOZE, WAIT, SIGNAL, RELEASE -> unaffected;
            case RESCUE, SWEEP, ASK_TO_STOP, RETRY, MOVE, EDIT, RESCHEDULE, PRIORITIZE -> unaffected;
        };
    }
}
