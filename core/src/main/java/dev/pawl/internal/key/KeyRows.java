package dev.pawl.internal.key;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.limit.Rate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements over {@code pawl_keyed}, each for several locked keys of one queue. In statements that name jobs, the condition on {@code
 * released} is written so that no index on it is used. Otherwise PostgreSQL may use one, because it assumes that few jobs are released.
 */
final class KeyRows {
    private static final int BATCH = 500;

    private final Dialect dialect;
    private final KeyNames names;
    private final KeyLines lines;
    private final String now;
    private final String terms;

    KeyRows(Dialect dialect) {
        this.dialect = dialect;
        this.names = new KeyNames(dialect);
        this.lines = new KeyLines(dialect);
        this.now = dialect.micros(dialect.now());
        this.terms =
                "SELECT COALESCE(l.max_concurrency, 0), COALESCE(l.max_concurrency_shared, 0), l.rate_limit, l.rate_period, "
                        + any(KeyLines.table(dialect), "released = 1", "job_key, available_at, priority, job_id") + ", "
                        + (dialect.indexesDelayed()
                                ? any(
                                        "pawl_keyed",
                                        "released = 0 AND available_at > 0 AND available_at <= " + now,
                                        "available_at")
                                : "1")
                        + " FROM (SELECT 1 AS row_of_one) present LEFT JOIN pawl_limit l ON l.subject = 'keys' AND l.name = ?";
    }

    /**
     * {@return an expression: whether there is a row with the condition} It is ordered like the index, so that the index is read, however
     * many rows the planner expects.
     */
    private static String any(String table, String condition, String order) {
        return "COALESCE((SELECT 1 FROM " + table + " WHERE " + condition + " AND queue = ? ORDER BY " + order
                + " LIMIT 1), 0)";
    }

    /**
     * The terms on which jobs of the keys of a queue are released.
     *
     * @param most how many jobs of each key may be in flight at once
     * @param ordered whether jobs are ordered, so that a job that waits for a retry keeps its place
     * @param rate the rate of each key; null if there is none
     * @param anyReleased whether some released jobs of the queue have rows of their own
     * @param anyDue whether some delayed jobs have become due; also true if the database has no index that tells
     */
    record Terms(int most, boolean ordered, @Nullable Rate rate, boolean anyReleased, boolean anyDue) {}

    /**
     * @param keys the keys to release
     * @return the terms of the queue's keys, read by one statement, or by two if the keys share one limit
     */
    Terms terms(Connection connection, String queue, Collection<String> keys) throws SQLException {
        int maxConcurrency;
        int maxShared;
        Rate rate;
        boolean anyReleased;
        boolean anyDue;
        try (PreparedStatement statement = dialect.planned(connection, dialect.sql(terms))) {
            int parameters = dialect.indexesDelayed() ? 3 : 2;
            for (int index = 1; index <= parameters; index++) {
                statement.setString(index, queue);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                anyReleased = row.getBoolean(5);
                anyDue = row.getBoolean(6);
                maxConcurrency = row.getInt(1);
                maxShared = row.getInt(2);
                int starts = row.getInt(3);
                rate = row.wasNull() ? null : KeyRates.rate(starts, row.getLong(4));
            }
        }
        if (maxShared == 0) {
            return new Terms(Math.max(1, maxConcurrency), maxConcurrency <= 1, rate, anyReleased, anyDue);
        }
        Set<String> sharing = keysInFlight(connection, queue);
        sharing.addAll(keys);
        int part = Math.max(1, maxShared / Math.max(1, sharing.size()));
        int most = maxConcurrency == 0 ? part : Math.min(maxConcurrency, part);
        return new Terms(most, maxConcurrency == 1, rate, anyReleased, anyDue);
    }

    /**
     * {@return the keys with jobs in flight, which share the limit} Each key may have at least one job in flight, so no key with due jobs
     * waits for long. Keys that have only blocked jobs do not count.
     */
    private Set<String> keysInFlight(Connection connection, String queue) throws SQLException {
        Set<String> keys = new HashSet<>();
        Sql sql = dialect.planned("SELECT job_key FROM pawl_key WHERE queue = ? AND has_in_flight = 1"
                + " UNION SELECT job_key FROM pawl_keyed WHERE released = 1 AND queue = ?");
        sql.on(connection, queue, queue).each(rows -> keys.add(rows.getString(1)));
        return keys;
    }

    /**
     * A job that was released.
     *
     * @param key its key
     * @param id its id
     * @param isLive whether it has not ended
     * @param runs whether it is running, or may start at any moment
     * @param waits whether it is not running yet, and may start at any moment
     * @param isPaused whether it waits until its batch goes on
     * @param availableAt when it may be claimed, in microseconds since 1970
     * @param now when it was read, in microseconds since 1970
     * @param isNamed whether the row of its key names it; if not, it has a row of its own
     */
    record ReleasedJob(
            String key,
            long id,
            boolean isLive,
            boolean runs,
            boolean waits,
            boolean isPaused,
            long availableAt,
            long now,
            boolean isNamed) {
        /** {@return a job that the row of its key names, and that has no live row any more} */
        static ReleasedJob ended(String key, long id) {
            return new ReleasedJob(key, id, false, false, false, false, 0, 0, true);
        }

        /** {@return a job that has not ended} */
        static ReleasedJob live(String key, long id, JobState state, long availableAt, long now, boolean isNamed) {
            boolean runs = state == JobState.RUNNING;
            boolean waits = state == JobState.AVAILABLE && availableAt <= now;
            return new ReleasedJob(
                    key, id, true, runs || waits, waits, state == JobState.PAUSED, availableAt, now, isNamed);
        }

        /** {@return whether it does not run yet, but may start within a number of microseconds} */
        boolean isBehind(long micros) {
            return waits || (!runs && !isPaused && availableAt <= now + micros);
        }
    }

    /** {@return the released jobs that have rows of their own} The query is not a join, because a server may read all jobs for a join. */
    List<ReleasedJob> released(Connection connection, String queue, Collection<String> keys) throws SQLException {
        String of = "(SELECT %s FROM " + dialect.jobsById() + " WHERE id = k.job_id AND " + dialect.isLive() + "), ";
        String columns = "k.job_id, " + of.formatted("state") + of.formatted(dialect.micros("available_at")) + now;
        List<ReleasedJob> released = new ArrayList<>();
        lines.readReleased(connection, columns, queue, keys, row -> {
            int state = row.getInt(3);
            released.add(
                    row.wasNull()
                            ? new ReleasedJob(row.getString(1), row.getLong(2), false, false, false, false, 0, 0, false)
                            : ReleasedJob.live(
                                    row.getString(1),
                                    row.getLong(2),
                                    JobState.ofCode(state),
                                    row.getLong(4),
                                    row.getLong(5),
                                    false));
        });
        return released;
    }

    /**
     * Reads the next blocked jobs: as many rows as there is room for, however many jobs are blocked.
     *
     * @param room the number of jobs to read of each key
     * @return the ids of the next blocked jobs of each key, in order
     */
    Map<String, List<Long>> next(Connection connection, String queue, Map<String, Integer> room) throws SQLException {
        Map<String, List<Long>> next = new HashMap<>();
        lines.read(
                connection,
                "job_id",
                "available_at = 0",
                queue,
                room,
                row -> next.computeIfAbsent(row.getString(1), key -> new ArrayList<>())
                        .add(row.getLong(2)));
        return next;
    }

    /**
     * Moves delayed jobs that have become due to their places among the due jobs.
     *
     * @param most the maximum number of jobs of each key
     * @return whether some jobs could not be moved, because they are locked
     */
    boolean advanceDue(Connection connection, String queue, Map<String, Integer> most) throws SQLException {
        List<Long> late = new ArrayList<>();
        lines.read(
                connection,
                "job_id",
                "available_at > 0 AND available_at <= " + now,
                queue,
                most,
                row -> late.add(row.getLong(2)));
        boolean all = true;
        for (int from = 0; from < late.size(); from += BATCH) {
            List<Long> some = late.subList(from, Math.min(late.size(), from + BATCH));
            List<Long> due = unlocked(connection, some);
            List<Long> rest = new ArrayList<>(some);
            rest.removeAll(due);
            if (!rest.isEmpty()) {
                List<Long> live = live(connection, rest);
                all &= live.isEmpty();
                rest.removeAll(live);
                due.addAll(rest); // these jobs have ended, which the release will find
            }
            if (!due.isEmpty()) {
                String update =
                        "UPDATE " + dialect.alongIds("pawl_keyed") + " SET available_at = 0 WHERE released + 0 = 0";
                change(connection, update, due);
            }
        }
        return !all;
    }

    /** {@return the jobs that no other transaction has locked; a transaction that has locked a job may change its time} */
    private List<Long> unlocked(Connection connection, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned("SELECT id FROM " + dialect.jobsById() + " WHERE " + dialect.anyOf("id", ids.size())
                + " " + dialect.skipLocked());
        return new ArrayList<>(sql.on(connection, ids).longs());
    }

    /** {@return the keys that have jobs} */
    List<String> keysWithJobs(Connection connection, String queue, Collection<String> keys) throws SQLException {
        return names.read(
                connection,
                "SELECT DISTINCT job_key FROM pawl_keyed WHERE released IN (0, 1) AND queue = ? AND "
                        + names.anyOf(keys),
                queue,
                keys);
    }

    /** {@return how long until the first blocked job of each key is due, in microseconds; only of keys with blocked jobs} */
    Map<String, Long> untilNext(Connection connection, String queue, Collection<String> keys) throws SQLException {
        Map<String, Integer> first = new LinkedHashMap<>();
        keys.forEach(key -> first.put(key, 1));
        Map<String, Long> wait = new HashMap<>();
        lines.read(
                connection,
                "available_at - " + now,
                "available_at >= 0",
                queue,
                first,
                row -> wait.put(row.getString(1), Math.max(0, row.getLong(2))));
        return wait;
    }

    /**
     * The result of a release, by job.
     *
     * @param live the jobs that are in flight now
     * @param early the jobs of {@code live} that had been released early on request: they run, are due, or wait for a retry
     * @param locked the jobs that are still blocked, because their rows are locked
     * @param ended the jobs that have ended
     */
    record ReleaseResult(List<Long> live, List<Long> early, List<Long> locked, List<Long> ended) {}

    /**
     * Releases blocked jobs, without waiting for locked rows: a transaction of a handler may hold a row for long, and other keys would be
     * locked during the wait. A job that was moved to another queue at this moment is released there, with its key. A job that was run
     * before its release is in flight already: if it waits for a retry, it goes on waiting.
     */
    ReleaseResult release(Connection connection, String queue, List<Long> ids) throws SQLException {
        List<Long> ours = blocked(connection, ids, "AND COALESCE(queue, '') = ? " + dialect.skipLocked(), queue);
        if (!ours.isEmpty()) {
            Sql sql =
                    dialect.planned("UPDATE " + dialect.jobsById() + " SET " + RowStates.CLAIMABLE + ", available_at = "
                            + dialect.now() + " WHERE " + dialect.anyOf("id", ours.size()) + " AND "
                            + dialect.isIn(JobState.BLOCKED));
            sql.on(connection, ours).run();
        }
        if (ours.size() == ids.size()) {
            return new ReleaseResult(ids, List.of(), List.of(), List.of());
        }
        Set<Long> locked = new HashSet<>(blocked(connection, ids, "")); // without locks
        ours.forEach(locked::remove);
        Set<Long> there = new HashSet<>(live(connection, ids));
        List<Long> live = ids.stream()
                .filter(id -> there.contains(id) && !locked.contains(id))
                .toList();
        List<Long> early = new ArrayList<>(live);
        early.removeAll(new HashSet<>(ours));
        return new ReleaseResult(
                live,
                early,
                ids.stream()
                        .filter(id -> there.contains(id) && locked.contains(id))
                        .toList(),
                ids.stream().filter(id -> !there.contains(id)).toList());
    }

    /** {@return the jobs that are blocked} */
    private List<Long> blocked(Connection connection, List<Long> ids, String condition, String... values)
            throws SQLException {
        String sql = "SELECT id FROM " + dialect.jobsById() + " WHERE " + dialect.anyOf("id", ids.size()) + " AND "
                + dialect.isIn(JobState.BLOCKED) + " " + condition;
        return on(connection, sql, ids).bind((Object[]) values).longs();
    }

    /** {@return whether the job still waited for a retry, and is blocked now} */
    boolean block(Connection connection, String queue, long id) throws SQLException {
        return block(connection, queue, id, " AND available_at > " + dialect.now());
    }

    /** {@return whether the job did not run yet, and is blocked now} */
    boolean blockAgain(Connection connection, String queue, long id) throws SQLException {
        return block(connection, queue, id, "");
    }

    /**
     * Does nothing if the row is locked, because the job is then in flight or soon will be, or if the job was blocked or moved just now.
     */
    private boolean block(Connection connection, String queue, long id, String condition) throws SQLException {
        String lock = "SELECT id FROM " + dialect.jobsById() + " WHERE " + dialect.anyOf("id", 1) + " AND "
                + dialect.isClaimable() + " AND COALESCE(queue, '') = ? " + dialect.skipLocked();
        if (ids(connection, lock, List.of(id), queue).isEmpty()) {
            return false;
        }
        Sql sql = dialect.planned("UPDATE pawl_job SET " + RowStates.is(JobState.BLOCKED) + " WHERE id = ? AND "
                + dialect.isClaimable() + condition);
        return sql.on(connection, id).update() == 1;
    }

    /** {@return the jobs that have not ended} */
    List<Long> live(Connection connection, List<Long> ids) throws SQLException {
        return ids(
                connection, "SELECT id FROM " + dialect.jobsById() + " WHERE " + dialect.anyOf("id", ids.size()), ids);
    }

    private List<Long> ids(Connection connection, String sql, List<Long> of, String... values) throws SQLException {
        return on(connection, sql, of).bind((Object[]) values).longs();
    }

    /** Marks the rows of released jobs that the rows of their keys do not name. */
    void markReleased(Connection connection, List<Long> ids) throws SQLException {
        change(
                connection,
                "UPDATE " + dialect.alongIds("pawl_keyed") + " SET released = 1 WHERE released + 0 = 0",
                ids);
    }

    /** Deletes the rows of released jobs. */
    void deleteReleased(Connection connection, List<Long> ids) throws SQLException {
        change(connection, "DELETE FROM pawl_keyed WHERE released + 0 = 1", ids);
    }

    /** {@return the jobs that are blocked, after locking their rows} */
    List<Long> lockBlocked(Connection connection, List<Long> ids) throws SQLException {
        return ids(
                connection,
                "SELECT job_id FROM pawl_keyed WHERE released + 0 = 0 AND " + dialect.anyOf("job_id", ids.size())
                        + " ORDER BY job_id " + dialect.forUpdate(),
                ids);
    }

    /** Deletes the rows of blocked jobs, which are named in the rows of their keys now, or have ended. */
    void deleteBlocked(Connection connection, List<Long> ids) throws SQLException {
        change(connection, dialect.deleteAlongIds("pawl_keyed") + " WHERE released + 0 = 0", ids);
    }

    private void change(Connection connection, String what, List<Long> ids) throws SQLException {
        on(connection, what + " AND " + dialect.anyOf("job_id", ids.size()), ids)
                .run();
    }

    /**
     * Writes the row of a released job that is blocked again. The job is due at {@code due}, in microseconds since 1970; 0 puts it among
     * the due jobs.
     */
    void blocked(Connection connection, String queue, ReleasedJob one, long due) throws SQLException {
        if (one.isNamed()) {
            insert(connection, queue, one, due);
        } else {
            update(connection, one.id(), due);
        }
    }

    /**
     * Writes the row of a job that the row of its key names. It replaces an old row, which remains if the job was blocked in the meantime
     * and then run at once. This transaction has locked the job.
     */
    private void insert(Connection connection, String queue, ReleasedJob one, long due) throws SQLException {
        change(connection, "DELETE FROM pawl_keyed WHERE released + 0 >= 0", List.of(one.id()));
        Sql sql = dialect.planned("INSERT INTO pawl_keyed (queue, job_key, job_id, priority, available_at, released)"
                + " SELECT ?, ?, id, priority, ?, 0 FROM pawl_job WHERE id = ?");
        sql.on(connection, queue, one.key(), Math.max(0, due), one.id()).run();
    }

    private void update(Connection connection, long id, long due) throws SQLException {
        String sql = "UPDATE pawl_keyed SET released = 0, available_at = ? WHERE released + 0 = 1 AND job_id = ?";
        on(connection, sql, Math.max(0, due), id).run();
    }

    private Sql.Bound on(Connection connection, String sql, @Nullable Object... values) {
        return dialect.planned(sql).on(connection, values);
    }
}
