package dev.pawl.internal.batch;

import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.api.OnFailure;
import dev.pawl.internal.batch.SqlBatches.PendingAction;
import dev.pawl.internal.feature.Notice;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads workflows, and runs the actions that they have left to workers. Thread-safe. */
public final class SqlWorkflows {
    private static final int PAGE = 500;
    private static final OnFailure[] POLICIES = {OnFailure.BLOCK, OnFailure.CANCEL, OnFailure.RUN_ANYWAY};

    private final Database database;
    private final Dialect dialect;
    private final SqlBatches batches;
    private final PendingJobs jobs;

    /**
     * @param database the pool and the dialect
     * @param batches reads batches
     * @param notice sent for jobs that are released
     */
    public SqlWorkflows(Database database, SqlBatches batches, Notice notice) {
        this.database = database;
        this.dialect = database.dialect();
        this.batches = batches;
        this.jobs = new PendingJobs(dialect, notice);
    }

    /** {@return the store of batches, of which workflows consist} */
    public SqlBatches batches() {
        return batches;
    }

    /** {@return workflows, newest first} */
    public List<BatchInfo> list(long below, int limit) throws SQLException {
        return batches.workflows(below, limit);
    }

    /** {@return a workflow and its nodes} */
    public Optional<WorkflowInfo> find(long workflow) throws SQLException {
        Optional<BatchInfo> whole = batches.find(workflow);
        Map<Long, Boolean> free =
                whole.isEmpty() ? Map.of() : database.autocommit(connection -> free(connection, workflow));
        if (free.isEmpty()) {
            return Optional.empty(); // not a workflow; a plain batch may have too many inner batches to read
        }
        List<BatchInfo> parts = batches.children(workflow, Integer.MAX_VALUE);
        return database.autocommit(connection -> {
            Map<Long, String> names = new HashMap<>();
            parts.forEach(part -> names.put(part.id(), part.name()));
            Map<Long, List<WorkflowNode.After>> edges = edges(connection, workflow, names);
            List<WorkflowNode> nodes = new ArrayList<>();
            for (BatchInfo part : parts) {
                nodes.add(new WorkflowNode(
                        part, free.getOrDefault(part.id(), true), edges.getOrDefault(part.id(), List.of())));
            }
            return Optional.of(new WorkflowInfo(whole.get(), nodes));
        });
    }

    private Map<Long, Boolean> free(Connection connection, long workflow) throws SQLException {
        Sql sql = dialect.statement("SELECT id, state FROM pawl_node WHERE workflow_id = ?");
        Map<Long, Boolean> free = new HashMap<>();
        sql.on(connection, workflow).each(rows -> free.put(rows.getLong(1), rows.getInt(2) == 1));
        return free;
    }

    private Map<Long, List<WorkflowNode.After>> edges(Connection connection, long workflow, Map<Long, String> names)
            throws SQLException {
        Sql sql = dialect.statement("SELECT e.node_id, e.next_id, e.on_failure, e.satisfied FROM pawl_edge e"
                + " JOIN pawl_node n ON n.id = e.node_id WHERE n.workflow_id = ? ORDER BY e.next_id, e.node_id");
        Map<Long, List<WorkflowNode.After>> edges = new HashMap<>();
        sql.on(connection, workflow).each(rows -> {
            long from = rows.getLong(1);
            edges.computeIfAbsent(rows.getLong(2), id -> new ArrayList<>())
                    .add(new WorkflowNode.After(
                            names.getOrDefault(from, Long.toString(from)),
                            POLICIES[rows.getInt(3)],
                            rows.getInt(4) == 1));
        });
        return edges;
    }

    /** {@return the workflow of a node; empty if the batch is no node} */
    public OptionalLong of(long batch) throws SQLException {
        List<Long> found = ids("SELECT workflow_id FROM pawl_node WHERE id = ?", batch);
        return found.isEmpty() ? OptionalLong.empty() : OptionalLong.of(found.get(0));
    }

    /** {@return the nodes of a workflow, in an order in which they may run} */
    public List<Long> nodes(long workflow) throws SQLException {
        return ids("SELECT id FROM pawl_node WHERE workflow_id = ? ORDER BY id", workflow);
    }

    private List<Long> ids(String sql, long of) throws SQLException {
        return database.autocommit(
                connection -> dialect.statement(sql).on(connection, of).longs());
    }

    /** {@return the id of the node of a workflow with a name} */
    public OptionalLong node(long workflow, String name) throws SQLException {
        Sql sql = dialect.statement("SELECT b.id FROM pawl_batch b JOIN pawl_node n ON n.id = b.id"
                + " WHERE b.parent_id = ? AND b.name = ?");
        return database.autocommit(connection -> sql.on(connection, workflow, name)
                .first(row -> OptionalLong.of(row.getLong(1)))
                .orElse(OptionalLong.empty()));
    }

    /**
     * The result of a job of a node.
     *
     * @param job its id
     * @param text as the codec wrote it
     */
    public record Result(long job, String text) {}

    /**
     * {@return the results of jobs of a node, by ascending id of the job} A retried job has written a result for each completed run. Only
     * the last result counts, and none counts until the job has completed again.
     */
    public List<Result> results(long node, long after, int limit) throws SQLException {
        Sql sql = dialect.planned(
                "SELECT r.job_id, r.result FROM pawl_batch_job b JOIN pawl_result r ON r.job_id = b.job_id"
                        + " WHERE b.batch_id = ? AND b.job_id > ?"
                        + " AND NOT EXISTS (SELECT 1 FROM pawl_result n WHERE n.job_id = r.job_id AND n.lease_token > r.lease_token)"
                        + " AND NOT EXISTS (SELECT 1 FROM pawl_job j WHERE j.id = r.job_id AND j." + dialect.isLive()
                        + ")"
                        + " AND NOT EXISTS (SELECT 1 FROM pawl_job_history h WHERE h.id = r.job_id AND h.state <> 2)"
                        + " ORDER BY b.job_id LIMIT ?"); // the order of the index: some databases would otherwise
        // sort all remaining rows for each page
        return database.autocommit(connection ->
                sql.on(connection, node, after, limit).list(rows -> new Result(rows.getLong(1), rows.getString(2))));
    }

    /** {@return whether the action is to cancel pending jobs} */
    public boolean isToCancel(PendingAction action) {
        return action.what() == NextNodes.CANCEL_NODE;
    }

    /** Releases, page by page, the jobs of a released node that are still pending. If a job is locked, this action is repeated later. */
    public void release(PendingAction action) throws SQLException {
        eachPage(action, page -> {
            int unused = database.transaction(connection -> jobs.release(connection, page));
        });
    }

    /** Handles a page of the jobs of a node. */
    @FunctionalInterface
    public interface Page {
        /**
         * @param jobs their ids
         * @throws SQLException from the driver
         */
        void handle(List<Long> jobs) throws SQLException;
    }

    /** Handles the jobs of a node page by page. The action ends when none of them is pending any more. */
    public void eachPage(PendingAction action, Page what) throws SQLException {
        long last = 0;
        List<Long> page;
        do {
            long after = last;
            page = database.autocommit(connection -> jobs.ofNodes(connection, List.of(action.batch()), after, PAGE));
            if (!page.isEmpty()) {
                what.handle(page);
                last = page.get(page.size() - 1);
            }
        } while (page.size() == PAGE && !Thread.currentThread().isInterrupted());
        if (!database.autocommit(connection -> jobs.any(connection, action.batch()))) {
            done(action);
        }
    }

    /**
     * Locks the rows of those jobs that are pending, except rows that other transactions have locked. Returns the ids of the locked jobs.
     */
    public List<Long> lockPending(Connection connection, List<Long> some) throws SQLException {
        return jobs.lockPending(connection, some);
    }

    /** Ends an action, unless another one has replaced it. If the node's row is locked, the action is repeated later. */
    private void done(PendingAction action) throws SQLException {
        Sql lock = dialect.statement("SELECT id FROM pawl_node WHERE id = ? " + dialect.skipLocked());
        Sql sql = dialect.statement("UPDATE pawl_node SET pending_action = 0 WHERE id = ? AND pending_action = ?");
        database.transaction(connection -> {
            if (lock.on(connection, action.batch()).longs().isEmpty()) {
                return 0;
            }
            return sql.on(connection, action.batch(), action.what()).update();
        });
    }
}
