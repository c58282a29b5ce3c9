package dev.pawl.internal.claim;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a claim of a busy queue begins to search: behind the last running job of each kind. InnoDB keeps an index entry of each claimed job
 * until it is purged, so a search from the start would step over all jobs that were claimed shortly before.
 */
final class SearchStart {
    private final Dialect dialect;

    SearchStart(Dialect dialect) {
        this.dialect = dialect;
    }

    /** A place in the order of the jobs of one kind and priority. */
    record Position(Instant availableAt, long id) {
        private static final Comparator<Position> ORDER =
                Comparator.comparing(Position::availableAt).thenComparingLong(Position::id);

        boolean isAfter(Position other) {
            return ORDER.compare(this, other) > 0;
        }
    }

    /**
     * What is known of the kinds.
     *
     * @param priority of the jobs behind the positions
     * @param positions of the last running job of each kind that has one
     * @param urgent the first smaller priority of each kind that has jobs there
     */
    record Starts(int priority, Map<String, Position> positions, Map<String, Integer> urgent) {
        static final Starts NONE = new Starts(0, Map.of(), Map.of());

        /** {@return where the jobs of a kind begin; null if they are searched from the first one} */
        @Nullable
        Position of(String kind, int ofPriority) {
            return ofPriority == priority ? positions.get(kind) : null;
        }

        /** {@return the first priority of a kind; null if it is not known} */
        @Nullable
        Integer firstPriority(String kind) {
            Integer smaller = urgent.get(kind);
            return smaller != null ? smaller : positions.containsKey(kind) ? (Integer) priority : null;
        }

        /** {@return whether one of these jobs was before the last running one} */
        boolean haveMissed(List<Grant> claimed) {
            return claimed.stream().map(Grant::job).anyMatch(job -> {
                Position last = of(job.kind(), job.priority());
                return last != null && last.isAfter(new Position(job.availableAt(), job.id()));
            });
        }
    }

    /** {@return the positions and the smaller priorities} */
    Starts read(Connection connection, ClaimRequest request, int priority) throws SQLException {
        Map<String, Position> positions = new HashMap<>();
        Map<String, Integer> urgent = new HashMap<>();
        for (List<String> some : PerKind.portions(request.kinds())) {
            String sql = dialect.sql(PerKind.unionOf(2 * some.size(), this::select));
            try (PreparedStatement statement = dialect.planned(connection, sql)) {
                int index = 1;
                for (String kind : some) {
                    for (int part = 0; part < 2; part++) {
                        statement.setString(index++, request.queue());
                        statement.setString(index++, kind);
                        statement.setInt(index++, priority);
                        statement.setString(index++, request.queue());
                    }
                }
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        String kind = some.get(rows.getInt("k"));
                        int found = rows.getInt("priority");
                        if (found < priority) {
                            urgent.put(kind, found);
                        } else {
                            Instant at = Objects.requireNonNull(dialect.moment(rows, "available_at"));
                            positions.put(kind, new Position(at, rows.getLong("id")));
                        }
                    }
                }
            }
        }
        return new Starts(priority, positions, urgent);
    }

    /** Two for each kind: the last running job, and the first available one of a smaller priority. */
    private String select(int index) {
        String columns =
                "SELECT " + index / 2 + " AS k, priority, available_at, id FROM " + dialect.readyTable() + " WHERE ";
        String open = " AND " + QueuePause.isOpen("?");
        return index % 2 == 0
                ? columns + RowStates.is(JobState.RUNNING) + " AND queue = ? AND kind = ? AND priority = ?" + open
                        + " ORDER BY available_at DESC, id DESC LIMIT 1"
                : columns + RowStates.CLAIMABLE + " AND queue = ? AND kind = ? AND priority < ?" + open
                        + " ORDER BY priority LIMIT 1";
    }
}
