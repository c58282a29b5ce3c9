package dev.pawl.internal.cluster;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceCounts;
import dev.pawl.internal.store.QueueAndKind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds waiting jobs that no live worker handles. Steps from one queue and kind to the next along an index.
 */
final class Coverage {
    /** Maximum of queues and kinds that are found. */
    private static final int MAX = 1_000;

    /**
     * Maximum of steps for each waiting state, because each step is a statement. Queues and kinds that a worker handles also take steps.
     */
    private static final int MAX_STEPS = 10_000;

    private final Dialect dialect;
    private final List<Worker> live;

    /**
     * What a worker handles.
     *
     * @param queues their names
     * @param kinds their names
     */
    record Worker(Set<String> queues, Set<String> kinds) {}

    /**
     * @param dialect the product
     * @param live all live workers
     */
    Coverage(Dialect dialect, List<Worker> live) {
        this.dialect = dialect;
        this.live = live;
    }

    List<QueueAndKind> uncovered(Connection connection) throws SQLException {
        Set<QueueAndKind> found =
                new TreeSet<>(Comparator.comparing(QueueAndKind::queue).thenComparing(QueueAndKind::kind));
        for (JobState state : RowStates.waiting()) {
            found.addAll(ofRows(connection, state));
        }
        for (PlaceCounts place : JobPlaces.counts(dialect)) {
            found.addAll(place.uncovered(connection, this::isCovered));
        }
        return found.stream().limit(MAX).toList();
    }

    private List<QueueAndKind> ofRows(Connection connection, JobState state) throws SQLException {
        String from =
                "SELECT queue, kind FROM " + dialect.tableOf(state) + " WHERE " + RowStates.along(state) + " AND ";
        String order = " ORDER BY queue, kind LIMIT 1";
        Sql nextKind = dialect.statement(from + "queue = ? AND kind > ?" + order);
        Sql nextQueue = dialect.statement(from + "queue > ?" + order);
        List<QueueAndKind> found = new ArrayList<>();
        Optional<QueueAndKind> next = nextQueue.on(connection, "").first(Coverage::read);
        for (int steps = 0; next.isPresent() && steps < MAX_STEPS && found.size() < MAX; steps++) {
            QueueAndKind at = next.get();
            if (!isCovered(at)) {
                found.add(at);
            }
            next = nextKind.on(connection, at.queue(), at.kind()).first(Coverage::read);
            if (next.isEmpty()) {
                next = nextQueue.on(connection, at.queue()).first(Coverage::read);
            }
        }
        return found;
    }

    private boolean isCovered(QueueAndKind place) {
        return live.stream()
                .anyMatch(worker -> worker.queues().contains(place.queue())
                        && worker.kinds().contains(place.kind()));
    }

    private static QueueAndKind read(ResultSet row) throws SQLException {
        return new QueueAndKind(row.getString(1), row.getString(2));
    }
}
