package dev.pawl.internal.database.mysql;

import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.internal.enqueue.JobValues;
import dev.pawl.internal.enqueue.LiveJobs;
import dev.pawl.internal.feature.LiveJob;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes jobs with unique keys. An INSERT that InnoDB refuses keeps a shared lock, until the caller's transaction ends,
 * on the index entry of the existing job and on the gap before it: that job could not be completed, jobs without a key
 * that sort there could not be inserted, and two such transactions would deadlock, even at READ COMMITTED. So a plain
 * read comes first, and the job is inserted only if that finds no job with the key.
 */
final class MySqlUniqueKeys {
    private final MySqlDialect dialect;
    private final JobValues values;
    private final JobIds ids;
    private final LiveJobs liveJobs;
    private final UniqueKeyLocks locks = new UniqueKeyLocks();
    private final Sql current;
    private final Sql pass;
    private final Sql lock;

    MySqlUniqueKeys(MySqlDialect dialect) {
        this.dialect = dialect;
        this.values = new JobValues(dialect);
        this.ids = new JobIds(dialect);
        this.liveJobs = new LiveJobs(dialect);
        current = dialect.statement("SELECT id FROM pawl_job FORCE INDEX (pawl_job_unique_key)"
                + " WHERE kind = ? AND unique_key = ? LOCK IN SHARE MODE");
        String state = "SELECT " + LiveJobs.columns(dialect) + " FROM pawl_job WHERE id = ? ";
        pass = dialect.statement(state + dialect.skipLocked());
        lock = dialect.statement(state + dialect.forUpdate());
    }

    /** See {@link dev.pawl.internal.feature.InsertJobs#insertUnique}. */
    @Nullable
    LiveJob insert(Connection connection, JobRequest job, boolean staleRead) throws SQLException {
        LiveJob live = staleRead ? null : liveJobs.find(connection, job);
        if (live != null) {
            return live;
        }
        try (UniqueKeyLocks.KeyLock keyLock = locks.acquire(job)) {
            live = keyLock.waited() && !staleRead ? liveJobs.find(connection, job) : null;
            return live != null ? live : LiveJob.written(insertOne(connection, job));
        } catch (SQLException e) {
            if (Fault.of(e) != Fault.UNIQUE) {
                throw e;
            }
            return existing(connection, job);
        }
    }

    private long insertOne(Connection connection, JobRequest job) throws SQLException {
        List<Long> ids = this.ids.draw(connection, 1);
        values.insert(connection, List.of(job), ids);
        return ids.get(0);
    }

    /**
     * Reads the job that has the key. It was not found before, because another transaction was faster, or because this one reads an old
     * snapshot. A locking read finds the job even if the snapshot does not show it. The lock that the refused INSERT keeps already prevents
     * the completion of the job. So the row is locked as well, because the job's worker skips a locked row, and does not delay the other
     * outcomes that it records.
     */
    private @Nullable LiveJob existing(Connection connection, JobRequest job) throws SQLException {
        Long id = currentId(connection, job);
        if (id == null) {
            return null;
        }
        if (job.options().onDuplicate() == OnDuplicate.KEEP) {
            LiveJob seen = dialect.skipLockedWorks() ? read(connection, pass, id) : null;
            return new LiveJob(id, LiveJob.Phase.KEPT, false, seen == null ? null : seen.expiredAt());
        }
        return read(connection, lock, id);
    }

    private @Nullable Long currentId(Connection connection, JobRequest job) throws SQLException {
        return current.on(connection, job.kind(), job.options().uniqueKey())
                .first(row -> row.getLong(1))
                .orElse(null);
    }

    private @Nullable LiveJob read(Connection connection, Sql sql, long id) throws SQLException {
        return sql.on(connection, id).first(row -> LiveJobs.read(dialect, row)).orElse(null);
    }
}
