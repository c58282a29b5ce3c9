package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.lane.Lane;
import dev.pawl.internal.lane.LaneHeadRead;
import dev.pawl.internal.lane.OneStatementClaim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Claims from a lane in one statement: reads the end of the last range and the jobs behind it in one snapshot, and writes the range unless
 * another worker has written one there. The moment of the claim is after the snapshot, so the check that closes the range ({@code
 * OpenWriters}) finds every transaction that was writing at that moment and may commit late. From a full lane {@link PostgresLaneSteps}
 * claims.
 */
final class PostgresLaneClaim implements OneStatementClaim {
    private static final String CLAIM = """
            WITH present AS MATERIALIZED (
                SELECT clock_timestamp() AS moment
            ), newest AS MATERIALIZED (
                SELECT COALESCE((SELECT last_id FROM pawl_lane_range WHERE lane = %1$s
                                  ORDER BY starts_after DESC LIMIT 1), 0) AS starts_after
            ), batch AS MATERIALIZED (
                SELECT id, created_at, max_attempts, kind, tags, headers, payload, batch_id, cost, expires_at FROM pawl_lane_job
                 WHERE (lane, id) > (%1$s, (SELECT starts_after FROM newest)) AND (lane, id) < (%1$s + 1, 0)
                   AND\s""" + QueuePause.isOpen(":queue") + """
                 ORDER BY lane, id LIMIT (SELECT CAST(:limit AS bigint))
            ), size AS MATERIALIZED (
                SELECT CAST(COUNT(*) AS int) AS jobs, MIN(id) AS first_id, MAX(id) AS last_id FROM batch
            ), taken AS (
                INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, id_gaps, leased_by, token, ahead, claimed_at,
                                             lease_expires_at, recount_at)
                SELECT %1$s, newest.starts_after, size.last_id, size.jobs,
                       CASE WHEN size.last_id - size.first_id >= size.jobs THEN
                            (SELECT string_agg(CAST(step AS text), ' ' ORDER BY id)
                               FROM (SELECT id, id - lag(id, 1, newest.starts_after) OVER (ORDER BY id) AS step
                                       FROM batch) AS steps) END,
                       :worker, :drawn, :ahead, present.moment, present.moment + :lease * interval '1 microsecond',
                       CASE WHEN size.last_id - newest.starts_after > size.jobs
                            THEN present.moment + interval '1 second' END
                  FROM present, newest, size WHERE size.jobs > 0
                ON CONFLICT DO NOTHING RETURNING 1
            )
            SELECT id, %2$s, max_attempts, kind, tags, headers, payload, %4$s,
                   CASE WHEN id = (SELECT first_id FROM size) THEN (SELECT starts_after FROM newest) END,
                   CASE WHEN id = (SELECT first_id FROM size) THEN (SELECT %3$s FROM present) END,
                   CASE WHEN id = (SELECT first_id FROM size) THEN (SELECT COUNT(*) FROM taken) END
              FROM batch ORDER BY id
            """;

    /**
     * From this number of jobs on, a second round trip costs less than the one statement, which stores each job in the server's memory and
     * reads it again.
     */
    private static final int MANY = 100;

    /** Maximum age of a cached plan. */
    private static final long PLAN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Marks the advisory locks of claims. */
    private static final int TURNS = 0x7061776c;

    private final Dialect dialect;
    private final Map<Integer, NamedSql> byLane = new ConcurrentHashMap<>();
    private final PostgresLaneSteps steps;
    /** Lanes in which the last claim of this process found many jobs. */
    private final Set<Integer> full = ConcurrentHashMap.newKeySet();

    PostgresLaneClaim(Dialect dialect) {
        this.dialect = dialect;
        this.steps = new PostgresLaneSteps(dialect);
    }

    /**
     * The lane is part of the text: as a bound value it could make the planner choose a new plan for each claim, which takes longer than
     * the claim of a single job. It is formatted as a string, because a number would get the digits of the JVM's locale.
     */
    private NamedSql ofLane(int lane) {
        return byLane.computeIfAbsent(
                lane,
                number -> NamedSql.of(dialect.sql(CLAIM.formatted(
                        number,
                        dialect.micros("created_at"),
                        dialect.micros("moment"),
                        LaneHeadRead.Rare.columns(dialect)))));
    }

    @Override
    public LaneHeadRead claim(Connection connection, Lane lane, ClaimRequest request, boolean inTurn)
            throws SQLException {
        boolean large = !inTurn && request.limit() >= MANY && full.contains(lane.id());
        LaneHeadRead look = large ? steps.claim(connection, lane, request) : atOnce(connection, lane, request, inTurn);
        if (large && !look.isWon()) {
            full.remove(lane.id()); // the next try must not depend on the latency between this program and its server
        } else if (look.entries().size() >= MANY) {
            full.add(lane.id());
        } else if (request.limit() >= MANY) {
            full.remove(lane.id());
        }
        return look;
    }

    /**
     * @param inTurn waits for other claims in a statement before this one, which must read what they have written. Both are sent
     *     together, and the server commits them together
     */
    private LaneHeadRead atOnce(Connection connection, Lane lane, ClaimRequest request, boolean inTurn)
            throws SQLException {
        NamedSql claim = ofLane(lane.id());
        String text = inTurn ? turn(lane) + "; " + claim.text() : claim.text();
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            long token = ClaimToken.draw();
            for (int i = 0; i < claim.names().size(); i++) {
                bind(statement, i + 1, claim.names().get(i), lane, request, token);
            }
            if (!inTurn) {
                return read(statement.executeQuery(), request.limit(), token);
            }
            boolean unused = statement.execute() && statement.getMoreResults();
            return read(statement.getResultSet(), request.limit(), token);
        }
    }

    /** Claims of one lane wait here for each other, in order, for the length of a claim. */
    private static String turn(Lane lane) {
        return "SELECT pg_advisory_xact_lock(" + TURNS + ", " + lane.id() + ")";
    }

    private static void bind(
            PreparedStatement statement, int index, String name, Lane lane, ClaimRequest request, long token)
            throws SQLException {
        switch (name) {
            case "queue" -> statement.setString(index, lane.queue());
            case "limit" -> bindLimit(statement, index, request.limit());
            case "worker" -> statement.setLong(index, request.workerId());
            case "drawn" -> statement.setLong(index, token);
            case "ahead" -> statement.setBoolean(index, request.ahead());
            case "lease" -> statement.setLong(index, Micros.of(request.lease()));
            default -> throw new IllegalArgumentException("no value is called " + name);
        }
    }

    /**
     * Binds another type each second. The driver caches the statement, and the server its plan, only for values of the same types. So no
     * plan from when the tables were small, which would read whole tables, is used once they are full.
     */
    static void bindLimit(PreparedStatement statement, int index, int limit) throws SQLException {
        if (Math.floorMod(System.nanoTime() / PLAN_NANOS, 2) == 0) {
            statement.setInt(index, limit);
        } else {
            statement.setLong(index, limit);
        }
    }

    /** The first row has the values that are the same for all jobs. */
    private static LaneHeadRead read(ResultSet found, int limit, long token) throws SQLException {
        List<LaneHeadRead.Entry> entries = new ArrayList<>(limit);
        long after = 0;
        long now = 0;
        boolean won = false;
        try (ResultSet rows = found) {
            while (rows.next()) {
                if (entries.isEmpty()) {
                    after = rows.getLong(11);
                    now = rows.getLong(12);
                    won = rows.getLong(13) == 1;
                }
                entries.add(entry(rows));
            }
        }
        return new LaneHeadRead(after, now, entries, won, token);
    }

    static LaneHeadRead.Entry entry(ResultSet row) throws SQLException {
        return new LaneHeadRead.Entry(
                row.getLong(1),
                row.getLong(2),
                row.getInt(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                LaneHeadRead.Rare.read(row, 8));
    }
}
