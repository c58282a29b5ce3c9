package dev.pawl.internal.key;

import dev.pawl.admin.Finding;
import dev.pawl.admin.WaitReason;
import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.EnqueueContext;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.OrphanPolicy;
import dev.pawl.internal.feature.RowChanges;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.feature.WaitingJob;
import dev.pawl.internal.feature.WorkMoment;
import dev.pawl.internal.feature.WorkerSetting;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Concurrency keys: jobs of one key run in order, at most a set number at once. */
public final class ConcurrencyKeyFeature implements Feature {
    private static final String RELEASED = "KeyRelease, which follows the end of each job of the key, deletes the row";

    @Override
    public String name() {
        return "concurrency keys";
    }

    @Override
    public List<JobLink> links() {
        return List.of(
                new JobLink("pawl_keyed", "job_id", JobLink.Jobs.IN_ROWS, new OrphanPolicy.Ignore(RELEASED), ""));
    }

    @Override
    public Optional<EnqueueHook> enqueueHook(EnqueueContext context) {
        return Optional.of(new BlockedEnqueue(context.dialect()));
    }

    @Override
    public Optional<RowChanges> changes(Dialect dialect) {
        return Optional.of(new KeyChanges(dialect));
    }

    @Override
    public List<WaitReason> waitReasons(WaitingJob job) throws SQLException {
        return KeyReasons.of(job);
    }

    @Override
    public List<Finding> findings(Database database) throws SQLException {
        return KeyFindings.of(database);
    }

    @Override
    public List<WorkMoment> workMoments() {
        return KeyMoments.all();
    }

    @Override
    public List<WorkerSetting> workerSettings(Dialect dialect) {
        return List.of(new WorkerSetting(
                "keyed",
                "NULL",
                "NULL",
                "0",
                "FROM pawl_schema WHERE version = 1 AND (EXISTS (SELECT 1 FROM pawl_keyed)"
                        + " OR EXISTS (SELECT 1 FROM pawl_key WHERE has_in_flight = 1))",
                (row, settings) -> settings.keyed()));
    }

    @Override
    public Decision on(Transition transition) {
        return switch (transition) {
            case ENQUEUE -> Decision.hook("the job is written as blocked, with its place in the order of its key");
            case REPLACE, MERGE -> Decision.unaffected("a job with a concurrency key is not replaced");
            case UNBLOCK -> Decision.kernel("KeyRelease releases the first jobs of the key");
            case START_NODE, RESUME -> Decision.hook("a job with a key is blocked, and its key releases it");
            case SIGNAL ->
                Decision.hook("the job is blocked if its key is paused; a blocked job becomes due for its key at once");
            case PAUSE -> Decision.unaffected("a paused job has left the order of its key, or keeps its place in it");
            case COMPLETE, FAIL, DISCARD, STOP, SNOOZE, WAIT, RELEASE, RESCUE ->
                Decision.kernel("KeyKeeper schedules the key after the run, and KeyRelease derives from the jobs what "
                        + "may be released");
            case RETRY ->
                Decision.hook(
                        "unless the job is retried alone, it is blocked if its key is paused; a blocked job stays "
                                + "blocked, and becomes due for its key");
            case REVIVE -> Decision.hook("the job is blocked again, in its order, unless its node may not run yet");
            case RESCHEDULE -> Decision.hook("the job is blocked again, in the order of its new moment");
            case PRIORITIZE -> Decision.hook("the place in the order changes");
            case MOVE ->
                Decision.hook("the place moves to the key in the other queue; keys that become free are released");
            case CANCEL -> Decision.deleteRowsAfterJob();
            case ERASE -> Decision.deleteRowsAfterJob().andHook("what is kept about the keys is erased, too");
            case PRUNE, DELETE -> Decision.unaffected(RELEASED);
            case CLAIM, BEGIN, RENEW, ASSIGN, SWEEP, ASK_TO_STOP, EDIT ->
                Decision.unaffected("neither the key nor the order of its jobs changes");
        };
    }
}
