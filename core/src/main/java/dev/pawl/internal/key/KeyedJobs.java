package dev.pawl.internal.key;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.JobKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Adjusts the positions of jobs among the jobs of their concurrency key when an operator changes them. */
public final class KeyedJobs {
    private final Dialect dialect;

    /**
     * @param dialect the product
     */
    public KeyedJobs(Dialect dialect) {
        this.dialect = dialect;
    }

    private record Keyed(long id, String queue, String key, int priority, long due, boolean isBlocked) {
        JobKey jobKey() {
            return new JobKey(queue, key);
        }
    }

    /**
     * Blocks the jobs that have concurrency keys. Each job takes its position among the jobs of its key, and is not released before it
     * would have been available.
     *
     * @param connection in a transaction that has locked the jobs
     * @param ids of jobs that wait
     * @return the keys
     * @throws SQLException from the driver
     */
    public Set<JobKey> block(Connection connection, List<Long> ids) throws SQLException {
        List<Keyed> keyed = keyed(connection, ids);
        block(connection, keyed, null);
        return keyed.stream().map(Keyed::jobKey).collect(Collectors.toSet());
    }

    /**
     * Brings blocked jobs forward to their times. The next release moves them to their places among the due jobs. A job
     * that keeps its place among the due jobs while it waits is left there.
     *
     * @param connection in a transaction that has locked the jobs, and changed the times of some
     * @param ids of jobs that wait
     * @throws SQLException from the driver
     */
    public void bringForward(Connection connection, List<Long> ids) throws SQLException {
        List<Keyed> blocked =
                keyed(connection, ids).stream().filter(Keyed::isBlocked).toList();
        Sql sql = dialect.planned(
                "UPDATE pawl_keyed SET available_at = ? WHERE released + 0 = 0 AND available_at > ? AND job_id = ?");
        int[] unused = sql.batch(connection, blocked, one -> {
            long due = Math.max(1, one.due());
            return Sql.values(due, due, one.id());
        });
    }

    /** @param queue the queue to write; null for the queue of each job */
    private void block(Connection connection, List<Keyed> keyed, @Nullable String queue) throws SQLException {
        if (keyed.isEmpty()) {
            return;
        }
        List<Long> blocked = keyed.stream().map(Keyed::id).toList();
        int unusedCount = change(
                connection, "DELETE FROM pawl_keyed WHERE " + dialect.anyOf("job_id", blocked.size()), null, blocked);
        insert(connection, keyed, queue);
        Sql sql = dialect.planned("UPDATE pawl_job SET " + RowStates.is(JobState.BLOCKED) + " WHERE " + dialect.waits()
                + " AND " + dialect.anyOf("id", blocked.size()));
        sql.on(connection, blocked).run();
    }

    private void insert(Connection connection, List<Keyed> keyed, @Nullable String queue) throws SQLException {
        new KeyedInserts(dialect)
                .at(
                        connection,
                        keyed.stream()
                                .map(one -> new KeyedInserts.Position(
                                        queue == null ? one.queue : queue, one.key, one.id, one.priority, one.due))
                                .toList());
    }

    /** Omits pending and paused jobs, because they do not wait for their keys. */
    private List<Keyed> keyed(Connection connection, List<Long> ids) throws SQLException {
        String sql = "SELECT id, queue, job_key, priority, " + dialect.micros("available_at")
                + ", CASE WHEN available_at > " + dialect.now() + " THEN 1 ELSE 0 END, state FROM pawl_job WHERE "
                + dialect.anyOf("id", ids.size()) + " AND " + dialect.isIn(JobState.AVAILABLE, JobState.BLOCKED)
                + " AND job_key IS NOT NULL";
        List<Keyed> keyed = new ArrayList<>();
        dialect.planned(sql).on(connection, ids).each(rows -> {
            long due = rows.getInt(6) == 1 ? rows.getLong(5) : 0;
            keyed.add(new Keyed(
                    rows.getLong(1),
                    rows.getString(2),
                    rows.getString(3),
                    rows.getInt(4),
                    Math.max(0, due),
                    rows.getInt(7) == JobState.BLOCKED.code()));
        });
        return keyed;
    }

    /**
     * Reads the keys of jobs.
     *
     * @param connection to read with
     * @param table of live or of finished jobs
     * @param ids of jobs
     * @return the keys that these jobs have
     * @throws SQLException from the driver
     */
    public Set<String> keys(Connection connection, String table, List<Long> ids) throws SQLException {
        String sql = "SELECT DISTINCT job_key FROM " + table + " WHERE " + dialect.anyOf("id", ids.size())
                + " AND job_key IS NOT NULL";
        return new HashSet<>(dialect.planned(sql).on(connection, ids).strings());
    }

    /**
     * Gives jobs another priority among the jobs of their keys.
     *
     * @param connection in a transaction that has locked the jobs
     * @param ids of jobs that wait
     * @param priority the new one
     * @throws SQLException from the driver
     */
    public void prioritize(Connection connection, List<Long> ids, int priority) throws SQLException {
        String update = "UPDATE pawl_keyed SET priority = ? WHERE " + dialect.anyOf("job_id", ids.size());
        dialect.planned(update).on(connection, priority, ids).run();
    }

    /**
     * Makes a blocked job due before its time. The next release moves it to its place among the due jobs.
     *
     * @param connection in a transaction that has locked the job
     * @param jobId of a blocked job
     * @throws SQLException from the driver
     */
    public void dueNow(Connection connection, long jobId) throws SQLException {
        dialect.planned(
                        "UPDATE pawl_keyed SET available_at = 1 WHERE released + 0 = 0 AND available_at > 0 AND job_id = ?")
                .on(connection, jobId)
                .run();
    }

    /**
     * Removes jobs from the order of their keys.
     *
     * @param connection in a transaction that has locked the jobs
     * @param ids of jobs
     * @throws SQLException from the driver
     */
    public void forget(Connection connection, List<Long> ids) throws SQLException {
        int unused =
                change(connection, "DELETE FROM pawl_keyed WHERE " + dialect.anyOf("job_id", ids.size()), null, ids);
    }

    /**
     * Moves jobs to the keys of another queue. Released jobs are blocked there again, because neither the limit nor a pause of the key
     * there was checked for them.
     *
     * @param connection in a transaction that has locked the jobs, and not yet changed their queues
     * @param ids of jobs that wait
     * @param queue the new one
     * @return the keys to release, in both queues: jobs may be released in the new queue, and the moved jobs have made room in the old one
     * @throws SQLException from the driver
     */
    public Set<JobKey> move(Connection connection, List<Long> ids, String queue) throws SQLException {
        String update = "UPDATE pawl_keyed SET queue = ? WHERE " + dialect.anyOf("job_id", ids.size());
        int unused = change(connection, update, queue, ids);
        List<Keyed> moved = keyed(connection, ids).stream()
                .filter(one -> !one.queue.equals(queue))
                .toList();
        block(connection, moved.stream().filter(one -> !one.isBlocked).toList(), queue);
        forgetPaused(connection, ids);
        Set<JobKey> keys = new HashSet<>();
        for (Keyed one : moved) {
            keys.add(one.jobKey());
            keys.add(new JobKey(queue, one.key));
        }
        return keys;
    }

    /** Removes paused jobs from the order of their keys; a resume puts them back. */
    private void forgetPaused(Connection connection, List<Long> ids) throws SQLException {
        String paused = "SELECT id FROM pawl_job WHERE " + dialect.anyOf("id", ids.size()) + " AND "
                + dialect.isIn(JobState.PAUSED);
        List<Long> found = dialect.planned(paused).on(connection, ids).longs();
        if (!found.isEmpty()) {
            forget(connection, found);
        }
    }

    /**
     * Blocks the jobs whose keys are paused; otherwise they could run before the end of the pause. A concurrent pause is either detected
     * here, or applies to these jobs.
     *
     * @param connection in a transaction that has locked the jobs, and has made them available
     * @param ids of jobs that wait
     * @throws SQLException from the driver
     */
    public void blockIfKeyPaused(Connection connection, List<Long> ids) throws SQLException {
        SortedMap<String, SortedMap<String, List<Keyed>>> byKey = new TreeMap<>();
        keyed(connection, ids).stream()
                .filter(one -> !one.isBlocked)
                .forEach(one -> byKey.computeIfAbsent(one.queue, queue -> new TreeMap<>())
                        .computeIfAbsent(one.key, key -> new ArrayList<>())
                        .add(one));
        if (byKey.isEmpty()) {
            return;
        }
        String sql = "SELECT CASE WHEN paused_until > " + dialect.micros(dialect.now())
                + " THEN 1 ELSE 0 END FROM pawl_key WHERE queue = ? AND job_key = ? " + dialect.forUpdate();
        List<Keyed> paused = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
            for (Map.Entry<String, SortedMap<String, List<Keyed>>> queue : byKey.entrySet()) {
                for (Map.Entry<String, List<Keyed>> key : queue.getValue().entrySet()) {
                    statement.setString(1, queue.getKey());
                    statement.setString(2, key.getKey());
                    try (ResultSet row = statement.executeQuery()) {
                        if (row.next() && row.getInt(1) == 1) {
                            paused.addAll(key.getValue());
                        }
                    }
                }
            }
        }
        block(connection, paused, null);
    }

    private int change(Connection connection, String sql, @Nullable String value, List<Long> ids) throws SQLException {
        Sql.Bound change = dialect.planned(sql).on(connection);
        return (value == null ? change : change.bind(value)).bind(ids).update();
    }
}
