package dev.pawl.internal.limit;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements over {@code pawl_limit} and {@code pawl_share}. */
final class LimitRows {
    private static final String IS = " WHERE subject = ? AND name = ?";

    private final Dialect dialect;
    private final String now;

    LimitRows(Dialect dialect) {
        this.dialect = dialect;
        this.now = dialect.micros(dialect.now());
    }

    /** Locks it until the transaction ends. */
    @Nullable
    LimitRow lock(Connection connection, Subject subject) throws SQLException {
        // Not SELECT … FOR UPDATE: at REPEATABLE READ PostgreSQL would let it pass with the shares as they were before.
        // And
        // a change: on a cluster a lock holds on one node, and only what two transactions have changed shows that they
        // met.
        try (PreparedStatement statement = about(connection, "UPDATE pawl_limit SET deals = deals + 1" + IS, subject)) {
            statement.executeUpdate();
        }
        try (PreparedStatement statement = about(
                connection,
                "SELECT " + LimitRow.COLUMNS + now + " FROM pawl_limit l" + IS + " " + dialect.forUpdate(),
                subject)) {
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? LimitRow.of(row) : null;
            }
        }
    }

    /**
     * What is told of a limit.
     *
     * @param nextStart of a rate; of the first key that waits for it, if it is one of keys; 0 if there is none
     */
    record Line(LimitRow limit, int shared, int workers, int waiting, long nextStart) {}

    List<Line> all(Connection connection) throws SQLException {
        String live = "SELECT COALESCE(%s, 0) FROM pawl_share s"
                + " WHERE s.subject = l.subject AND s.name = l.name AND s.expires > " + now;
        String keys = "(SELECT %s FROM pawl_turn k WHERE k.queue = l.name AND k.next_start > " + now
                + " AND EXISTS (SELECT 1 FROM pawl_keyed p WHERE p.queue = k.queue AND p.job_key = k.job_key AND p.let_go = 0))";
        String ofKeys = "CASE WHEN l.subject = 'keys' AND l.starts IS NOT NULL THEN ";
        String sql = "SELECT " + LimitRow.COLUMNS + now
                + ", (" + live.formatted("SUM(s.share)")
                + "), (" + live.formatted("COUNT(*)")
                + "), " + ofKeys + keys.formatted("COUNT(*)")
                + " ELSE (" + live.formatted("SUM(CASE WHEN s.wants > 0 THEN 1 ELSE 0 END)")
                + ") END, " + ofKeys + keys.formatted("MIN(k.next_start)")
                + " ELSE l.next_start END FROM pawl_limit l ORDER BY l.subject DESC, l.name";
        List<Line> lines = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                int at = LimitRow.WIDTH;
                lines.add(new Line(
                        LimitRow.of(rows),
                        rows.getInt(at + 1),
                        rows.getInt(at + 2),
                        rows.getInt(at + 3),
                        rows.getLong(at + 4))); // null is read as 0
            }
        }
        return lines;
    }

    /** In a transaction of its own before a change: the second of two must not continue in one that an error has ended. */
    void create(Connection connection, Subject subject) throws SQLException {
        try (PreparedStatement statement =
                about(connection, dialect.insertIfMissing("pawl_limit (subject, name) VALUES (?, ?)"), subject)) {
            statement.executeUpdate();
        }
    }

    void set(Connection connection, Limit limit) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection,
                "UPDATE pawl_limit SET at_once = ?, starts = ?, per_micros = ?, together = ?, max_waiting = ?" + IS)) {
            Rate rate = limit.rate();
            statement.setObject(1, limit.atOnce(), Types.INTEGER);
            statement.setObject(2, rate == null ? null : rate.starts(), Types.INTEGER);
            statement.setObject(3, rate == null ? null : rate.per().toNanos() / 1000, Types.BIGINT);
            statement.setObject(4, limit.together(), Types.INTEGER);
            statement.setObject(5, limit.maxWaiting(), Types.INTEGER);
            bind(statement, 6, limit.subject());
            statement.executeUpdate();
        }
    }

    void costly(Connection connection, Subject subject, @Nullable String costly) throws SQLException {
        try (PreparedStatement statement = prepare(connection, "UPDATE pawl_limit SET costly = ?" + IS)) {
            statement.setString(1, costly);
            bind(statement, 2, subject);
            statement.executeUpdate();
        }
    }

    void hold(Connection connection, Subject subject, long until, int failures, String reason) throws SQLException {
        try (PreparedStatement statement =
                prepare(connection, "UPDATE pawl_limit SET held_until = ?, failures = ?, reason = ?" + IS)) {
            statement.setLong(1, until);
            statement.setInt(2, failures);
            statement.setString(3, reason);
            bind(statement, 4, subject);
            statement.executeUpdate();
        }
    }

    void open(Connection connection, Subject subject) throws SQLException {
        try (PreparedStatement statement =
                about(connection, "UPDATE pawl_limit SET held_until = 0, failures = 0, reason = NULL" + IS, subject)) {
            statement.executeUpdate();
        }
    }

    void nextStart(Connection connection, Subject subject, long next) throws SQLException {
        try (PreparedStatement statement = prepare(connection, "UPDATE pawl_limit SET next_start = ?" + IS)) {
            statement.setLong(1, next);
            bind(statement, 2, subject);
            statement.executeUpdate();
        }
    }

    void delete(Connection connection, Subject subject) throws SQLException {
        for (String table : List.of("pawl_limit", "pawl_share")) {
            try (PreparedStatement statement = about(connection, "DELETE FROM " + table + IS, subject)) {
                statement.executeUpdate();
            }
        }
    }

    List<Shares.Share> shares(Connection connection, Subject subject) throws SQLException {
        List<Shares.Share> shares = new ArrayList<>();
        try (PreparedStatement statement =
                        about(connection, "SELECT worker_id, share, wants, expires FROM pawl_share" + IS, subject);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                shares.add(new Shares.Share(rows.getLong(1), rows.getInt(2), rows.getInt(3), rows.getLong(4)));
            }
        }
        return shares;
    }

    void insert(Connection connection, Subject subject, Shares.Share share) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection,
                "INSERT INTO pawl_share (share, wants, expires, subject, name, worker_id) VALUES (?, ?, ?, ?, ?, ?)")) {
            write(statement, subject, share);
        }
    }

    void update(Connection connection, Subject subject, Shares.Share share) throws SQLException {
        try (PreparedStatement statement = prepare(
                connection, "UPDATE pawl_share SET share = ?, wants = ?, expires = ?" + IS + " AND worker_id = ?")) {
            write(statement, subject, share);
        }
    }

    private static void write(PreparedStatement statement, Subject subject, Shares.Share share) throws SQLException {
        statement.setInt(1, share.share());
        statement.setInt(2, share.wants());
        statement.setLong(3, share.expires());
        bind(statement, 4, subject);
        statement.setLong(6, share.workerId());
        statement.executeUpdate();
    }

    void delete(Connection connection, Subject subject, long workerId) throws SQLException {
        try (PreparedStatement statement = prepare(connection, "DELETE FROM pawl_share" + IS + " AND worker_id = ?")) {
            bind(statement, 1, subject);
            statement.setLong(3, workerId);
            statement.executeUpdate();
        }
    }

    /** What it still holds counts on. */
    void end(Connection connection, long workerId) throws SQLException {
        try (PreparedStatement statement =
                prepare(connection, "UPDATE pawl_share SET expires = 0, wants = 0 WHERE worker_id = ?")) {
            statement.setLong(1, workerId);
            statement.executeUpdate();
        }
    }

    /**
     * {@return how many runs of such jobs a worker has, at most; of a range it is not told of which kinds they are} Those whose
     * lease is over count until somebody has rescued them: one in an open transaction is neither renewed nor rescued.
     */
    int leases(Connection connection, Subject subject, long workerId) throws SQLException {
        boolean ofQueue = subject.of() == Subject.Of.QUEUE;
        String sql = """
                SELECT (SELECT COUNT(*) FROM pawl_job
                         WHERE state = 1 AND leased_by = ? AND %1$s = ?)
                     + (SELECT COALESCE(SUM(r.jobs - r.completed - r.moves), 0) FROM pawl_lane_range r
                         WHERE r.leased_by = ? AND r.lease_expires_at IS NOT NULL %2$s)
                """.formatted(
                ofQueue ? "queue" : "kind", ofQueue ? "AND r.lane IN (SELECT id FROM pawl_lane WHERE queue = ?)" : "");
        try (PreparedStatement statement = prepare(connection, sql)) {
            statement.setLong(1, workerId);
            statement.setString(2, subject.name());
            statement.setLong(3, workerId);
            if (ofQueue) {
                statement.setString(4, subject.name());
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(dialect.sql(sql));
    }

    private PreparedStatement about(Connection connection, String sql, Subject subject) throws SQLException {
        PreparedStatement statement = prepare(connection, sql);
        bind(statement, 1, subject);
        return statement;
    }

    private static void bind(PreparedStatement statement, int index, Subject subject) throws SQLException {
        statement.setString(index, subject.of().word());
        statement.setString(index + 1, subject.name());
    }
}
