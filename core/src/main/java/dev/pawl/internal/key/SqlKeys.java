package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.KeyTurns;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Jobs with keys as rows. */
public final class SqlKeys implements KeyTurns {
    private static final Duration SOON = Duration.ofMillis(50);
    private static final int MOST_AT_ONCE = 500;

    private final Database database;
    private final KeyRows rows;

    /**
     * @param database the pool and the dialect
     */
    public SqlKeys(Database database) {
        this.database = database;
        this.rows = new KeyRows(database.dialect());
    }

    @Override
    public Parked parkedAfter(Collection<String> queues, long after) throws SQLException {
        List<KeyRows.Parked> parked = database.autocommit(connection -> rows.parkedAfter(connection, after));
        Set<JobKey> keys = new LinkedHashSet<>();
        long last = after;
        for (KeyRows.Parked one : parked) {
            last = one.id();
            if (queues.contains(one.key().queue())) {
                keys.add(one.key());
            }
        }
        return new Parked(keys, last, parked.size() < KeyRows.MOST);
    }

    @Override
    public List<JobKey> ready(String queue, String after) throws SQLException {
        return database.autocommit(connection -> rows.ready(connection, queue, after, rows.most(connection, queue)));
    }

    @Override
    public List<JobKey> ended(String queue) throws SQLException {
        return database.autocommit(connection -> rows.ended(connection, queue));
    }

    /** In one order everywhere, though nobody waits for a lock. */
    @Override
    public LetGo letGo(Collection<JobKey> keys) throws SQLException {
        List<JobKey> sorted = keys.stream()
                .sorted(Comparator.comparing(JobKey::queue).thenComparing(JobKey::key))
                .toList();
        return database.transaction(connection -> {
            Map<String, Integer> most = new HashMap<>();
            Set<String> queues = new HashSet<>();
            Map<JobKey, Duration> again = new HashMap<>();
            for (JobKey key : sorted) {
                if (!most.containsKey(key.queue())) {
                    most.put(key.queue(), rows.most(connection, key.queue()));
                }
                if (!rows.lock(connection, key)) {
                    again.put(key, SOON);
                } else if (new Turn(connection, key, most.getOrDefault(key.queue(), 1)).take(again)) {
                    queues.add(key.queue());
                }
            }
            return new LetGo(queues, again);
        });
    }

    /** The jobs of a key, which is locked. */
    private final class Turn {
        private final Connection connection;
        private final JobKey key;
        private final int most;
        private boolean letGo;

        Turn(Connection connection, JobKey key, int most) {
            this.connection = connection;
            this.key = key;
            this.most = most;
        }

        /** {@return whether there is more to claim} */
        boolean take(Map<JobKey, Duration> again) throws SQLException {
            int underWay = underWay();
            while (underWay < most) {
                List<Long> next = rows.next(connection, key, Math.min(MOST_AT_ONCE, most - underWay));
                if (next.isEmpty()) {
                    break;
                }
                underWay += letGo(next);
            }
            if (underWay < most) {
                long wait = rows.untilNext(connection, key);
                if (wait >= 0) {
                    again.put(key, Duration.ofNanos(wait * 1000));
                } else if (underWay == 0) {
                    rows.forget(connection, key);
                }
            }
            return letGo;
        }

        /**
         * Those that run, or may at any moment. One that waits for a retry keeps its place if they go in order, and else
         * makes room for another one until its time has come.
         */
        private int underWay() throws SQLException {
            int count = 0;
            List<Long> ended = new ArrayList<>();
            for (KeyRows.Gone one : rows.letGo(connection, key)) {
                if (!one.isLive()) {
                    ended.add(one.id());
                } else if (!one.runs() && most > 1 && rows.park(connection, one.id())) {
                    rows.due(connection, key, one.id(), one.availableAt());
                } else {
                    count++;
                }
            }
            for (int from = 0; from < ended.size(); from += MOST_AT_ONCE) {
                rows.delete(connection, key, ended.subList(from, Math.min(ended.size(), from + MOST_AT_ONCE)));
            }
            return count;
        }

        /** {@return how many of them are under way now} What has ended while it was parked, because somebody wanted it to, is not. */
        private int letGo(List<Long> next) throws SQLException {
            int gone = rows.letGo(connection, next);
            letGo |= gone > 0;
            List<Long> live = gone == next.size() ? next : rows.live(connection, next);
            if (!live.isEmpty()) {
                rows.noteGone(connection, key, live);
            }
            if (live.size() < next.size()) {
                List<Long> ended = new ArrayList<>(next);
                ended.removeAll(live);
                rows.delete(connection, key, ended);
            }
            return live.size();
        }
    }
}
