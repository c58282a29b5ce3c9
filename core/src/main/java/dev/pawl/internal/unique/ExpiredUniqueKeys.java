package dev.pawl.internal.unique;

import dev.pawl.internal.feature.Pruning;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Deletes expired unique keys. A key with a scope stays while its job exists, because the job may return to the scope: a running job may
 * wait for a retry, and a finished job may be revived. Such a key is checked again after a day. An enqueue does not rely on the deletion,
 * because it checks itself whether a key has expired.
 */
final class ExpiredUniqueKeys implements Pruning {
    private static final int SLICE = 1_000;
    private static final long TOMORROW = TimeUnit.DAYS.toMicros(1);

    private final Database database;
    private final Sql find;
    private final Sql lock;
    private final Sql delete;
    private final Sql keep;

    ExpiredUniqueKeys(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        String spent = "recheck_at <= " + dialect.now();
        // Reads both tables in one statement, because two statements could miss a job that moves from one table to the
        // other between them.
        String needed = """
                CASE WHEN u.scope IS NULL THEN 0
                     WHEN EXISTS (SELECT 1 FROM pawl_job j WHERE j.id = u.job_id) THEN 1
                     WHEN EXISTS (SELECT 1 FROM pawl_job_history h WHERE h.id = u.job_id) THEN 1
                     ELSE 0 END""";
        find = dialect.planned("SELECT u.kind, u.unique_key, u.job_id, " + needed + " FROM pawl_unique u WHERE u."
                + spent + " ORDER BY u.recheck_at LIMIT " + SLICE);
        // An enqueue holds its key until the end of its transaction. The next call prunes such a key.
        lock = dialect.planned("SELECT kind, unique_key, job_id FROM pawl_unique WHERE " + spent
                + " ORDER BY recheck_at LIMIT " + SLICE + " " + dialect.skipLocked());
        String same = " WHERE kind = ? AND unique_key = ? AND job_id = ? AND " + spent;
        delete = dialect.statement("DELETE FROM pawl_unique" + same);
        keep = dialect.statement("UPDATE pawl_unique SET recheck_at = " + dialect.nowPlusMicros() + same);
    }

    private record Row(String kind, String key, long jobId) {
        static Row read(ResultSet row) throws SQLException {
            return new Row(row.getString(1), row.getString(2), row.getLong(3));
        }
    }

    private record Key(Row row, boolean isNeeded) {}

    /** Deletes keys by their own time; the age of jobs does not matter. */
    @Override
    public void prune(Instant keptSince) throws SQLException {
        int pruned;
        do {
            List<Key> keys = database.autocommit(this::spent);
            pruned = keys.isEmpty() ? 0 : database.transaction(connection -> prune(connection, keys));
        } while (pruned == SLICE && !Thread.currentThread().isInterrupted());
    }

    private int prune(Connection connection, List<Key> keys) throws SQLException {
        List<Key> ours = new ArrayList<>(keys);
        if (database.dialect().skipsLockedRows()) {
            Set<Row> locked = Set.copyOf(lock.on(connection).list(Row::read));
            ours.removeIf(key -> !locked.contains(key.row));
        }
        int[] unused = delete.batch(
                connection,
                ours.stream().filter(key -> !key.isNeeded).toList(),
                key -> Sql.values(key.row.kind, key.row.key, key.row.jobId));
        unused = keep.batch(
                connection,
                ours.stream().filter(key -> key.isNeeded).toList(),
                key -> Sql.values(TOMORROW, key.row.kind, key.row.key, key.row.jobId));
        return ours.size();
    }

    private List<Key> spent(Connection connection) throws SQLException {
        List<Key> keys = new ArrayList<>();
        find.on(connection).each(rows -> keys.add(new Key(Row.read(rows), rows.getInt(4) == 1)));
        // the order in which enqueues lock keys
        keys.sort(Comparator.comparing((Key key) -> key.row.kind).thenComparing(key -> key.row.key));
        return keys;
    }
}
