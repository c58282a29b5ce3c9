package dev.pawl.internal.batch;

import dev.pawl.admin.WaitReason;
import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.DutyContext;
import dev.pawl.internal.feature.EnqueueContext;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Pruning;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.feature.WaitingJob;
import dev.pawl.internal.feature.WorkMoment;
import dev.pawl.internal.feature.WorkerSetting;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.Duty;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Batches and workflows. */
public final class BatchFeature implements Feature {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Override
    public String name() {
        return "batches";
    }

    @Override
    public List<JobLink> links() {
        return List.of(
                JobLink.mentionsJob("pawl_batch_job", "job_id", "the list of a batch is deleted with the batch"));
    }

    @Override
    public Optional<EnqueueHook> enqueueHook(EnqueueContext context) {
        return Optional.of(new MemberEnqueue(context.dialect()));
    }

    @Override
    public List<WaitReason> waitReasons(WaitingJob job) throws SQLException {
        return BatchReasons.of(job);
    }

    @Override
    public Optional<Pruning> pruning(Database database) {
        return Optional.of(new OldBatches(database));
    }

    @Override
    public List<WorkMoment> workMoments() {
        return BatchMoments.ofBatches();
    }

    @Override
    public List<Duty> duties(DutyContext context) {
        BatchPauses pauses = new BatchPauses(context.database(), context.notice());
        return List.of(new Duty(
                "release jobs of batches whose pause has ended",
                SECOND,
                Duty.WhileSuspended.wakesFor(BatchMoments.ENDED_PAUSES),
                new EndedPauses(pauses::sweep)));
    }

    @Override
    public List<WorkerSetting> workerSettings(Dialect dialect) {
        return List.of(
                new WorkerSetting(
                        "paused batch",
                        "NULL",
                        "NULL",
                        "batch_id",
                        "FROM pawl_batch_pause WHERE paused_at IS NOT NULL",
                        (row, settings) -> settings.paused(row.number())),
                new WorkerSetting(
                        "stopped batch",
                        "NULL",
                        "NULL",
                        "batch_id",
                        "FROM pawl_batch_count WHERE pending_action = 1",
                        (row, settings) -> settings.stopped(row.number())));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("the job stays in its batch, which counts only finished jobs");
        return switch (transition) {
            case ENQUEUE -> Decision.hook("the batch must be open, and lists the job");
            case REPLACE, MERGE -> Decision.unaffected("a job of a batch is not replaced");
            case PAUSE -> Decision.kernel("BatchFilter pauses the claimed job");
            case RESUME -> Decision.kernel("BatchPauses releases the paused jobs of the batch");
            case CLAIM -> Decision.kernel("BatchFilter decides whether the batch of the job is paused or stopped");
            case COMPLETE, DISCARD, STOP ->
                Decision.hook("CompletionHook counts the job, and enqueues the callback of the last one");
            case FAIL, SNOOZE, WAIT, RELEASE, RESCUE ->
                Decision.hook("CompletionHook counts the job if it was cancelled or discarded instead");
            case CANCEL, ERASE -> Decision.hook("CompletionHook counts the job as cancelled");
            case REVIVE -> Decision.hook("CompletionHook uncounts the job");
            case PRUNE, DELETE -> Decision.unaffected("the list of a batch is deleted with the batch");
            case UNBLOCK, START_NODE, BEGIN, RENEW, ASSIGN, SIGNAL, SWEEP, ASK_TO_STOP, RETRY, MOVE -> unaffected;
            case EDIT, RESCHEDULE, PRIORITIZE -> unaffected;
        };
    }
}
