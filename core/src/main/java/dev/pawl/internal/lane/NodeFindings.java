package dev.pawl.internal.lane;

import dev.pawl.admin.Finding;
import dev.pawl.admin.Finding.Level;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a cluster whose nodes all take writes means for lanes. */
final class NodeFindings {
    private static final String TOPIC = "cluster";
    /** The newest ranges of a lane that are examined. */
    private static final int RANGES = 1_000;

    private static final long RECENT_MICROS = 60_000_000;
    /** Fewer jobs show nothing. */
    private static final long FEW = 1_000;

    private final Dialect dialect;
    private final Sql claims;

    private NodeFindings(Dialect dialect) {
        this.dialect = dialect;
        this.claims =
                dialect.statement("""
                SELECT COALESCE(SUM(r.jobs), 0), COALESCE(SUM(CASE WHEN r.node = ? THEN 0 ELSE r.jobs END), 0)
                  FROM (SELECT node, jobs, claimed_at FROM pawl_lane_range WHERE lane = ? ORDER BY starts_after DESC LIMIT %s) r
                 WHERE %s - %s < ?
                """.formatted(RANGES, dialect.micros(dialect.now()), dialect.micros("r.claimed_at")));
    }

    static List<Finding> of(Database database) throws SQLException {
        NodeFindings findings = new NodeFindings(database.dialect());
        return database.autocommit(findings::read);
    }

    private List<Finding> read(Connection connection) throws SQLException {
        String cluster = LaneDatabase.of(dialect).cluster(connection, dialect);
        if (cluster == null) {
            return List.of();
        }
        Lanes lanes = new Lanes(dialect);
        lanes.read(connection);
        if (lanes.node() == 0) {
            return List.of(new Finding(
                    Level.ADVICE,
                    TOPIC,
                    cluster
                            + ", but the ids of new jobs do not tell its nodes apart (auto_increment_increment is 1): all nodes"
                            + " share one lane for each queue, and their claims collide. Connect all programs to one node, or"
                            + " give each node an auto_increment_offset of its own (wsrep_auto_increment_control)"));
        }
        List<Finding> found = new ArrayList<>();
        found.add(new Finding(
                Level.OK,
                TOPIC,
                cluster
                        + ": each queue has a lane for each node, and workers claim first what was enqueued on their node, which"
                        + " is node " + lanes.node() + " here"));
        for (Lane lane : lanes.all()) {
            claims.on(connection, lane.node(), lane.id(), RECENT_MICROS).each(row -> {
                String message = message(lane, row.getLong(1), row.getLong(2));
                if (message != null) {
                    found.add(new Finding(Level.ADVICE, TOPIC, message));
                }
            });
        }
        return found;
    }

    private static @Nullable String message(Lane lane, long jobs, long elsewhere) {
        return lane.node() == 0 || jobs < FEW || 2 * elsewhere < jobs
                ? null
                : "queue " + lane.queue() + ": workers of other nodes have claimed " + 100 * elsewhere / jobs
                        + " % of the last jobs that were enqueued on node " + lane.node()
                        + ", and take turns for them: connect more workers to that node, or enqueue on all nodes";
    }
}
