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
import java.util.Map;
import java.util.TreeMap;

/** Reports how a cluster in which all nodes take writes affects lanes and workers, and what is recommended. */
final class NodeFindings {
    private static final String TOPIC = "cluster";
    /** How many of a lane's newest ranges are examined. */
    private static final int RANGES = 1_000;

    private static final long RECENT_MICROS = 60_000_000;

    private final Dialect dialect;
    private final Sql claims;

    private NodeFindings(Dialect dialect) {
        this.dialect = dialect;
        this.claims =
                dialect.statement("""
                SELECT r.node, r.leased_by, SUM(r.jobs)
                  FROM (SELECT node, leased_by, jobs, claimed_at FROM pawl_lane_range WHERE lane = ? ORDER BY starts_after DESC LIMIT %s) r
                 WHERE r.leased_by <> 0 AND %s - %s < ? GROUP BY r.node, r.leased_by
                """.formatted(RANGES, dialect.micros(dialect.now()), dialect.micros("r.claimed_at")));
    }

    static List<Finding> of(Database database) throws SQLException {
        NodeFindings findings = new NodeFindings(database.dialect());
        return database.autocommit(findings::read);
    }

    private List<Finding> read(Connection connection) throws SQLException {
        LaneDatabase.Cluster cluster = LaneDatabase.of(dialect).cluster(connection, dialect);
        if (cluster == null) {
            return List.of();
        }
        Lanes lanes = new Lanes(dialect);
        lanes.read(connection);
        if (lanes.node() == 0) {
            return List.of(new Finding(
                    Level.ADVICE,
                    TOPIC,
                    cluster.text()
                            + ", but the ids of new jobs do not tell its nodes apart (auto_increment_increment is 1): all nodes"
                            + " share one lane for each queue, and their claims collide. Connect all programs to one node, or"
                            + " give each node an auto_increment_offset of its own (wsrep_auto_increment_control)"));
        }
        List<Finding> found = new ArrayList<>();
        found.add(new Finding(
                Level.OK, TOPIC, cluster.text() + ": this is node " + lanes.node() + ". " + advice(cluster)));
        shares(connection, lanes).forEach((queue, shares) -> {
            String message = shares.message();
            List<Integer> lacking = shares.lacking();
            if (message != null) {
                found.add(new Finding(
                        lacking.isEmpty() ? Level.OK : Level.ADVICE,
                        TOPIC,
                        "queue " + queue + ": " + message + (lacking.isEmpty() ? "" : remedy(lacking))));
            }
        });
        return found;
    }

    private static String advice(LaneDatabase.Cluster cluster) {
        Integer nodes = cluster.nodes();
        return "Recommended: " + (nodes == null ? "a lane" : nodes + " lanes") + " for each queue and priority"
                + (nodes == null ? " for each node" : ", one for each node")
                + ", because claims of two nodes from one lane conflict; workers open them. And at least "
                + (nodes == null ? "a worker" : nodes + " workers, one")
                + " on each node on which jobs are enqueued, because workers of other nodes claim them only after"
                + " a quarter of a second, and take turns for them";
    }

    private static String remedy(List<Integer> lacking) {
        return ". Workers of other nodes claim most jobs of "
                + (lacking.size() == 1
                        ? "node " + lacking.get(0)
                        : "nodes " + lacking.toString().replaceAll("[\\[\\]]", ""))
                + ", and take turns for them: connect workers as recommended, or enqueue on all nodes";
    }

    private Map<String, NodeShares> shares(Connection connection, Lanes lanes) throws SQLException {
        Map<String, NodeShares> byQueue = new TreeMap<>();
        for (Lane lane : lanes.all()) {
            if (lane.node() != 0) {
                NodeShares shares = byQueue.computeIfAbsent(lane.queue(), queue -> new NodeShares());
                claims.on(connection, lane.id(), RECENT_MICROS)
                        .each(row -> shares.add(lane.node(), row.getInt(1), row.getLong(2), row.getLong(3)));
            }
        }
        return byQueue;
    }
}
