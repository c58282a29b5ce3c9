package dev.pawl.internal.key;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Enqueues jobs with concurrency keys as blocked. */
final class BlockedEnqueue implements EnqueueHook {
    private final BlockedRows rows;

    BlockedEnqueue(Dialect dialect) {
        this.rows = new BlockedRows(dialect);
    }

    @Override
    public boolean concerns(JobRequest job) {
        return BlockedRows.isKeyed(job);
    }

    @Override
    public Enqueuing before(Connection connection, List<JobRequest> jobs) {
        List<JobRequest> blocked = jobs.stream().map(BlockedRows::blocked).toList();
        return new Enqueuing() {
            @Override
            public List<JobRequest> jobs() {
                return blocked;
            }

            @Override
            public void after(Connection same, List<EnqueueResult> results) throws SQLException {
                rows.note(same, jobs, results);
            }
        };
    }
}
