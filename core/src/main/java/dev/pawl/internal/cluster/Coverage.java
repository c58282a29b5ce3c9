package dev.pawl.internal.cluster;

import dev.pawl.admin.WorkerInfo;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.Lane;
import dev.pawl.internal.lane.LaneReads;
import dev.pawl.internal.store.QueueAndKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs that wait for a worker that does not exist. Steps from one queue and kind to the next along the claim's
 * index.
 */
final class Coverage {
    private static final int MOST = 1_000;
    /** So many jobs of a lane without a worker are looked through for their kinds. */
    private static final int MOST_READ = 1000;

    private final Dialect dialect;
    private final List<WorkerInfo> live;

    /**
     * @param dialect the product
     * @param workers all of them
     */
    Coverage(Dialect dialect, List<WorkerInfo> workers) {
        this.dialect = dialect;
        this.live = workers.stream().filter(WorkerInfo::alive).toList();
    }

    List<QueueAndKind> uncovered(Connection connection) throws SQLException {
        String from = "SELECT queue, kind FROM " + dialect.readyTable() + " WHERE state = 0 AND ";
        String order = " ORDER BY queue, kind LIMIT 1";
        List<QueueAndKind> found = new ArrayList<>();
        try (PreparedStatement nextKind =
                        connection.prepareStatement(dialect.sql(from + "queue = ? AND kind > ?" + order));
                PreparedStatement nextQueue = connection.prepareStatement(dialect.sql(from + "queue > ?" + order))) {
            QueueAndKind at = next(nextQueue, "");
            for (int steps = 0; at != null && steps < MOST; steps++) {
                if (!isCovered(at)) {
                    found.add(at);
                }
                QueueAndKind same = next(nextKind, at.queue(), at.kind());
                at = same != null ? same : next(nextQueue, at.queue());
            }
        }
        addLanes(connection, found);
        return found;
    }

    /**
     * A worker that meets a job of another kind in a lane gives it a row. So the lanes remain that no worker reads: those whose
     * first job nobody handles.
     */
    private void addLanes(Connection connection, List<QueueAndKind> found) throws SQLException {
        LaneReads lanes = new LaneReads(dialect);
        for (Lane lane : lanes.lanes(connection)) {
            List<String> first = lanes.kinds(connection, lane, 1);
            if (first.isEmpty() || isCovered(new QueueAndKind(lane.queue(), first.get(0)))) {
                continue;
            }
            for (String kind : lanes.kinds(connection, lane, MOST_READ)) {
                QueueAndKind at = new QueueAndKind(lane.queue(), kind);
                if (!isCovered(at) && !found.contains(at)) {
                    found.add(at);
                }
            }
        }
        found.sort(Comparator.comparing(QueueAndKind::queue).thenComparing(QueueAndKind::kind));
    }

    /** A worker that does not say which kinds it handles belongs to an older program. */
    private boolean isCovered(QueueAndKind place) {
        return live.stream()
                .anyMatch(worker -> worker.queues().contains(place.queue())
                        && (worker.kinds() == null || worker.kinds().contains(place.kind())));
    }

    private static @Nullable QueueAndKind next(PreparedStatement statement, String... after) throws SQLException {
        for (int i = 0; i < after.length; i++) {
            statement.setString(i + 1, after[i]);
        }
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? new QueueAndKind(row.getString(1), row.getString(2)) : null;
        }
    }
}
