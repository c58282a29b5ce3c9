package dev.pawl.internal.claim;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.ClaimRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Reads the ready jobs of a queue in the order of the claim, one priority after the other. Within a priority the index is read kind by
 * kind, each up to the first job that is not due, so delayed jobs and jobs of unknown kinds cost nothing.
 *
 * <p>If there are several kinds and rows are to be locked, a read without locks first finds how many of the oldest jobs each kind has. Then
 * that number of jobs of each kind is locked. So a claim locks no more rows than it takes. If the first jobs of a kind are locked already,
 * it takes the next jobs of that kind.
 */
final class ReadyJobs {
    private final Dialect dialect;
    private final String table;
    private final boolean locks;
    private final KindRanges heads;
    private final KindRanges ranges;

    /**
     * @param dialect the product
     * @param columns to read, the id first
     * @param table {@code pawl_job}, perhaps with an index hint
     * @param suffix the locking clause; may be empty
     */
    public ReadyJobs(Dialect dialect, String columns, String table, String suffix) {
        this.dialect = dialect;
        this.table = table;
        this.locks = !suffix.isEmpty();
        this.heads = new KindRanges(dialect, columns + ", available_at", table, "");
        this.ranges = new KindRanges(dialect, columns, table, suffix);
    }

    /** Reads one row of the result. */
    @FunctionalInterface
    public interface Row<T> {
        /**
         * @param row the current row
         * @return the value read
         * @throws SQLException from the driver
         */
        T read(ResultSet row) throws SQLException;
    }

    /** Reads up to {@code limit} jobs; none if the queue is paused. */
    public <T> List<T> read(Connection connection, ClaimRequest request, int limit, Row<T> reader) throws SQLException {
        List<T> found = new ArrayList<>();
        Levels levels = new Levels(connection, dialect, table, request);
        while (!levels.isEmpty()) {
            Level<T> level = new Level<>(connection, request.queue(), levels.priority(), reader);
            found.addAll(level.read(levels.kinds(), limit - found.size()));
            if (found.size() >= limit) {
                break;
            }
            levels.advance();
        }
        return found;
    }

    /** Reads the jobs of one priority. */
    private final class Level<T> {
        private final Connection connection;
        private final String queue;
        private final int priority;
        private final Row<T> reader;

        Level(Connection connection, String queue, int priority, Row<T> reader) {
            this.connection = connection;
            this.queue = queue;
            this.priority = priority;
            this.reader = reader;
        }

        List<T> read(List<String> kinds, int limit) throws SQLException {
            if (kinds.size() == 1) {
                return new ArrayList<>(range(kinds.get(0), limit).values());
            }
            List<Heads.Head<T>> first = Heads.first(kinds, limit, this::heads);
            return locks
                    ? lock(kinds, first, limit)
                    : first.stream().map(Heads.Head::value).toList();
        }

        private List<Heads.Head<T>> heads(List<String> kinds, int limit) throws SQLException {
            List<Heads.Head<T>> found = new ArrayList<>();
            List<KindRanges.Range> shares = kinds.stream()
                    .map(kind -> new KindRanges.Range(kind, limit))
                    .toList();
            heads.read(
                    connection,
                    queue,
                    priority,
                    shares,
                    (kind, row) -> found.add(new Heads.Head<>(
                            kind,
                            Objects.requireNonNull(dialect.moment(row, "available_at")),
                            row.getLong(1),
                            reader.read(row))));
            return found;
        }

        private List<T> lock(List<String> kinds, List<Heads.Head<T>> first, int limit) throws SQLException {
            Map<String, Integer> shares = new TreeMap<>();
            first.forEach(head -> shares.merge(head.kind(), 1, Integer::sum));
            Map<String, Map<Long, T>> locked = new TreeMap<>();
            kinds.forEach(kind -> locked.put(kind, new LinkedHashMap<>()));
            ranges.read(
                    connection,
                    queue,
                    priority,
                    shares.entrySet().stream()
                            .map(share -> new KindRanges.Range(share.getKey(), share.getValue()))
                            .toList(),
                    (kind, row) -> Objects.requireNonNull(locked.get(kind)).put(row.getLong(1), reader.read(row)));
            List<T> found = new ArrayList<>();
            locked.values().forEach(ofKind -> found.addAll(ofKind.values()));
            if (found.size() < first.size()) {
                fillUp(found, limit, locked, shares);
            }
            return found;
        }

        /** Takes more jobs of some kinds, because other workers took jobs of other kinds. */
        private void fillUp(List<T> found, int limit, Map<String, Map<Long, T>> locked, Map<String, Integer> shares)
                throws SQLException {
            for (Map.Entry<String, Map<Long, T>> kind : locked.entrySet()) {
                Map<Long, T> has = kind.getValue();
                if (found.size() >= limit || has.size() < shares.getOrDefault(kind.getKey(), 0)) {
                    continue; // enough, or no more of this kind
                }
                // Rows that this transaction itself has locked are not skipped, so they are found again.
                for (Map.Entry<Long, T> row :
                        range(kind.getKey(), has.size() + limit - found.size()).entrySet()) {
                    if (!has.containsKey(row.getKey()) && found.size() < limit) {
                        found.add(row.getValue());
                    }
                }
            }
        }

        private Map<Long, T> range(String kind, int limit) throws SQLException {
            Map<Long, T> found = new LinkedHashMap<>();
            ranges.read(
                    connection,
                    queue,
                    priority,
                    List.of(new KindRanges.Range(kind, limit)),
                    (same, row) -> found.put(row.getLong(1), reader.read(row)));
            return found;
        }
    }
}
