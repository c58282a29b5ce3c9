package dev.pawl.internal.batch;

import dev.pawl.api.JobState;
import dev.pawl.api.OnFailure;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Releases the next nodes of a workflow, in the transaction that finishes a node. It runs after all counts of batches were locked. It locks
 * rows of nodes by ascending id, and after them only rows of jobs that no other transaction has locked. The lock on the count of a node
 * also protects the rows in {@code pawl_edge} that lead from this node.
 *
 * <p>A node is released once, even if its jobs are retried later. Locked jobs, and jobs beyond a maximum, are left to a worker.
 */
final class NextNodes {
    /** A pending action of a node: its jobs may start. Batches have other codes: see {@link Count}. */
    static final int RELEASE_NODE = 1;
    /** A pending action of a node: its jobs are to be cancelled. */
    static final int CANCEL_NODE = 2;

    /** How many jobs are released by the transaction that finishes a node. */
    private static final int MAX = 1_000;

    private static final int ROWS = 500;

    private final Dialect dialect;
    private final PendingJobs jobs;
    private final Sql satisfy;
    private final Sql write;

    NextNodes(Dialect dialect, PendingJobs jobs) {
        this.dialect = dialect;
        this.jobs = jobs;
        satisfy = dialect.statement("UPDATE pawl_edge SET satisfied = ? WHERE node_id = ? AND next_id = ?");
        write = dialect.statement(
                "UPDATE pawl_node SET open_dependencies = ?, state = ?, pending_action = ? WHERE id = ?");
    }

    /** What changes for a node. */
    private static final class Change {
        int openDependencies;
        boolean mustCancel;
        List<Long> revived = List.of();
    }

    /** A node, whose row is locked. */
    private static final class Node {
        final long id;
        int openDependencies;
        int state;
        int action;

        Node(long id) {
            this.id = id;
        }
    }

    /**
     * @param connection in a transaction that has locked the counts of these nodes
     * @param ends the codes of the states in which nodes have finished, by node; 0 for a node that is unfinished again;
     *     may include batches that are no nodes
     * @param revived retried jobs, by their batches
     * @return whether actions are left to workers
     * @throws SQLException from the driver
     */
    boolean moved(Connection connection, SortedMap<Long, Integer> ends, Map<Long, List<Long>> revived)
            throws SQLException {
        TreeMap<Long, Change> changes = new TreeMap<>();
        for (Map.Entry<Long, Integer> end : ends.entrySet()) {
            satisfy(connection, end.getKey(), end.getValue(), changes);
        }
        revived.forEach((node, some) -> changes.computeIfAbsent(node, id -> new Change()).revived = some);
        List<Node> nodes = new ArrayList<>();
        List<Long> ids = List.copyOf(changes.keySet());
        for (int from = 0; from < ids.size(); from += ROWS) {
            nodes.addAll(lock(connection, ids.subList(from, Math.min(ids.size(), from + ROWS))));
        }
        return !nodes.isEmpty() && change(connection, nodes, changes);
    }

    private void satisfy(Connection connection, long node, int end, Map<Long, Change> changes) throws SQLException {
        boolean success = end == JobState.COMPLETED.code();
        Sql edges = dialect.statement(
                "SELECT next_id, on_failure, satisfied FROM pawl_edge WHERE node_id = ? ORDER BY next_id "
                        + dialect.forUpdate());
        List<Long> satisfied = new ArrayList<>();
        List<Long> reopened = new ArrayList<>();
        edges.on(connection, node).each(rows -> {
            int policy = rows.getInt(2);
            boolean before = rows.getInt(3) == 1;
            boolean now = success || (end != 0 && policy == code(OnFailure.RUN_ANYWAY));
            Change change = changes.computeIfAbsent(rows.getLong(1), id -> new Change());
            change.openDependencies += (before ? 1 : 0) - (now ? 1 : 0);
            change.mustCancel |= end != 0 && !success && policy == code(OnFailure.CANCEL);
            if (now != before) {
                (now ? satisfied : reopened).add(rows.getLong(1));
            }
        });
        writeSatisfied(connection, node, satisfied, 1);
        writeSatisfied(connection, node, reopened, 0);
    }

    static int code(OnFailure policy) {
        return switch (policy) {
            case BLOCK -> 0;
            case CANCEL -> 1;
            case RUN_ANYWAY -> 2;
        };
    }

    private void writeSatisfied(Connection connection, long node, List<Long> next, int satisfied) throws SQLException {
        satisfy.batch(connection, next, id -> Sql.values(satisfied, node, id));
    }

    private List<Node> lock(Connection connection, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned("SELECT id, open_dependencies, state, pending_action FROM pawl_node WHERE "
                + dialect.anyOf("id", ids.size()) + " ORDER BY id " + dialect.forUpdate());
        return sql.on(connection, ids).list(rows -> {
            Node node = new Node(rows.getLong(1));
            node.openDependencies = rows.getInt(2);
            node.state = rows.getInt(3);
            node.action = rows.getInt(4);
            return node;
        });
    }

    private boolean change(Connection connection, List<Node> nodes, Map<Long, Change> changes) throws SQLException {
        List<Node> free = new ArrayList<>();
        List<Long> stillPending = new ArrayList<>();
        for (Node node : nodes) {
            Change change = changes.getOrDefault(node.id, new Change());
            node.openDependencies += change.openDependencies;
            if (node.state == 0 && node.openDependencies == 0) {
                node.state = 1;
                free.add(node);
            } else if (node.state == 0) {
                node.action = change.mustCancel ? CANCEL_NODE : node.action;
                stillPending.addAll(change.revived);
            }
        }
        if (!free.isEmpty()) {
            release(connection, free);
        }
        jobs.makePending(connection, stillPending);
        write.batch(connection, nodes, node -> Sql.values(node.openDependencies, node.state, node.action, node.id));
        return nodes.stream().anyMatch(node -> node.action != 0);
    }

    /** Releases the jobs of nodes; jobs beyond the maximum, and locked ones, are left to a worker. */
    private void release(Connection connection, List<Node> free) throws SQLException {
        Set<Long> ids = new TreeSet<>();
        free.forEach(node -> ids.add(node.id));
        List<Long> waiting = jobs.ofNodes(connection, List.copyOf(ids), 0, MAX + 1);
        int released = 0;
        int most = Math.min(MAX, waiting.size());
        for (int from = 0; from < most; from += ROWS) {
            released += jobs.release(connection, waiting.subList(from, Math.min(most, from + ROWS)));
        }
        boolean left = released < waiting.size();
        free.forEach(node -> node.action = left ? RELEASE_NODE : 0);
    }
}
