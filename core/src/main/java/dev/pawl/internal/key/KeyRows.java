package dev.pawl.internal.key;

import dev.pawl.Job;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.KeyTurns.JobKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The statements over {@code pawl_keyed} and {@code pawl_key}. */
final class KeyRows {
    static final int MOST = 1_000;
    /** Of jobs that have ended, and whose rows are soon swept to the history. */
    private static final int MARKED = 2;

    private static final String IS = " WHERE queue = ? AND job_key = ?";

    private final Dialect dialect;
    private final String now;

    KeyRows(Dialect dialect) {
        this.dialect = dialect;
        this.now = dialect.micros(dialect.now());
    }

    /** A job that was parked. */
    record Parked(long id, JobKey key) {}

    List<Parked> parkedAfter(Connection connection, long after) throws SQLException {
        List<Parked> parked = new ArrayList<>();
        try (PreparedStatement statement = prepare(
                connection,
                "SELECT job_id, queue, job_key FROM pawl_keyed WHERE let_go = 0 AND job_id > ? ORDER BY job_id LIMIT "
                        + MOST)) {
            statement.setLong(1, after);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    parked.add(new Parked(rows.getLong(1), new JobKey(rows.getString(2), rows.getString(3))));
                }
            }
        }
        return parked;
    }

    /** {@return keys with parked jobs that are due, and fewer than so many under way} */
    List<JobKey> ready(Connection connection, String queue, String after, int most) throws SQLException {
        String sql = """
                SELECT d.job_key
                  FROM (SELECT DISTINCT job_key FROM pawl_keyed
                         WHERE queue = ? AND job_key > ? AND let_go = 0 AND due <= %s) d
                 WHERE (SELECT COUNT(*) FROM pawl_keyed r JOIN pawl_job j ON j.id = r.job_id
                         WHERE r.queue = ? AND r.job_key = d.job_key AND r.let_go = 1 AND j.state < 2 %s) < ?
                 ORDER BY d.job_key LIMIT %d
                """.formatted(
                        now, most > 1 ? "AND (j.state > 0 OR j.available_at <= " + dialect.now() + ")" : "", MOST);
        List<JobKey> keys = new ArrayList<>();
        try (PreparedStatement statement = prepare(connection, sql)) {
            statement.setString(1, queue);
            statement.setString(2, after);
            statement.setString(3, queue);
            statement.setInt(4, most);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    keys.add(new JobKey(queue, rows.getString(1)));
                }
            }
        }
        return keys;
    }

    /** {@return keys with jobs that have ended and were not noted, because a crash or somebody's hand was in between} */
    List<JobKey> ended(Connection connection, String queue) throws SQLException {
        String sql = "SELECT DISTINCT queue, job_key FROM pawl_keyed WHERE let_go = 1 AND queue = ?"
                + " AND NOT EXISTS (SELECT 1 FROM pawl_job j WHERE j.id = job_id AND j.state < " + MARKED + ") LIMIT "
                + MOST;
        List<JobKey> keys = new ArrayList<>();
        try (PreparedStatement statement = prepare(connection, sql)) {
            statement.setString(1, queue);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    keys.add(new JobKey(rows.getString(1), rows.getString(2)));
                }
            }
        }
        return keys;
    }

    /** {@return how many jobs of each key of a queue may be under way at once} */
    int most(Connection connection, String queue) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection, "SELECT at_once FROM pawl_limit WHERE subject = 'keys' AND name = ? AND at_once > 0")) {
            statement.setString(1, queue);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : 1;
            }
        }
    }

    /**
     * {@return false if somebody else has locked it} Looks before it inserts: on InnoDB even an insert that finds the row
     * locks it, so that many who try at the same time would all find it locked.
     */
    boolean lock(Connection connection, JobKey key) throws SQLException {
        return exists(connection, key, dialect.skipLocked())
                || (!exists(connection, key, "") && create(connection, key));
    }

    private boolean exists(Connection connection, JobKey key, String lock) throws SQLException {
        try (PreparedStatement statement = about(connection, "SELECT 1 FROM pawl_key" + IS + " " + lock, key);
                ResultSet row = statement.executeQuery()) {
            return row.next();
        }
    }

    private boolean create(Connection connection, JobKey key) throws SQLException {
        try (PreparedStatement statement =
                about(connection, dialect.insertIfMissing("pawl_key (queue, job_key) VALUES (?, ?)"), key)) {
            return statement.executeUpdate() == 1;
        }
    }

    /**
     * A job that was let go.
     *
     * @param id its id
     * @param isLive whether it has not ended
     * @param runs whether it is running, or may be at any moment
     * @param availableAt when it may be claimed, in microseconds since 1970
     */
    record Gone(long id, boolean isLive, boolean runs, long availableAt) {}

    List<Gone> letGo(Connection connection, JobKey key) throws SQLException {
        String sql = "SELECT k.job_id, j.state, CASE WHEN j.available_at <= " + dialect.now() + " THEN 1 ELSE 0 END, "
                + dialect.micros("j.available_at")
                + " FROM pawl_keyed k LEFT JOIN pawl_job j ON j.id = k.job_id"
                + " WHERE k.queue = ? AND k.job_key = ? AND k.let_go = 1";
        List<Gone> gone = new ArrayList<>();
        try (PreparedStatement statement = about(connection, sql, key);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                int state = rows.getInt(2);
                boolean isLive = !rows.wasNull() && state < MARKED;
                gone.add(new Gone(
                        rows.getLong(1), isLive, isLive && (state == 1 || rows.getInt(3) == 1), rows.getLong(4)));
            }
        }
        return gone;
    }

    /** {@return the ids of those whose turn it is} */
    List<Long> next(Connection connection, JobKey key, int most) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (PreparedStatement statement = prepare(
                connection,
                "SELECT job_id FROM pawl_keyed" + IS + " AND let_go = 0 AND due <= " + now
                        + " ORDER BY priority, job_id LIMIT ?")) {
            bind(statement, 1, key);
            statement.setInt(3, most);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
        }
        return ids;
    }

    /** {@return how long until the first parked one is due, in microseconds; negative if there is none} */
    long untilNext(Connection connection, JobKey key) throws SQLException {
        String sql = "SELECT MIN(due), " + now + " FROM pawl_keyed" + IS + " AND let_go = 0";
        try (PreparedStatement statement = about(connection, sql, key);
                ResultSet row = statement.executeQuery()) {
            row.next();
            long due = row.getLong(1);
            return row.wasNull() ? -1 : Math.max(0, due - row.getLong(2));
        }
    }

    /** {@return how many of them were parked; the others run, because somebody wanted them to, or are gone} */
    int letGo(Connection connection, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection,
                "UPDATE " + dialect.jobsById() + " SET available_at = " + dialect.now() + " WHERE "
                        + dialect.anyOf("id", ids.size()) + " AND state = 0")) {
            int unused = dialect.bindIds(statement, 1, ids);
            return statement.executeUpdate();
        }
    }

    /** {@return whether it still waited for a retry} */
    boolean park(Connection connection, long id) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection,
                "UPDATE pawl_job SET available_at = " + dialect.moment()
                        + " WHERE id = ? AND state = 0 AND available_at > " + dialect.now())) {
            dialect.bind(statement, 1, Job.PARKED);
            statement.setLong(2, id);
            return statement.executeUpdate() == 1;
        }
    }

    /** {@return those that have not ended} */
    List<Long> live(Connection connection, List<Long> ids) throws SQLException {
        List<Long> live = new ArrayList<>();
        try (PreparedStatement statement = prepare(
                connection, "SELECT id FROM " + dialect.jobsById() + " WHERE " + dialect.anyOf("id", ids.size()))) {
            int unused = dialect.bindIds(statement, 1, ids);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    live.add(rows.getLong(1));
                }
            }
        }
        return live;
    }

    void noteGone(Connection connection, JobKey key, List<Long> ids) throws SQLException {
        change(connection, "UPDATE pawl_keyed SET let_go = 1", key, ids);
    }

    void delete(Connection connection, JobKey key, List<Long> ids) throws SQLException {
        change(connection, "DELETE FROM pawl_keyed", key, ids);
    }

    private void change(Connection connection, String what, JobKey key, List<Long> ids) throws SQLException {
        try (PreparedStatement statement =
                prepare(connection, what + IS + " AND " + dialect.anyOf("job_id", ids.size()))) {
            bind(statement, 1, key);
            int unused = dialect.bindIds(statement, 3, ids);
            statement.executeUpdate();
        }
    }

    void due(Connection connection, JobKey key, long id, long due) throws SQLException {
        try (PreparedStatement statement =
                prepare(connection, "UPDATE pawl_keyed SET let_go = 0, due = ?" + IS + " AND job_id = ?")) {
            statement.setLong(1, due);
            bind(statement, 2, key);
            statement.setLong(4, id);
            statement.executeUpdate();
        }
    }

    /** Whoever waits for its lock makes it again. */
    void forget(Connection connection, JobKey key) throws SQLException {
        try (PreparedStatement statement = about(connection, "DELETE FROM pawl_key" + IS, key)) {
            statement.executeUpdate();
        }
    }

    private PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(dialect.sql(sql));
    }

    private PreparedStatement about(Connection connection, String sql, JobKey key) throws SQLException {
        PreparedStatement statement = prepare(connection, sql);
        bind(statement, 1, key);
        return statement;
    }

    private static void bind(PreparedStatement statement, int index, JobKey key) throws SQLException {
        statement.setString(index, key.queue());
        statement.setString(index + 1, key.key());
    }
}
