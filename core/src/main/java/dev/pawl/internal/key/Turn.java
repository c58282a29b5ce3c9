package dev.pawl.internal.key;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lets jobs of several keys of one queue go, within a transaction that has locked the keys. */
final class Turn {
    /** Of all keys together: transactions stay short. */
    private static final int MOST_LET_GO = 1_000;

    private static final int BATCH = 500;
    /** What is left has its turn at once. */
    private static final int MOST_PASSES = 5;

    private final KeyRows rows;
    private final Connection connection;
    private final String queue;
    private final Collection<String> keys;
    private final int most;
    private final boolean ordered;
    private final int share;
    private final Map<String, Integer> underWay = new HashMap<>();
    private final Map<String, Duration> waits = new HashMap<>();
    private final List<String> empty = new ArrayList<>();

    /**
     * @param keys which are locked
     * @param terms how they are let go
     */
    Turn(KeyRows rows, Connection connection, String queue, Collection<String> keys, KeyRows.Terms terms) {
        this.rows = rows;
        this.connection = connection;
        this.queue = queue;
        this.keys = keys;
        this.most = terms.most();
        this.ordered = terms.ordered();
        this.share = Math.max(1, MOST_LET_GO / keys.size());
    }

    /** {@return keys to look at again, and when} */
    Map<String, Duration> waits() {
        return waits;
    }

    /** {@return keys without any job} */
    List<String> empty() {
        return empty;
    }

    /** {@return whether there is more to claim} */
    boolean take() throws SQLException {
        countUnderWay();
        boolean some = false;
        Map<String, Integer> room = new LinkedHashMap<>();
        keys.forEach(key -> room.put(key, room(key)));
        room.values().removeIf(size -> size == 0);
        List<String> spare = new ArrayList<>();
        for (int pass = 1; pass <= MOST_PASSES && !room.isEmpty(); pass++) {
            Map<String, List<Long>> next = rows.next(connection, queue, room);
            Set<Long> live = letGo(next.values().stream().flatMap(List::stream).toList());
            some |= !live.isEmpty();
            for (Map.Entry<String, Integer> each : List.copyOf(room.entrySet())) {
                String key = each.getKey();
                List<Long> found = next.getOrDefault(key, List.of());
                int gone = (int) found.stream().filter(live::contains).count();
                underWay.merge(key, gone, Integer::sum);
                if (found.size() < each.getValue()) {
                    spare.add(key);
                } else if (gone == found.size() && room(key) > 0) {
                    waits.put(key, Duration.ZERO);
                }
                if (found.size() < each.getValue() || gone == found.size()) {
                    room.remove(key);
                } else {
                    room.put(key, room(key));
                }
            }
            if (!room.isEmpty()) {
                deleteDead(room.keySet());
            }
        }
        room.keySet().forEach(key -> waits.put(key, Duration.ZERO));
        seeWhatIsLater(spare);
        return some;
    }

    /** Where one has ended while it was parked there may be many: all that somebody has cancelled. */
    private void deleteDead(Collection<String> some) throws SQLException {
        Map<String, Integer> many = new LinkedHashMap<>();
        some.forEach(key -> many.put(key, Math.max(1, MOST_LET_GO / some.size())));
        for (List<Long> ids : batches(rows.next(connection, queue, many).values().stream()
                .flatMap(List::stream)
                .toList())) {
            List<Long> ended = new ArrayList<>(ids);
            ended.removeAll(new HashSet<>(rows.live(connection, ids)));
            deleteParked(ended);
        }
    }

    /** A person may have it run again at this moment: whoever does holds the row, or waits for it. */
    private void deleteParked(List<Long> ended) throws SQLException {
        if (!ended.isEmpty()) {
            List<Long> locked = rows.lockParked(connection, ended);
            if (!locked.isEmpty()) {
                List<Long> still = new ArrayList<>(locked);
                still.removeAll(new HashSet<>(rows.live(connection, locked)));
                if (!still.isEmpty()) {
                    rows.deleteParked(connection, still);
                }
            }
        }
    }

    private int count(String key) {
        return underWay.getOrDefault(key, 0);
    }

    private int room(String key) {
        return Math.max(0, Math.min(share, most - count(key)));
    }

    private void seeWhatIsLater(List<String> spare) throws SQLException {
        if (spare.isEmpty()) {
            return;
        }
        Map<String, Long> later = rows.untilNext(connection, queue, spare);
        for (String key : spare) {
            Long wait = later.get(key);
            if (wait != null) {
                waits.put(key, Duration.ofNanos(wait * 1000));
            } else if (count(key) == 0) {
                empty.add(key);
            }
        }
    }

    /**
     * Counts those that run, or may at any moment. One that waits for a retry keeps its place if they go in order, and else
     * makes room for another one until its time has come.
     */
    private void countUnderWay() throws SQLException {
        List<Long> ended = new ArrayList<>();
        for (KeyRows.Gone one : rows.letGo(connection, queue, keys)) {
            if (!one.isLive()) {
                ended.add(one.id());
            } else if (!one.runs() && !ordered && rows.park(connection, one.id())) {
                rows.parked(connection, one.id(), one.availableAt());
            } else {
                underWay.merge(one.key(), 1, Integer::sum);
            }
        }
        for (List<Long> some : batches(ended)) {
            rows.deleteGone(connection, some);
        }
    }

    /** {@return those that are under way now} What has ended while it was parked, because somebody wanted it to, is not. */
    private Set<Long> letGo(List<Long> next) throws SQLException {
        Set<Long> all = new HashSet<>();
        for (List<Long> some : batches(next)) {
            int gone = rows.letGo(connection, some);
            List<Long> live = gone == some.size() ? some : rows.live(connection, some);
            all.addAll(live);
            if (!live.isEmpty()) {
                rows.noteGone(connection, live);
            }
            if (live.size() < some.size()) {
                List<Long> ended = new ArrayList<>(some);
                ended.removeAll(live);
                deleteParked(ended);
            }
        }
        return all;
    }

    private static List<List<Long>> batches(List<Long> ids) {
        List<List<Long>> batches = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += BATCH) {
            batches.add(ids.subList(from, Math.min(ids.size(), from + BATCH)));
        }
        return batches;
    }
}
