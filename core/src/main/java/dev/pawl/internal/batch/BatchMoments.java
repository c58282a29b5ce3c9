package dev.pawl.internal.batch;

import dev.pawl.internal.feature.WorkMoment;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.WorkSource;
import dev.pawl.internal.store.WorkSource.By;
import java.util.List;

/** The next times at which batches and workflows have work for a worker, regardless of the worker's queues. */
public final class BatchMoments {
    /** Batches or nodes of workflows have jobs to release or cancel. */
    public static final WorkSource PENDING_ACTIONS = new WorkSource("BATCHES", By.DUTY);

    /** The pause of a batch has ended: workers that did not know yet may have paused more of its jobs. */
    public static final WorkSource ENDED_PAUSES = new WorkSource("ENDED_PAUSES", By.DUTY);

    private BatchMoments() {}

    /**
     * The moments of batches. The row of a pause is deleted, or the time of its end if the batch waits for its first jobs, when all workers
     * have learned that the pause has ended, and no job is to be released any more.
     */
    static List<WorkMoment> ofBatches() {
        return List.of(
                pending("pawl_batch_count"),
                new WorkMoment(
                        ENDED_PAUSES,
                        query -> query.add(
                                ENDED_PAUSES,
                                "MIN(COALESCE(" + query.dialect().micros("released_at") + " + "
                                        + Micros.of(BatchPauses.END_KNOWN) + ", 0))",
                                "FROM pawl_batch_pause WHERE " + BatchPauses.PAUSE_ENDED)));
    }

    static List<WorkMoment> ofWorkflows() {
        return List.of(pending("pawl_node"));
    }

    private static WorkMoment pending(String table) {
        return new WorkMoment(
                PENDING_ACTIONS,
                query -> query.add(PENDING_ACTIONS, "MIN(0)", "FROM " + table + " WHERE pending_action > 0"));
    }
}
