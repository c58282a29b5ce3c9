package dev.pawl.internal.result;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.FinishedJob;
import dev.pawl.internal.settle.KeptStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/** Writes results, unless completed jobs are not kept. */
final class ResultCompletion implements CompletionHook {
    private final Dialect dialect;
    private final KeptStates kept;
    private final Sql insert;

    ResultCompletion(Dialect dialect, KeptStates kept) {
        this.dialect = dialect;
        this.kept = kept;
        this.insert =
                dialect.statement("INSERT INTO pawl_result (job_id, lease_token, written_at, result) VALUES (?, ?, "
                        + dialect.now() + ", ?)");
    }

    @Override
    public void afterCompletion(Connection connection, List<FinishedJob> ended) throws SQLException {
        List<FinishedJob> results = ended.stream()
                .filter(job -> job.result() != null)
                .sorted((one, other) -> Long.compare(one.jobId(), other.jobId()))
                .toList();
        if (!results.isEmpty() && kept.keeps(connection, JobState.COMPLETED)) {
            insert.batch(connection, results, job -> {
                dialect.requireFits(connection, Objects.requireNonNull(job.result()));
                return Sql.values(job.jobId(), job.token(), job.result());
            });
        }
    }
}
