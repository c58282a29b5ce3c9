package dev.pawl.internal.claim;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The oldest jobs of one priority across several kinds. Reads a few jobs of each kind, in the order of the index range of the kind, and
 * merges the kinds. If it has read too few jobs of a kind, it reads that kind again with a higher limit. So it reads few more rows than it
 * returns, even if there are many kinds.
 */
final class Heads {
    /** If the kinds times the limit are no more than this, each kind is read to the limit at once. */
    private static final int MAX_AT_ONCE = 500;

    private static final int DEEPER = 4;
    private static final Comparator<Head<?>> ORDER =
            Comparator.<Head<?>, Instant>comparing(Head::availableAt).thenComparingLong(Head::id);

    private Heads() {}

    /**
     * A job at the start of its kind's range.
     *
     * @param value read from its row
     */
    record Head<T>(String kind, Instant availableAt, long id, T value) {}

    /** Reads the first {@code limit} jobs of each of the kinds, each kind in order. */
    @FunctionalInterface
    interface Reading<T> {
        List<Head<T>> read(List<String> kinds, int limit) throws SQLException;
    }

    /** {@return the first {@code limit} jobs across all of the kinds, in order} */
    static <T> List<Head<T>> first(List<String> kinds, int limit, Reading<T> reading) throws SQLException {
        Map<String, Kind<T>> byKind = new HashMap<>();
        List<String> shallow = kinds;
        int depth = kinds.size() * limit <= MAX_AT_ONCE ? limit : Math.min(limit, 8 + 2 * limit / kinds.size());
        while (true) {
            for (String kind : shallow) {
                byKind.put(kind, new Kind<>(depth, new ArrayList<>()));
            }
            for (Head<T> head : reading.read(shallow, depth)) {
                byKind.getOrDefault(head.kind, new Kind<>(0, new ArrayList<>()))
                        .heads
                        .add(head);
            }
            List<Head<T>> first = byKind.values().stream()
                    .flatMap(kind -> kind.heads.stream())
                    .sorted(ORDER)
                    .limit(limit)
                    .toList();
            shallow = byKind.entrySet().stream()
                    .filter(kind -> kind.getValue().mayHaveMoreFor(first, limit))
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
            if (shallow.isEmpty()) {
                return first;
            }
            depth = Math.min(limit, depth * DEEPER);
        }
    }

    /** The first jobs of a kind, read with the limit {@code depth}. */
    private record Kind<T>(int depth, List<Head<T>> heads) {
        boolean mayHaveMoreFor(List<Head<T>> first, int limit) {
            if (depth >= limit || heads.size() < depth) {
                return false;
            }
            return first.size() < limit || ORDER.compare(heads.get(heads.size() - 1), first.get(limit - 1)) < 0;
        }
    }
}
