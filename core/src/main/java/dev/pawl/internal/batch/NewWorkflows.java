package dev.pawl.internal.batch;

import dev.pawl.JobRequest;
import dev.pawl.OnFailure;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.BatchHeader;
import dev.pawl.internal.words.OwnOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
     * Writes a workflow with all of its jobs. Nobody else sees it before the commit, so its counts begin with what is known.
     *
     * @param connection in a transaction
     * @param name for people
     * @param onFailed enqueued at the first failure; null for nothing
     * @param nodes in an order in which they may run
     * @return its number
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
        String seal =
                dialect.sql("UPDATE pawl_batch SET sealed_at = " + dialect.now() + " WHERE id = ? OR parent_id = ?");
        try (PreparedStatement statement = connection.prepareStatement(seal)) {
            statement.setLong(1, workflow);
            statement.setLong(2, workflow);
            statement.executeUpdate();
        }
        return workflow;
    }

    private long batch(Connection connection, String name, @Nullable Long parent, @Nullable JobRequest onFailed)
            throws SQLException {
        return SqlBatches.insert(connection, dialect, new NewBatch(name, parent, false, null, onFailed, null, 0, 0, 0));
    }

    private void insertCounts(Connection connection, long workflow, List<Long> ids, List<NewNode> nodes)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                dialect.sql("INSERT INTO pawl_batch_count (batch_id, expected) VALUES (?, ?)"))) {
            statement.setLong(1, workflow);
            statement.setLong(2, nodes.size());
            statement.addBatch();
            for (int place = 0; place < nodes.size(); place++) {
                statement.setLong(1, ids.get(place));
                statement.setLong(2, nodes.get(place).jobs().size());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private void insertNodes(Connection connection, long workflow, List<Long> ids, List<NewNode> nodes)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                dialect.sql("INSERT INTO pawl_node (id, workflow_id, waits, state) VALUES (?, ?, ?, ?)"))) {
            for (int place = 0; place < nodes.size(); place++) {
                int waits = nodes.get(place).after().size();
                statement.setLong(1, ids.get(place));
                statement.setLong(2, workflow);
                statement.setInt(3, waits);
                statement.setInt(4, waits == 0 ? 1 : 0);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private void insertEdges(Connection connection, List<Long> ids, List<NewNode> nodes) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                dialect.sql("INSERT INTO pawl_edge (node_id, next_id, on_failure, met) VALUES (?, ?, ?, 0)"))) {
            boolean any = false;
            for (int place = 0; place < nodes.size(); place++) {
                for (Map.Entry<Integer, OnFailure> edge :
                        nodes.get(place).after().entrySet()) {
                    statement.setLong(1, ids.get(edge.getKey()));
                    statement.setLong(2, ids.get(place));
                    statement.setInt(3, NextNodes.code(edge.getValue()));
                    statement.addBatch();
                    any = true;
                }
            }
            if (any) {
                statement.executeBatch();
            }
        }
    }

    private void enqueue(Connection connection, List<Long> ids, List<NewNode> nodes) throws SQLException {
        List<JobRequest> page = new ArrayList<>();
        for (int place = 0; place < nodes.size(); place++) {
            String node = Long.toString(ids.get(place));
            for (JobRequest job : nodes.get(place).jobs()) {
                page.add(new JobRequest(
                        job.kind(), job.payload(), OwnOptions.header(job.options(), BatchHeader.NAME, node)));
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
