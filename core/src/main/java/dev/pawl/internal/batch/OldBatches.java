package dev.pawl.internal.batch;

import dev.pawl.internal.feature.Pruning;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Deletes batches that were done long ago, outer batches before inner ones. Thread-safe. */
public final class OldBatches implements Pruning {
    private static final int PAGE = 500;

    private final Database database;
    private final Dialect dialect;

    /**
     * @param database the pool and the dialect
     */
    public OldBatches(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    /**
     * Deletes batches that were done before the moment, parents first. Their jobs finished before that moment, too, so no retention rule
     * keeps a job of these batches.
     */
    @Override
    public void prune(Instant before) throws SQLException {
        Sql done = dialect.statement("SELECT c.batch_id FROM pawl_batch_count c WHERE c.done_at < " + dialect.moment()
                + " AND NOT EXISTS (SELECT 1 FROM pawl_batch p JOIN pawl_batch b ON b.parent_id = p.id"
                + " WHERE b.id = c.batch_id) ORDER BY c.done_at LIMIT 20");
        List<Long> old;
        do {
            old = database.autocommit(connection -> done.on(connection, before).longs());
            for (long batch : old) {
                delete(batch, before);
            }
        } while (!old.isEmpty() && !Thread.currentThread().isInterrupted());
    }

    /**
     * Deletes a batch. Checks again, under the lock of the count, because one of its jobs may have been retried. The list of its jobs is
     * deleted in pages, and the count last, so that the rest is found again after a crash.
     */
    private void delete(long batch, Instant before) throws SQLException {
        if (!database.transaction(connection -> deleteIfDone(connection, batch, before))) {
            return; // it is unfinished again, or another process was faster
        }
        List<Long> page;
        do {
            if (Thread.currentThread().isInterrupted()) {
                return; // the row of the count remains, so the batch is found again
            }
            page = database.autocommit(connection -> jobs(connection, batch));
            List<Long> some = page;
            if (!some.isEmpty()) {
                Sql sql = dialect.planned(
                        "DELETE FROM pawl_batch_job WHERE batch_id = ? AND " + dialect.anyOf("job_id", some.size()));
                int unused = database.transaction(
                        connection -> sql.on(connection, batch, some).update());
            }
        } while (page.size() == PAGE);
        Sql pause = dialect.statement("DELETE FROM pawl_batch_pause WHERE batch_id = ?");
        int unused =
                database.transaction(connection -> pause.on(connection, batch).update());
        Sql count =
                dialect.statement("DELETE FROM pawl_batch_count WHERE batch_id = ? AND done_at < " + dialect.moment());
        int unusedCount = database.transaction(
                connection -> count.on(connection, batch, before).update());
    }

    /** Deletes the row of a batch, and that of its node; returns false if the batch is not done, or has no count any more. */
    private boolean deleteIfDone(Connection connection, long batch, Instant before) throws SQLException {
        Sql lock = dialect.statement("SELECT batch_id FROM pawl_batch_count WHERE batch_id = ? AND done_at < "
                + dialect.moment() + " " + dialect.forUpdate());
        if (!lock.on(connection, batch, before).exists()) {
            return false;
        }
        dialect.statement("DELETE FROM pawl_batch WHERE id = ?")
                .on(connection, batch)
                .run();
        if (dialect.statement("DELETE FROM pawl_node WHERE id = ?")
                        .on(connection, batch)
                        .update()
                > 0) {
            dialect.statement("DELETE FROM pawl_edge WHERE node_id = ?")
                    .on(connection, batch)
                    .run();
        }
        return true;
    }

    private List<Long> jobs(Connection connection, long batch) throws SQLException {
        Sql sql =
                dialect.statement("SELECT job_id FROM pawl_batch_job WHERE batch_id = ? ORDER BY job_id LIMIT " + PAGE);
        return sql.on(connection, batch).longs();
    }
}
