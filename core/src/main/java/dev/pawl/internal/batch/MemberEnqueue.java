package dev.pawl.internal.batch;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Enqueues jobs of batches: only into open batches, and as paused jobs while a batch waits for its first jobs. */
final class MemberEnqueue implements EnqueueHook {
    private final Membership membership;

    MemberEnqueue(Dialect dialect) {
        this.membership = new Membership(dialect);
    }

    @Override
    public boolean concerns(JobRequest job) {
        return Membership.isMember(job);
    }

    @Override
    public Enqueuing before(Connection connection, List<JobRequest> jobs) throws SQLException {
        Membership.Open open = membership.requireOpen(connection, jobs);
        Membership.Written written = membership.written(connection, jobs, open.held());
        return new Enqueuing() {
            @Override
            public List<JobRequest> jobs() {
                return written.jobs();
            }

            @Override
            public void after(Connection same, List<EnqueueResult> results) throws SQLException {
                membership.note(same, jobs, results);
                membership.releaseInstead(same, jobs, written, results);
                membership.cancelRest(same, open.stopped());
            }
        };
    }
}
