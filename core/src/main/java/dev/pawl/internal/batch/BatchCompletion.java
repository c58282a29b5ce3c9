package dev.pawl.internal.batch;

import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.FinishedJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts finished jobs of batches, and uncounts jobs that are revived. */
public final class BatchCompletion implements CompletionHook {
    private final boolean isPatient;
    private final BatchCounts counts;

    /**
     * @param counts of batches
     */
    public BatchCompletion(BatchCounts counts) {
        this(true, counts);
    }

    private BatchCompletion(boolean isPatient, BatchCounts counts) {
        this.isPatient = isPatient;
        this.counts = counts;
    }

    @Override
    public CompletionHook withoutWaiting() {
        return new BatchCompletion(false, counts);
    }

    @Override
    public void afterCompletion(Connection connection, List<FinishedJob> ended) throws SQLException {
        TreeMap<Long, Tally> batches = new TreeMap<>();
        Map<Long, List<Long>> revived = new HashMap<>();
        for (FinishedJob job : ended) {
            if (job.batch() != 0) {
                batches.merge(job.batch(), Tally.of(job.state(), job.livesAgain() ? -1 : 1), Tally::plus);
                if (job.livesAgain()) {
                    revived.computeIfAbsent(job.batch(), id -> new ArrayList<>())
                            .add(job.jobId());
                }
            }
        }
        counts.count(connection, batches, revived, isPatient);
    }
}
