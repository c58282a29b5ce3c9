package dev.pawl.internal.limit;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceSql;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements on {@code pawl_limit} and {@code pawl_permit}. */
final class LimitRows {
    private static final String IS = " WHERE subject = ? AND name = ?";

    private final Dialect dialect;
    private final String now;

    LimitRows(Dialect dialect) {
        this.dialect = dialect;
        this.now = dialect.micros(dialect.now());
    }

    /** Locks a limit until the transaction ends. */
    @Nullable
    LimitRow lock(Connection connection, Subject subject) throws SQLException {
        // Locks by an UPDATE, because PostgreSQL at REPEATABLE READ would return old shares after a SELECT … FOR
        // UPDATE. The update changes a value, because on a cluster a lock is valid on one node only, so two
        // transactions conflict only if both have changed the row.
        bind(connection, "UPDATE pawl_limit SET allocations = allocations + 1" + IS, subject)
                .run();
        String read = "SELECT " + LimitRow.columns(dialect) + " FROM pawl_limit l" + IS + " " + dialect.forUpdate();
        return bind(connection, read, subject).first(LimitRow::of).orElse(null);
    }

    /**
     * A limit for listings.
     *
     * @param nextStart when the rate permits the next start; if each key has its own rate, the earliest such time of the keys with waiting
     *     jobs; 0 if there is none
     */
    record Line(LimitRow limit, int shared, int workers, int waiting, long nextStart) {}

    List<Line> all(Connection connection) throws SQLException {
        String live = "SELECT COALESCE(%s, 0) FROM pawl_permit s"
                + " WHERE s.subject = l.subject AND s.name = l.name AND s.expires_at > " + dialect.now();
        String keys = "(SELECT %s FROM pawl_key k WHERE k.queue = l.name AND k.next_start_at > " + now
                + " AND EXISTS (SELECT 1 FROM pawl_keyed p WHERE p.queue = k.queue AND p.job_key = k.job_key AND p.released = 0))";
        String ofKeys = "CASE WHEN l.subject = 'keys' AND l.rate_limit IS NOT NULL THEN ";
        String sql = "SELECT " + LimitRow.columns(dialect)
                + ", (" + live.formatted("SUM(s.permits)")
                + "), (" + live.formatted("COUNT(*)")
                + "), " + ofKeys + keys.formatted("COUNT(*)")
                + " ELSE (" + live.formatted("SUM(CASE WHEN s.wanted > 0 THEN 1 ELSE 0 END)")
                + ") END, " + ofKeys + keys.formatted("MIN(k.next_start_at)")
                + " ELSE " + dialect.micros("l.next_start_at")
                + " END FROM pawl_limit l ORDER BY l.subject DESC, l.name";
        List<Line> lines = new ArrayList<>();
        dialect.statement(sql).on(connection).each(rows -> {
            int at = LimitRow.WIDTH;
            lines.add(new Line(
                    LimitRow.of(rows),
                    rows.getInt(at + 1),
                    rows.getInt(at + 2),
                    rows.getInt(at + 3),
                    rows.getLong(at + 4))); // null is read as 0
        });
        return lines;
    }

    /**
     * Creates the row of a limit. Runs in a transaction of its own, because a transaction could not continue after a duplicate key.
     */
    void create(Connection connection, Subject subject) throws SQLException {
        bind(connection, dialect.insertIfMissing("pawl_limit (subject, name) VALUES (?, ?)"), subject)
                .run();
    }

    void set(Connection connection, Limit limit) throws SQLException {
        Rate rate = limit.rate();
        change(
                connection,
                limit.subject(),
                "max_concurrency = ?, rate_limit = ?, rate_period = ?, max_concurrency_shared = ?, max_waiting = ?",
                limit.atOnce(),
                rate == null ? null : rate.starts(),
                rate == null ? null : rate.per().toNanos() / 1000,
                limit.together(),
                limit.maxWaiting());
    }

    void costBacklog(Connection connection, Subject subject, @Nullable String starts) throws SQLException {
        change(connection, subject, "cost_backlog = ?", starts);
    }

    void pause(Connection connection, Subject subject, long until, int failures, String reason) throws SQLException {
        change(
                connection,
                subject,
                "paused_until = " + dialect.moment() + ", failures = ?, reason = ?",
                moment(until),
                failures,
                reason);
    }

    void resume(Connection connection, Subject subject) throws SQLException {
        change(connection, subject, "paused_until = NULL, failures = 0, reason = NULL");
    }

    void nextStart(Connection connection, Subject subject, long next) throws SQLException {
        change(connection, subject, "next_start_at = " + dialect.moment(), moment(next));
    }

    void delete(Connection connection, Subject subject) throws SQLException {
        for (String table : List.of("pawl_limit", "pawl_permit")) {
            bind(connection, "DELETE FROM " + table + IS, subject).run();
        }
    }

    List<Shares.Share> shares(Connection connection, Subject subject) throws SQLException {
        String sql = "SELECT worker_id, permits, wanted, " + dialect.micros("expires_at") + " FROM pawl_permit" + IS;
        return bind(connection, sql, subject)
                .list(row -> new Shares.Share(
                        row.getLong(1), row.getInt(2), row.getInt(3), row.getLong(4))); // null is read as 0
    }

    void insert(Connection connection, Subject subject, Shares.Share share) throws SQLException {
        write(
                connection,
                "INSERT INTO pawl_permit (permits, wanted, expires_at, subject, name, worker_id) VALUES (?, ?, "
                        + dialect.moment() + ", ?, ?, ?)",
                subject,
                share);
    }

    void update(Connection connection, Subject subject, Shares.Share share) throws SQLException {
        String sql = "UPDATE pawl_permit SET permits = ?, wanted = ?, expires_at = " + dialect.moment() + IS
                + " AND worker_id = ?";
        write(connection, sql, subject, share);
    }

    private void write(Connection connection, String sql, Subject subject, Shares.Share share) throws SQLException {
        Sql.Bound write =
                dialect.statement(sql).on(connection, share.permits(), share.wanted(), moment(share.expiresAt()));
        write.bind(subject.of().word(), subject.name(), share.workerId()).run();
    }

    void delete(Connection connection, Subject subject, long workerId) throws SQLException {
        bind(connection, "DELETE FROM pawl_permit" + IS + " AND worker_id = ?", subject)
                .bind(workerId)
                .run();
    }

    /** Ends the demand of a worker. Permits that it still uses remain counted. */
    void end(Connection connection, long workerId) throws SQLException {
        Sql sql = dialect.statement("UPDATE pawl_permit SET expires_at = NULL, wanted = 0 WHERE worker_id = ?");
        sql.on(connection, workerId).run();
    }

    /**
     * {@return an upper bound for the number of jobs of a queue or kind that a worker runs; jobs without rows count for every kind} A job
     * whose lease has expired counts until a worker has rescued it, because an open transaction of its handler may prevent both renewal and
     * rescue while the job runs.
     */
    int leases(Connection connection, Subject subject, long workerId) throws SQLException {
        boolean ofQueue = subject.of() == Subject.Of.QUEUE;
        StringBuilder sql = new StringBuilder(
                        "SELECT (SELECT COUNT(*) FROM pawl_job WHERE " + RowStates.RUNS + " AND leased_by = ? AND ")
                .append(ofQueue ? "queue" : "kind")
                .append(" = ?)");
        List<Object> values = new ArrayList<>(List.of(workerId, subject.name()));
        for (PlaceSql place : JobPlaces.sql()) {
            sql.append(" + ").append(place.running("?", ofQueue ? "?" : null));
            values.addAll(ofQueue ? List.of(workerId, subject.name()) : List.of(workerId));
        }
        return dialect.statement(sql.toString())
                .on(connection, values.toArray())
                .one(row -> row.getInt(1));
    }

    private Sql.Bound bind(Connection connection, String sql, Subject subject) {
        return dialect.statement(sql).on(connection, subject.of().word(), subject.name());
    }

    private void change(Connection connection, Subject subject, String columns, @Nullable Object... values)
            throws SQLException {
        Sql sql = dialect.statement("UPDATE pawl_limit SET " + columns + IS);
        sql.on(connection, values).bind(subject.of().word(), subject.name()).run();
    }

    /** {@return the time to store; null for 0} */
    private static @Nullable Instant moment(long micros) {
        return micros == 0 ? null : LimitRow.moment(micros);
    }
}
