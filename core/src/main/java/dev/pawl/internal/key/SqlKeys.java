package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.KeyTurns;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Jobs with keys as rows. */
public final class SqlKeys implements KeyTurns {
    private static final Duration SOON = Duration.ofMillis(50);

    private final Database database;
    private final KeySearch search;
    private final KeyLocks locks;
    private final KeyRows rows;

    /**
     * @param database the pool and the dialect
     */
    public SqlKeys(Database database) {
        this.database = database;
        this.search = new KeySearch(database.dialect());
        this.locks = new KeyLocks(database.dialect());
        this.rows = new KeyRows(database.dialect());
    }

    @Override
    public Parked parkedAfter(Collection<String> queues, long after) throws SQLException {
        List<KeySearch.Parked> parked = database.autocommit(connection -> search.parkedAfter(connection, after));
        Set<JobKey> keys = new LinkedHashSet<>();
        long last = after;
        for (KeySearch.Parked one : parked) {
            last = one.id();
            if (queues.contains(one.key().queue())) {
                keys.add(one.key());
            }
        }
        return new Parked(keys, last, parked.size() < KeySearch.MOST);
    }

    @Override
    public Ready ready(String queue, String after) throws SQLException {
        return database.autocommit(
                connection -> search.ready(connection, queue, after, rows.terms(connection, queue, Set.of())));
    }

    @Override
    public List<JobKey> ended(String queue) throws SQLException {
        return database.autocommit(connection -> search.ended(connection, queue));
    }

    @Override
    public void forgetEmpty(String queue) throws SQLException {
        SortedSet<String> empty = database.autocommit(connection -> new TreeSet<>(locks.empty(connection, queue)));
        if (!empty.isEmpty()) {
            int unused = database.transaction(connection -> {
                SortedSet<String> locked = locks.lockKnown(connection, queue, empty);
                if (!locked.isEmpty()) {
                    locked.removeAll(rows.keysWithJobs(connection, queue, locked));
                    if (!locked.isEmpty()) {
                        locks.forget(connection, queue, locked);
                    }
                }
                return locked.size();
            });
        }
    }

    /** In one order everywhere, though nobody waits for a lock. */
    @Override
    public LetGo letGo(Collection<JobKey> keys) throws SQLException {
        SortedMap<String, SortedSet<String>> byQueue = new TreeMap<>();
        keys.forEach(each ->
                byQueue.computeIfAbsent(each.queue(), queue -> new TreeSet<>()).add(each.key()));
        return database.transaction(connection -> {
            Set<String> queues = new HashSet<>();
            Map<JobKey, Duration> again = new HashMap<>();
            for (Map.Entry<String, SortedSet<String>> each : byQueue.entrySet()) {
                String queue = each.getKey();
                SortedSet<String> locked = locks.lock(connection, queue, each.getValue());
                for (String key : each.getValue()) {
                    if (!locked.contains(key)) {
                        again.put(new JobKey(queue, key), SOON);
                    }
                }
                if (!locked.isEmpty()) {
                    Turn turn = new Turn(rows, connection, queue, locked, rows.terms(connection, queue, locked));
                    if (turn.take()) {
                        queues.add(queue);
                    }
                    turn.waits().forEach((key, wait) -> again.put(new JobKey(queue, key), wait));
                    if (!turn.empty().isEmpty()) {
                        locks.forget(connection, queue, turn.empty());
                    }
                }
            }
            return new LetGo(queues, again);
        });
    }
}
