package dev.pawl.internal.unique;

import dev.pawl.internal.feature.Pruning;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
        String same = " WHERE kind = ? AND unique_key = ? AND job_id = ? AND " + spent;
        delete = dialect.statement("DELETE FROM pawl_unique" + same);
        keep = dialect.statement("UPDATE pawl_unique SET recheck_at = " + dialect.nowPlusMicros() + same);
    }

    private record Key(String kind, String key, long jobId, boolean isNeeded) {}

    /** Deletes keys by their own time; the age of jobs does not matter. */
    @Override
    public void prune(Instant keptSince) throws SQLException {
        List<Key> keys;
        do {
            keys = database.autocommit(this::spent);
            List<Key> free = keys.stream().filter(key -> !key.isNeeded).toList();
            if (!free.isEmpty()) {
                database.transaction(connection ->
                        delete.batch(connection, free, key -> Sql.values(key.kind, key.key, key.jobId)));
            }
            List<Key> needed = keys.stream().filter(key -> key.isNeeded).toList();
            if (!needed.isEmpty()) {
                database.transaction(connection ->
                        keep.batch(connection, needed, key -> Sql.values(TOMORROW, key.kind, key.key, key.jobId)));
            }
        } while (keys.size() == SLICE && !Thread.currentThread().isInterrupted());
    }

    private List<Key> spent(Connection connection) throws SQLException {
        List<Key> keys = new ArrayList<>();
        find.on(connection)
                .each(rows ->
                        keys.add(new Key(rows.getString(1), rows.getString(2), rows.getLong(3), rows.getInt(4) == 1)));
        keys.sort(Comparator.comparing(Key::kind).thenComparing(Key::key)); // the order in which enqueues lock keys
        return keys;
    }
}
