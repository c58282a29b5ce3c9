package dev.pawl.internal.batch;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.FinishedJob;
import dev.pawl.internal.settle.KeptStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Writes results, then counts of batches: rows that no other transaction locks come first. */
public final class BatchCompletion implements CompletionHook {
    private final boolean isPatient;
    private final Dialect dialect;
    private final KeptStates kept;
    private final BatchCounts counts;
    private final Sql insert;

    /**
     * @param dialect the product
     * @param kept whether completed jobs, and with them their results, are kept
     * @param counts of batches
     */
    public BatchCompletion(Dialect dialect, KeptStates kept, BatchCounts counts) {
        this(
                true,
                kept,
                counts,
                dialect,
                dialect.statement("INSERT INTO pawl_result (job_id, lease_token, written_at, result) VALUES (?, ?, "
                        + dialect.now() + ", ?)"));
    }

    private BatchCompletion(boolean isPatient, KeptStates kept, BatchCounts counts, Dialect dialect, Sql insert) {
        this.dialect = dialect;
        this.isPatient = isPatient;
        this.kept = kept;
        this.counts = counts;
        this.insert = insert;
    }

    @Override
    public CompletionHook impatient() {
        return new BatchCompletion(false, kept, counts, dialect, insert);
    }

    @Override
    public void afterCompletion(Connection connection, List<FinishedJob> ended) throws SQLException {
        List<FinishedJob> results = ended.stream()
                .filter(job -> job.result() != null)
                .sorted((one, other) -> Long.compare(one.jobId(), other.jobId()))
                .toList();
        if (!results.isEmpty() && kept.keeps(connection, JobState.COMPLETED)) {
            write(connection, results);
        }
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

    private void write(Connection connection, List<FinishedJob> results) throws SQLException {
        insert.batch(connection, results, job -> {
            dialect.requireFits(connection, Objects.requireNonNull(job.result()));
            return Sql.values(job.jobId(), job.token(), job.result());
        });
    }
}
