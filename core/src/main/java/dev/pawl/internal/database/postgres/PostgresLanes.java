package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.lane.LaneWriter;
import dev.pawl.internal.lane.OneStatementClaim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Lanes on PostgreSQL, which can list the open transactions that may write to them. */
public final class PostgresLanes implements LaneDatabase {
    @Override
    public String product() {
        return "postgresql";
    }

    @Override
    public LaneWriter writer(Dialect dialect) {
        return new PostgresLaneWriter(dialect);
    }

    @Override
    public OneStatementClaim claim(Dialect dialect) {
        return new PostgresLaneClaim(dialect);
    }

    /**
     * With {@code lane = ?} the planner would read and sort the whole table until the first ANALYZE of the table. A comparison of rows as
     * the upper bound would make a server before 18 read the index to its end when the lane has fewer jobs than the limit.
     */
    @Override
    public String after(String position) {
        return "(lane, id) > (?, " + position + ") AND lane <= ?";
    }

    @Override
    public int bindAfter(PreparedStatement statement, int index, int lane, Bind position) throws SQLException {
        statement.setInt(index, lane);
        position.at(index + 1, statement);
        statement.setInt(index + 2, lane);
        return index + 3;
    }

    /**
     * Hides the value from the planner. Before the first ANALYZE, the planner expects few rows between two bounds. If it knew that the
     * limit is larger than that number, it would read and sort all rows.
     */
    @Override
    public String limit() {
        return "(SELECT CAST(? AS bigint))";
    }

    @Override
    public String limit(int most) {
        return "(SELECT CAST(" + most + " AS bigint))";
    }

    /**
     * The planner expects a fixed share of the whole table in each range. Without a limit it would compile the statement to machine code,
     * which takes longer than a hundred executions.
     */
    @Override
    public String countOfRange() {
        return "(SELECT COUNT(*) FROM (SELECT 1 FROM pawl_lane_job l"
                + " WHERE l.lane = r.lane AND l.id > r.starts_after AND l.id <= r.last_id LIMIT 2000) l)";
    }

    @Override
    public String isClear(String bits) {
        return "CASE WHEN length(" + bits + ") > ? THEN get_byte(" + bits + ", ?) & ? ELSE 0 END = 0";
    }

    /** The type of the mask changes each second, so that a plan from when the table of ranges was empty is not used for long. */
    @Override
    public void bindClear(PreparedStatement statement, int index, int place) throws SQLException {
        statement.setInt(index, place / Byte.SIZE);
        statement.setInt(index + 1, place / Byte.SIZE);
        PostgresLaneClaim.bindLimit(statement, index + 2, 1 << place % Byte.SIZE);
    }

    /** A rollback to the savepoint restores the lock timeout, too. */
    @Override
    public int insertFences(Connection connection, Dialect dialect, List<Long> ids, Duration lockTimeout, Insert insert)
            throws SQLException {
        String before = dialect.statement("SELECT p.setting, set_config('lock_timeout', ?, true)"
                        + " FROM (SELECT current_setting('lock_timeout') AS setting OFFSET 0) p")
                .on(connection, lockTimeout.toMillis() + "ms")
                .one(row -> row.getString(1));
        int inserted = insert.run();
        String unused = dialect.statement("SELECT set_config('lock_timeout', ?, true)")
                .on(connection, before)
                .one(row -> row.getString(1));
        return inserted;
    }

    /** Reads {@code pg_locks}, which every role sees and which includes prepared transactions; they have no process. */
    @Override
    public String openWriters(Dialect dialect) {
        return "SELECT " + dialect.micros(dialect.now()) + """
                , l.virtualtransaction, CASE WHEN l.virtualtransaction IS NOT NULL AND l.pid IS NULL THEN 1 ELSE 0 END, %s
                  FROM (SELECT 1) AS one LEFT JOIN pg_locks l
                    ON l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.relation = 'pawl_lane_job'::regclass
                   AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """.formatted(server(dialect));
    }

    /**
     * The number is 0 for a standby until its promotion, because a promotion does not change the start time. The expression is a
     * sub-select, so that it is not evaluated for each row.
     */
    @Override
    public String server(Dialect dialect) {
        return "(SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE " + dialect.micros("pg_postmaster_start_time()")
                + " END)";
    }
}
