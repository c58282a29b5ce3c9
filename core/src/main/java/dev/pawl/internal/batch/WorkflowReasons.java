package dev.pawl.internal.batch;

import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.api.JobState;
import dev.pawl.internal.feature.WaitingJob;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Why a pending job waits for other nodes of its workflow. */
final class WorkflowReasons {
    private static final int SHOWN_NODES = 3;

    private WorkflowReasons() {}

    /** {@return the reason; none if the job is not pending} */
    static List<WaitReason> of(WaitingJob waiting) throws SQLException {
        if (waiting.job().state() != JobState.PENDING) {
            return List.of();
        }
        long node = waiting.job().batch().orElse(0);
        Dialect dialect = waiting.database().dialect();
        return waiting.database().autocommit(connection -> {
            Sql sql = dialect.statement("SELECT workflow_id FROM pawl_node WHERE id = ?");
            Optional<Long> workflow = sql.on(connection, node).first(row -> row.getLong(1));
            List<String> open = workflow.isEmpty() ? List.of() : open(connection, dialect, workflow.get(), node);
            String text =
                    "other jobs of its workflow come first" + (open.isEmpty() ? "" : ": those of node " + some(open));
            String about = workflow.map(id -> Long.toString(id)).orElse("");
            return List.of(new WaitReason(Cause.WORKFLOW_PENDING, text, null, about));
        });
    }

    /** {@return the names of the nodes for which the given node still waits, by ascending id of the node} */
    private static List<String> open(Connection connection, Dialect dialect, long workflow, long node)
            throws SQLException {
        Sql sql = dialect.statement("""
                SELECT e.node_id, b.name,
                       CASE WHEN c.done_at IS NOT NULL AND c.failed + c.cancelled > 0 THEN 1 ELSE 0 END
                  FROM pawl_node n JOIN pawl_edge e ON e.node_id = n.id LEFT JOIN pawl_batch b ON b.id = e.node_id
                  LEFT JOIN pawl_batch_count c ON c.batch_id = e.node_id
                 WHERE n.workflow_id = ? AND e.next_id = ? AND e.satisfied <> 1 ORDER BY e.node_id LIMIT %d
                """.formatted(SHOWN_NODES + 1));
        return sql.on(connection, workflow, node).list(row -> {
            String name = row.getString(2) == null ? Long.toString(row.getLong(1)) : row.getString(2);
            return name + (row.getInt(3) == 1 ? " (which has failed)" : "");
        });
    }

    private static String some(List<String> names) {
        return names.size() <= SHOWN_NODES
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, SHOWN_NODES)) + " and others";
    }
}
