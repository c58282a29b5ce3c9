package dev.pawl.internal.batch;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes workflows. Thread-safe. */
public final class NewWorkflows {
    private static final int PAGE = 500;

    private final Dialect dialect;
    private final BatchCounts.Enqueueing enqueueing;

    /**
     * @param dialect the product
     * @param enqueueing writes jobs
     */
    public NewWorkflows(Dialect dialect, BatchCounts.Enqueueing enqueueing) {
        this.dialect = dialect;
        this.enqueueing = enqueueing;
    }

    /**
     * Writes a workflow with all of its jobs. Other transactions do not see it before the commit, so its counts are known from the start.
     *
     * @param connection in a transaction
     * @param name for people
     * @param onFailed enqueued at the first failure; null for nothing
     * @param nodes in an order in which they may run
     * @return its id
     * @throws SQLException from the driver
     */
    public long create(Connection connection, String name, @Nullable JobRequest onFailed, List<NewNode> nodes)
            throws SQLException {
        long workflow = batch(connection, name, null, onFailed);
        List<Long> ids = new ArrayList<>();
        for (NewNode node : nodes) {
            ids.add(batch(connection, node.name(), workflow, null));
        }
        insertCounts(connection, workflow, ids, nodes);
        insertNodes(connection, workflow, ids, nodes);
        insertEdges(connection, ids, nodes);
        enqueue(connection, ids, nodes);
        Sql seal = dialect.statement(
                "UPDATE pawl_batch SET sealed_at = " + dialect.now() + " WHERE id = ? OR parent_id = ?");
        seal.on(connection, workflow, workflow).run();
        return workflow;
    }

    private long batch(Connection connection, String name, @Nullable Long parent, @Nullable JobRequest onFailed)
            throws SQLException {
        return SqlBatches.insert(connection, dialect, new NewBatch(name, parent, false, null, onFailed, null, 0, 0, 0));
    }

    private void insertCounts(Connection connection, long workflow, List<Long> ids, List<NewNode> nodes)
            throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        rows.add(Sql.values(workflow, nodes.size()));
        for (int place = 0; place < nodes.size(); place++) {
            rows.add(Sql.values(ids.get(place), nodes.get(place).jobs().size()));
        }
        insert(connection, "pawl_batch_count (batch_id, expected) VALUES (?, ?)", rows);
    }

    private void insertNodes(Connection connection, long workflow, List<Long> ids, List<NewNode> nodes)
            throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int place = 0; place < nodes.size(); place++) {
            int waits = nodes.get(place).after().size();
            rows.add(Sql.values(ids.get(place), workflow, waits, waits == 0 ? 1 : 0));
        }
        insert(connection, "pawl_node (id, workflow_id, open_dependencies, state) VALUES (?, ?, ?, ?)", rows);
    }

    private void insertEdges(Connection connection, List<Long> ids, List<NewNode> nodes) throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int place = 0; place < nodes.size(); place++) {
            long next = ids.get(place);
            nodes.get(place)
                    .after()
                    .forEach((from, policy) -> rows.add(Sql.values(ids.get(from), next, NextNodes.code(policy))));
        }
        insert(connection, "pawl_edge (node_id, next_id, on_failure, satisfied) VALUES (?, ?, ?, 0)", rows);
    }

    private void insert(Connection connection, String table, List<List<@Nullable Object>> rows) throws SQLException {
        dialect.statement("INSERT INTO " + table).batch(connection, rows, row -> row);
    }

    private void enqueue(Connection connection, List<Long> ids, List<NewNode> nodes) throws SQLException {
        List<JobRequest> page = new ArrayList<>();
        for (int place = 0; place < nodes.size(); place++) {
            long node = ids.get(place);
            for (JobRequest job : nodes.get(place).jobs()) {
                page.add(new JobRequest(job.kind(), job.payload(), OwnOptions.batch(job.options(), node, false)));
                if (page.size() == PAGE) {
                    enqueueing.enqueue(connection, page);
                    page.clear();
                }
            }
        }
        if (!page.isEmpty()) {
            enqueueing.enqueue(connection, page);
        }
    }
}
