package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.KeyTurns;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
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
                List<Long> next = rows.next(connection, key, most - underWay);
                for (long id : next) {
                    underWay += letGo(id) ? 1 : 0;
                }
                if (next.isEmpty()) {
                    break;
                }
            }
            long wait = rows.untilNext(connection, key);
            if (wait >= 0 && underWay < most) {
                again.put(key, Duration.ofNanos(wait * 1000));
            } else if (wait < 0 && underWay == 0) {
                rows.forget(connection, key);
            }
            return letGo;
        }

        /**
         * Those that run, or may at any moment. One that waits for a retry keeps its place if they go in order, and else
         * makes room for another one until its time has come.
         */
        private int underWay() throws SQLException {
            int count = 0;
            for (KeyRows.Gone one : rows.letGo(connection, key)) {
                if (!one.isLive()) {
                    rows.delete(connection, key, one.id());
                } else if (!one.runs() && most > 1 && rows.park(connection, one.id())) {
                    rows.due(connection, key, one.id(), one.availableAt());
                } else {
                    count++;
                }
            }
            return count;
        }

        private boolean letGo(long id) throws SQLException {
            if (rows.letGo(connection, id)) {
                letGo = true;
            } else if (!rows.isLive(connection, id)) {
                rows.delete(connection, key, id);
                return false;
            }
            rows.note(connection, key, id, true);
            return true;
        }
    }
}
