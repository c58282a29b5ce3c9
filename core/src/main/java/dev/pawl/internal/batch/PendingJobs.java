package dev.pawl.internal.batch;

import dev.pawl.api.JobState;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.feature.Notice;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Pending jobs of workflow nodes: rows like others, in a state of their own. Skips locked rows, because the caller has
 * locked rows of batches, which come after those of jobs in the lock order.
 */
final class PendingJobs {
    private final Dialect dialect;
    private final LinkedRows linked;
    private final Notice notice;

    PendingJobs(Dialect dialect, Notice notice) {
        this.dialect = dialect;
        this.linked = LinkedRows.installed(dialect);
        this.notice = notice;
    }

    private record Found(List<Long> ids, Set<String> queues, boolean anyKey) {}

    /**
     * Makes those of the jobs available that are pending.
     *
     * @return how many were made available; locked jobs are left out
     */
    int release(Connection connection, List<Long> jobs) throws SQLException {
        if (jobs.isEmpty()) {
            return 0;
        }
        Found found = lock(connection, jobs, JobState.PENDING);
        if (found.ids.isEmpty()) {
            return 0;
        }
        Sql sql = dialect.planned("UPDATE pawl_job SET " + RowStates.CLAIMABLE + ", available_at = " + dialect.now()
                + " WHERE " + dialect.anyOf("id", found.ids.size()));
        sql.on(connection, found.ids).run();
        linked.changes().started(connection, found.ids, found.anyKey);
        notice.send(connection, found.queues);
        return found.ids.size();
    }

    /** Locks the rows of those of the jobs that are pending, and returns their ids. */
    List<Long> lockPending(Connection connection, List<Long> jobs) throws SQLException {
        return lock(connection, jobs, JobState.PENDING).ids;
    }

    /** Makes jobs pending again that were retried before their node may start. */
    void makePending(Connection connection, List<Long> jobs) throws SQLException {
        if (jobs.isEmpty()) {
            return;
        }
        Found found = lock(connection, jobs, JobState.AVAILABLE, JobState.BLOCKED, JobState.PAUSED);
        if (found.ids.isEmpty()) {
            return;
        }
        Sql sql = dialect.planned("UPDATE pawl_job SET " + RowStates.is(JobState.PENDING) + " WHERE "
                + dialect.anyOf("id", found.ids.size()));
        sql.on(connection, found.ids).run();
        linked.changes().pending(connection, found.ids, found.anyKey);
    }

    private Found lock(Connection connection, List<Long> jobs, JobState... states) throws SQLException {
        Sql sql = dialect.planned("SELECT id, queue, CASE WHEN job_key IS NULL THEN 0 ELSE 1 END FROM "
                + dialect.jobsById() + " WHERE " + dialect.anyOf("id", jobs.size()) + " AND " + dialect.isIn(states)
                + " " + dialect.skipLocked());
        return sql.on(connection, jobs).query(rows -> {
            List<Long> ids = new ArrayList<>();
            Set<String> queues = new HashSet<>();
            boolean anyKey = false;
            while (rows.next()) {
                ids.add(rows.getLong(1));
                queues.add(rows.getString(2));
                anyKey |= rows.getInt(3) == 1;
            }
            return new Found(ids, queues, anyKey);
        });
    }

    /** {@return the jobs of some nodes, up to a limit, ordered by id} */
    List<Long> ofNodes(Connection connection, List<Long> nodes, long after, int limit) throws SQLException {
        Sql sql = dialect.planned("SELECT job_id FROM pawl_batch_job WHERE " + dialect.anyOf("batch_id", nodes.size())
                + " AND job_id > ? ORDER BY job_id LIMIT ?");
        return sql.on(connection, nodes, after, limit).longs();
    }

    /** {@return whether a job of a node is pending} */
    boolean any(Connection connection, long node) throws SQLException {
        Sql sql = dialect.planned("SELECT 1 FROM pawl_batch_job b WHERE b.batch_id = ? AND " + stateOfMember() + " = "
                + JobState.PENDING.code() + " LIMIT 1");
        return sql.on(connection, node).exists();
    }

    /** {@return an SQL expression for the state of the job in the row {@code b} of {@code pawl_batch_job}; NULL if the job has no row} */
    private static String stateOfMember() {
        return "(SELECT j.state FROM pawl_job j WHERE j.id = b.job_id)";
    }
}
