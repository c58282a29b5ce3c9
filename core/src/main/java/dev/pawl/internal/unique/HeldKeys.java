package dev.pawl.internal.unique;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.feature.EnqueueContext;
import dev.pawl.internal.feature.InsertJobs;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Enqueues jobs whose unique keys have rows of their own, because the keys are held for a time or in another scope than {@link
 * UniqueWhile#LIVE}. A second enqueue with the same key waits for the row until the transaction of the first enqueue ends.
 */
final class HeldKeys {
    /** Enqueues a job unless a live job has its key. */
    @FunctionalInterface
    interface Unique {
        /** {@return the result} */
        EnqueueResult enqueue(Connection connection, JobRequest job) throws SQLException;
    }

    private final Sql delete;
    private final InsertJobs insertJobs;
    private final Unique unique;
    private final TimedKeys keys;
    private final UniqueKeyState keyState;
    private final ReplaceJob replace;

    HeldKeys(EnqueueContext context, ReplaceJob replace, Unique unique) {
        Dialect dialect = context.dialect();
        this.delete = dialect.planned("DELETE FROM pawl_job WHERE id = ?");
        this.insertJobs = context.rows();
        this.unique = unique;
        this.keys = new TimedKeys(dialect);
        this.keyState = new UniqueKeyState(dialect, context.begun());
        this.replace = replace;
    }

    EnqueueResult enqueue(Connection connection, JobRequest job) throws SQLException {
        TimedKeys.Taken taken = keys.lock(connection, job);
        EnqueueResult result = job.options().uniqueWhile() == UniqueWhile.WAITING
                ? whileWaiting(connection, job, taken)
                : whileThere(connection, job, taken);
        if (result instanceof EnqueueResult.Inserted) {
            keys.take(connection, job, result.jobId());
        }
        return result;
    }

    /**
     * Enqueues a job whose key is held only while the job waits. The unique index of live jobs must not contain the key, because another
     * job may take the key while this job runs.
     */
    private EnqueueResult whileWaiting(Connection connection, JobRequest job, TimedKeys.Taken taken)
            throws SQLException {
        EnqueueOptions options = job.options();
        JobRequest kept = new JobRequest(
                job.kind(),
                job.payload(),
                OwnOptions.unindexedKey(options.uniqueKey(null).uniqueWhile(UniqueWhile.LIVE), options.uniqueKey()));
        if (taken.exists() && keyState.waits(connection, taken)) {
            if (options.onDuplicate() == OnDuplicate.REPLACE
                    && !replace.isTied(connection, taken.jobId())
                    && replace.replace(connection, kept, taken.jobId())) {
                return new EnqueueResult.Replaced(taken.jobId());
            }
            return new EnqueueResult.Duplicate(taken.jobId());
        }
        return taken.isOver()
                ? new EnqueueResult.Inserted(
                        insertJobs.insert(connection, List.of(kept)).get(0))
                : new EnqueueResult.Duplicate(taken.jobId());
    }

    private EnqueueResult whileThere(Connection connection, JobRequest job, TimedKeys.Taken taken) throws SQLException {
        boolean replaces = !taken.isOver()
                && job.options().onDuplicate() == OnDuplicate.REPLACE
                && keyState.waits(connection, taken);
        UniqueWhile scope = job.options().uniqueWhile();
        if ((!taken.isOver() && !replaces) || (taken.exists() && keyState.blocks(connection, taken, scope))) {
            return new EnqueueResult.Duplicate(taken.jobId());
        }
        EnqueueResult result = unique.enqueue(connection, job);
        // The other job may have finished after the first read. It cannot become live again, because this job has the
        // key now.
        boolean isNew = result instanceof EnqueueResult.Inserted;
        if (isNew && taken.exists() && keyState.blocksNow(connection, taken, scope)) {
            delete(connection, result.jobId());
            return new EnqueueResult.Duplicate(taken.jobId());
        }
        return result;
    }

    private void delete(Connection connection, long id) throws SQLException {
        delete.on(connection, id).run();
    }
}
