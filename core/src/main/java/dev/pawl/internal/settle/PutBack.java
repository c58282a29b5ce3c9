package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Makes claimed jobs wait again. This transaction has locked their rows and checked their leases. */
final class PutBack {
    /** Undoes everything that a claim has written, except the attempt and the token. */
    private static final String UNCLAIM =
            "leased_by = NULL, started_at = NULL, lease_expires_at = NULL, progress = NULL, prefetched = ?";

    /**
     * A job to be tried again later.
     *
     * @param id the job
     * @param delay from now
     * @param refund how many attempts are taken back, 0 or 1
     */
    record Later(long id, Duration delay, int refund) {}

    private final Dialect dialect;
    private final Sql later;

    PutBack(Dialect dialect) {
        this.dialect = dialect;
        later = dialect.planned("UPDATE pawl_job SET " + RowStates.CLAIMABLE + ", " + UNCLAIM
                + ", attempt = attempt - ?, available_at = " + dialect.nowPlusMicros() + " WHERE id = ?");
    }

    void later(Connection connection, List<Later> jobs) throws SQLException {
        if (jobs.isEmpty()) {
            return;
        }
        later.batch(connection, jobs, job -> Sql.values(false, job.refund, Micros.of(job.delay), job.id));
    }

    /** Puts claimed jobs that did not start into a waiting state, which may differ from their state before the claim. */
    void unstarted(Connection connection, List<Long> ids, JobState state) throws SQLException {
        if (ids.isEmpty()) {
            return;
        }
        Sql sql = dialect.planned("UPDATE " + dialect.jobsById() + " SET " + RowStates.is(state) + ", " + UNCLAIM
                + ", attempt = attempt - 1 WHERE "
                + dialect.anyOf("id", ids.size()));
        sql.on(connection, false, ids).run();
    }
}
