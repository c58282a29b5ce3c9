package dev.pawl.internal.key;

import dev.pawl.admin.JobFilter;
import dev.pawl.internal.feature.JobTable;
import dev.pawl.internal.feature.RemovedJobs;
import dev.pawl.internal.feature.RowChanges;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.JobKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adjusts blocked jobs, and their order within their concurrency keys, when people change jobs. Confined to one call. */
final class KeyChanges implements RowChanges {
    /** Number of keys that are released in one transaction. */
    private static final int RELEASED_TOGETHER = 100;
    /** Number of keys for whose release the caller waits; workers release the rest. */
    private static final int MAX_RELEASED = 1_000;
    /** Number of keys whose rows are erased together. */
    private static final int ERASED_TOGETHER = 500;

    private static final Logger LOG = LoggerFactory.getLogger(KeyChanges.class);

    private final KeyedJobs keyed;
    private final Set<JobKey> toRelease = new LinkedHashSet<>();
    private final Set<String> erased = new HashSet<>();

    KeyChanges(Dialect dialect) {
        this.keyed = new KeyedJobs(dialect);
    }

    @Override
    public void moving(Connection connection, List<Long> ids, String queue) throws SQLException {
        toRelease.addAll(keyed.move(connection, ids, queue));
    }

    /** Releases keys only when all jobs have been moved, so that the jobs of each key are released in order. */
    @Override
    public Set<String> afterMoves(Database database) {
        return release(database, RELEASED_TOGETHER);
    }

    /** @param together keys in one transaction */
    private Set<String> release(Database database, int together) {
        if (toRelease.isEmpty()) {
            return Set.of();
        }
        SqlKeys keys = new SqlKeys(database);
        List<JobKey> all = List.copyOf(toRelease);
        Set<String> queues = new HashSet<>();
        for (int from = 0; from < Math.min(MAX_RELEASED, all.size()); from += together) {
            try {
                queues.addAll(keys.releaseJobs(all.subList(from, Math.min(all.size(), from + together)))
                        .queues());
            } catch (SQLException e) {
                LOG.debug("the release of keys whose jobs were moved or resumed is left to workers", e);
            }
        }
        return queues;
    }

    /**
     * A blocked job stays in the line of its key, where other jobs may come first. A job that is not blocked becomes blocked if its key is
     * paused.
     */
    @Override
    public void signalled(Connection connection, long jobId, boolean isBlocked) throws SQLException {
        if (isBlocked) {
            keyed.dueNow(connection, jobId);
        } else {
            keyed.blockIfKeyPaused(connection, List.of(jobId));
        }
    }

    @Override
    public void started(Connection connection, List<Long> ids, boolean anyKey) throws SQLException {
        if (anyKey) {
            Set<JobKey> unused = keyed.block(connection, ids);
        }
    }

    @Override
    public void pending(Connection connection, List<Long> ids, boolean anyKey) throws SQLException {
        if (anyKey) {
            keyed.forget(connection, ids);
        }
    }

    /** Puts the jobs back into the line of their keys. */
    @Override
    public void resumed(Connection connection, List<Long> ids) throws SQLException {
        toRelease.addAll(keyed.block(connection, ids));
    }

    @Override
    public Set<String> afterResumes(Database database) {
        return release(database, toRelease.size());
    }

    @Override
    public void prioritizing(Connection connection, List<Long> ids, int priority) throws SQLException {
        keyed.prioritize(connection, ids, priority);
    }

    @Override
    public void rescheduled(Connection connection, List<Long> ids) throws SQLException {
        keyed.block(connection, ids);
    }

    @Override
    public void retried(Connection connection, List<Long> ids) throws SQLException {
        keyed.blockIfKeyPaused(connection, ids);
        keyed.bringForward(connection, ids);
    }

    /** Otherwise the row of a delayed job would stay until the old time, even if the job has ended. */
    @Override
    public void unblocked(Connection connection, long jobId) throws SQLException {
        keyed.dueNow(connection, jobId);
    }

    @Override
    public void revived(Connection connection, List<Long> ids) throws SQLException {
        keyed.block(connection, ids);
    }

    @Override
    public void erasing(RemovedJobs jobs) throws SQLException {
        JobTable table = jobs.table();
        if (table != null) {
            erased.addAll(keyed.keys(jobs.connection(), table.usual(), jobs.ids()));
        }
    }

    @Override
    public void afterPage(Database database, JobFilter filter) throws SQLException {
        if (erased.size() > ERASED_TOGETHER) {
            eraseKeys(database, filter);
        }
    }

    @Override
    public void afterErasures(Database database, JobFilter filter) throws SQLException {
        if (filter.key() != null) {
            erased.add(filter.key()); // its last job may have been pruned long ago
        }
        if (!erased.isEmpty()) {
            eraseKeys(database, filter);
        }
    }

    /** Erases the rows of keys, too: a row may outlive its jobs (to remember a rate, for example), and would still show the key's name. */
    private void eraseKeys(Database database, JobFilter filter) throws SQLException {
        new SqlKeys(database).erase(erased, filter.queues()::fits);
        erased.clear();
    }
}
