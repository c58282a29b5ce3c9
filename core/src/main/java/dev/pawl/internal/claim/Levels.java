package dev.pawl.internal.claim;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.store.ClaimRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Iterates over the priorities that the wanted kinds use, smallest first. Each step of a kind is one probe of the index, no matter how
 * many delayed jobs and jobs of other kinds there are. Empty if the queue is paused.
 */
final class Levels {
    /** Below every possible priority. */
    private static final int BELOW_ALL = Short.MIN_VALUE - 1;

    private final Connection connection;
    private final Dialect dialect;
    private final String table;
    private final String queue;
    private final int maxPriority;
    /** The next priority of each kind that has one. */
    private final Map<String, Integer> next = new HashMap<>();

    Levels(Connection connection, Dialect dialect, String table, ClaimRequest request) throws SQLException {
        this.connection = connection;
        this.dialect = dialect;
        this.table = table;
        this.queue = request.queue();
        this.maxPriority = request.maxPriority();
        probe(request.kinds(), BELOW_ALL);
    }

    /** {@return whether there is no further priority} */
    boolean isEmpty() {
        return next.isEmpty();
    }

    /** {@return the current priority} */
    int priority() {
        return Collections.min(next.values());
    }

    /** {@return the kinds that use the current priority, always in the same order, which avoids deadlocks between claims} */
    List<String> kinds() {
        int priority = priority();
        return next.entrySet().stream()
                .filter(kind -> kind.getValue() == priority)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Advances to the next priority. */
    void advance() throws SQLException {
        int priority = priority();
        List<String> kinds = kinds();
        kinds.forEach(next::remove);
        probe(kinds, priority);
    }

    private void probe(List<String> kinds, int after) throws SQLException {
        for (List<String> some : PerKind.portions(kinds)) {
            String sql = dialect.sql(PerKind.unionOf(
                    some.size(),
                    index -> "SELECT " + index + " AS k, priority FROM "
                            + table + " WHERE " + RowStates.CLAIMABLE
                            + " AND queue = ? AND kind = ? AND priority > ? AND priority <= ?"
                            + " AND " + QueuePause.isOpen("?")
                            + " ORDER BY priority LIMIT 1"));
            try (PreparedStatement statement = dialect.planned(connection, sql)) {
                int index = 1;
                for (String kind : some) {
                    statement.setString(index++, queue);
                    statement.setString(index++, kind);
                    statement.setInt(index++, after);
                    statement.setInt(index++, maxPriority);
                    statement.setString(index++, queue);
                }
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        next.put(some.get(rows.getInt(1)), rows.getInt(2));
                    }
                }
            }
        }
    }
}
