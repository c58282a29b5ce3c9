package dev.pawl.internal.batch;

import dev.pawl.admin.BatchInfo;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.feature.Notice;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens, seals and reads batches. Sealing waits for transactions that add to the batch. Thread-safe. */
public final class SqlBatches {
    private static final String INFO = """
            SELECT b.id, b.parent_id, b.name, b.created_at, b.sealed_at, c.completed, c.failed, c.cancelled,
                   c.stopped_at, c.done_at, c.expected, h.paused_at, COALESCE(h.canary, 0) AS canary,
                   CASE WHEN c.expected IS NOT NULL AND c.done_at IS NOT NULL THEN c.expected ELSE
                        (SELECT COUNT(*) FROM pawl_batch_job j WHERE j.batch_id = b.id)
                        + (SELECT COUNT(*) FROM pawl_batch p WHERE p.parent_id = b.id) END AS jobs
              FROM pawl_batch b JOIN pawl_batch_count c ON c.batch_id = b.id
              LEFT JOIN pawl_batch_pause h ON h.batch_id = b.id
            """;

    private final Database database;
    private final Dialect dialect;
    private final BatchCounts counts;
    private final BatchPauses batchPauses;

    /**
     * @param database the pool and the dialect
     * @param counts counts the finished jobs of batches
     * @param notice sent for jobs that are released
     */
    public SqlBatches(Database database, BatchCounts counts, Notice notice) {
        this.database = database;
        this.dialect = database.dialect();
        this.counts = counts;
        this.batchPauses = new BatchPauses(database, notice);
    }

    /** Writes a new batch; returns its id. */
    public long open(Connection connection, NewBatch batch) throws SQLException {
        Long parent = batch.parent();
        if (parent != null) {
            requireOpen(connection, parent, batch.byJob());
        }
        long id = insert(connection, dialect, batch);
        Sql count =
                dialect.statement("INSERT INTO pawl_batch_count (batch_id, stop_percent, stop_after) VALUES (?, ?, ?)");
        count.on(connection, id, batch.stopPercent(), batch.stopAfter()).run();
        if (batch.canary() > 0) {
            batchPauses.canary(connection, id, batch.canary());
        }
        return id;
    }

    /** Writes a batch without its counts; returns its id. */
    static long insert(Connection connection, Dialect dialect, NewBatch batch) throws SQLException {
        String insert =
                dialect.sql("INSERT INTO pawl_batch (parent_id, name, created_at, on_done, on_failed, on_success)"
                        + " VALUES (?, ?, " + dialect.now() + ", ?, ?, ?)");
        try (PreparedStatement statement = dialect.product().equals("postgresql")
                ? connection.prepareStatement(insert, new String[] {"id"})
                : connection.prepareStatement(insert, Statement.RETURN_GENERATED_KEYS)) {
            statement.setObject(1, batch.parent(), Types.BIGINT);
            statement.setString(2, batch.name());
            statement.setString(3, text(batch.onDone()));
            statement.setString(4, text(batch.onFailed()));
            statement.setString(5, text(batch.onSuccess()));
            statement.executeUpdate();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                keys.next();
                return keys.getLong(1);
            }
        }
    }

    private static @Nullable String text(@Nullable JobRequest callback) {
        return callback == null ? null : Callback.write(callback);
    }

    private void requireOpen(Connection connection, long parent, boolean byJob) throws SQLException {
        String sql = byJob
                ? "SELECT done_at FROM pawl_batch_count WHERE batch_id = ?"
                : "SELECT sealed_at FROM pawl_batch WHERE id = ? " + dialect.forShare();
        if (!isOpen(connection, parent, sql)) {
            throw new InvalidJobException("batch " + parent + " is " + (byJob ? "done" : "sealed")
                    + ": no other batch can become part of it");
        }
    }

    private boolean isOpen(Connection connection, long batch, String sql) throws SQLException {
        Sql.Bound closedAt = dialect.statement(sql).on(connection, batch);
        return closedAt.first(row -> row.getObject(1) == null)
                .orElseThrow(() -> new InvalidJobException("there is no batch " + batch + ", or it was pruned"));
    }

    /** Seals a batch; returns false if it was sealed already. */
    public boolean seal(long batch) throws SQLException {
        return database.transaction(connection -> {
            dialect.seeLatest(connection); // jobs that were added while this waited
            return seal(connection, batch);
        });
    }

    /** Seals a batch in the caller's transaction; returns false if it was sealed already. */
    public boolean seal(Connection connection, long batch) throws SQLException {
        if (!isOpen(connection, batch, "SELECT sealed_at FROM pawl_batch WHERE id = ? " + dialect.forUpdate())) {
            return false;
        }
        Sql seal = dialect.statement("UPDATE pawl_batch SET sealed_at = " + dialect.now() + " WHERE id = ?");
        seal.on(connection, batch).run();
        counts.sealed(connection, batch);
        return true;
    }

    /** {@return the progress of a batch; empty if it does not exist} */
    public Optional<BatchInfo> find(long batch) throws SQLException {
        return read(" WHERE b.id = ?", batch).stream().findFirst();
    }

    /** {@return batches that are neither inner batches nor workflows, newest first} */
    public List<BatchInfo> list(long below, int limit) throws SQLException {
        return read(
                " WHERE b.parent_id IS NULL AND b.id < ? AND NOT EXISTS (SELECT 1 FROM pawl_node n WHERE n.workflow_id = b.id)"
                        + " ORDER BY b.id DESC LIMIT ?",
                below,
                limit);
    }

    /** {@return workflows, newest first} */
    List<BatchInfo> workflows(long below, int limit) throws SQLException {
        return read(
                " WHERE b.parent_id IS NULL AND b.id < ? AND EXISTS (SELECT 1 FROM pawl_node n WHERE n.workflow_id = b.id)"
                        + " ORDER BY b.id DESC LIMIT ?",
                below,
                limit);
    }

    /** {@return the inner batches of a batch, in the order in which they were opened} */
    public List<BatchInfo> children(long parent, int limit) throws SQLException {
        return read(" WHERE b.parent_id = ? ORDER BY b.id LIMIT ?", parent, limit);
    }

    private List<BatchInfo> read(String where, Object... values) throws SQLException {
        Sql sql = dialect.statement(INFO + where);
        return database.autocommit(connection -> sql.on(connection, values).list(this::read));
    }

    private BatchInfo read(ResultSet row) throws SQLException {
        return new BatchInfo(
                row.getLong("id"),
                JobRows.longOrNull(row, "parent_id"),
                row.getString("name"),
                row.getLong("jobs"),
                row.getLong("completed"),
                row.getLong("failed"),
                row.getLong("cancelled"),
                Objects.requireNonNullElse(dialect.moment(row, "created_at"), Instant.EPOCH),
                dialect.moment(row, "sealed_at"),
                dialect.moment(row, "stopped_at"),
                dialect.moment(row, "done_at"),
                dialect.moment(row, "paused_at"),
                row.getInt("canary"));
    }

    /** {@return a page of the ids of inner batches, ascending} */
    public List<Long> within(long parent, long after, int limit) throws SQLException {
        Sql sql = dialect.statement("SELECT id FROM pawl_batch WHERE parent_id = ? AND id > ? ORDER BY id LIMIT ?");
        return database.autocommit(
                connection -> sql.on(connection, parent, after, limit).longs());
    }

    /** {@return a page of the ids of a batch's jobs, ascending} */
    public List<Long> jobs(long batch, long after, int limit) throws SQLException {
        return database.autocommit(connection -> jobs(connection, batch, after, limit));
    }

    private List<Long> jobs(Connection connection, long batch, long after, int limit) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT job_id FROM pawl_batch_job WHERE batch_id = ? AND job_id > ? ORDER BY job_id LIMIT ?");
        return sql.on(connection, batch, after, limit).longs();
    }

    /** {@return the pauses of batches} */
    public BatchPauses pauses() {
        return batchPauses;
    }

    /**
     * An action that was left to workers.
     *
     * @param batch the batch, or the node of a workflow
     * @param ofNode whether it is an action for a node
     * @param what a constant of {@link Count} or, for a node, of {@link NextNodes}
     */
    public record PendingAction(long batch, boolean ofNode, int what) {
        /** Precedes all actions. */
        public static final PendingAction NONE = new PendingAction(0, true, 0);
    }

    /** The size of a page of {@link #actions}. */
    public static final int ACTIONS_PER_PAGE = 100;

    /**
     * {@return a page of the actions that batches and nodes have left to workers, oldest batch first, read in one
     * statement}
     *
     * @param after the last action of the page before; {@link PendingAction#NONE} for the first page
     */
    public List<PendingAction> actions(PendingAction after) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT batch_id AS id, 0 AS of_node, pending_action FROM pawl_batch_count WHERE pending_action > 0 AND batch_id > ?"
                        + " UNION ALL SELECT id, 1, pending_action FROM pawl_node WHERE pending_action > 0 AND id > ?"
                        + " ORDER BY 1, 2 LIMIT " + ACTIONS_PER_PAGE);
        long node = after.ofNode() ? after.batch() : after.batch() - 1;
        return database.autocommit(connection -> sql.on(connection, after.batch(), node)
                .list(row -> new PendingAction(row.getLong(1), row.getInt(2) == 1, row.getInt(3))));
    }

    /** {@return whether the action is to release the rest of a batch, because its first jobs have completed} */
    public boolean isToRelease(PendingAction action) {
        return !action.ofNode() && action.what() == Count.RELEASE_REST;
    }

    /** {@return whether the waiting jobs of a batch are still to be cancelled} */
    public boolean isToCancel(Connection connection, long batch) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT 1 FROM pawl_batch_count WHERE batch_id = ? AND pending_action = " + Count.CANCEL_JOBS);
        return sql.on(connection, batch).exists();
    }

    /** Ends the action after the jobs were released, unless the batch was stopped since. */
    public void release(long batch) throws SQLException {
        Sql sql = dialect.statement(
                "UPDATE pawl_batch_count SET pending_action = 0 WHERE batch_id = ? AND pending_action = "
                        + Count.RELEASE_REST);
        database.transaction(connection ->
                isFree(connection, batch) ? sql.on(connection, batch).update() : 0);
    }

    /**
     * Locks the count of a batch; returns false if another transaction has locked it. Then its action is repeated
     * later.
     */
    private boolean isFree(Connection connection, long batch) throws SQLException {
        Sql sql = dialect.statement("SELECT 1 FROM pawl_batch_count WHERE batch_id = ? " + dialect.skipLocked());
        return sql.on(connection, batch).exists();
    }

    /**
     * The progress of a batch.
     *
     * @param ended how many of its jobs have finished
     * @param expected how many jobs it has; -1 if it is not sealed. When the batch is sealed, the action may be set again
     */
    public record Progress(long ended, long expected) {}

    /** {@return the progress of a batch} */
    public Progress progress(long batch) throws SQLException {
        Sql sql = dialect.statement("SELECT completed + failed + cancelled, COALESCE(expected, -1)"
                + " FROM pawl_batch_count WHERE batch_id = ?");
        return database.autocommit(connection -> sql.on(connection, batch)
                .first(row -> new Progress(row.getLong(1), row.getLong(2)))
                .orElse(new Progress(0, -1)));
    }

    /**
     * Ends the action of a stopped batch in which no job was found waiting. The action stays if the progress has changed since, because a
     * job that has finished in between may have added jobs, or more jobs of the batch are known now.
     */
    public void cancelled(long batch, Progress before) throws SQLException {
        Sql sql = dialect.statement(
                "UPDATE pawl_batch_count SET pending_action = 0 WHERE batch_id = ? AND pending_action = "
                        + Count.CANCEL_JOBS + " AND completed + failed + cancelled = ? AND COALESCE(expected, -1) = ?");
        database.transaction(connection -> isFree(connection, batch)
                ? sql.on(connection, batch, before.ended, before.expected).update()
                : 0);
    }
}
