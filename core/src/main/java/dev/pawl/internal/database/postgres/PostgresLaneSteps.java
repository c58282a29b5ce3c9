package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.lane.IdSet;
import dev.pawl.internal.lane.Lane;
import dev.pawl.internal.lane.LaneHeadRead;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims from a lane with many waiting jobs in two statements that commit on their own, like the claims on other databases. The server then
 * sends the jobs without collecting them first, which would take as long as reading them. No lock is held between the statements, so a
 * program that freezes while it reads the jobs blocks no other program.
 */
final class PostgresLaneSteps {
    /** Guard {@code ClaimKey} of the model {@code lanes.als}: the end is read in the statement that reads the jobs, and never later. */
    private static final String READ = """
            SELECT id, %2$s, max_attempts, kind, tags, headers, payload, %3$s,
                   COALESCE((SELECT last_id FROM pawl_lane_range WHERE lane = %1$s ORDER BY starts_after DESC LIMIT 1), 0)
              FROM pawl_lane_job
             WHERE (lane, id) > (%1$s, COALESCE((SELECT last_id FROM pawl_lane_range WHERE lane = %1$s
                                                  ORDER BY starts_after DESC LIMIT 1), 0))
               AND lane <= %1$s
               AND\s""" + QueuePause.isOpen("?") + """
             ORDER BY lane, id LIMIT (SELECT CAST(? AS bigint))
            """;

    /**
     * Guard {@code EndTest} of the model {@code lanes.als}: writes only if the end is still the one that was read. The claim gets the time
     * of this statement, which is after the snapshot that the jobs were read from.
     */
    private static final String WRITE = """
            WITH present AS MATERIALIZED (
                SELECT clock_timestamp() AS moment,
                       COALESCE((SELECT last_id FROM pawl_lane_range WHERE lane = %1$s
                                  ORDER BY starts_after DESC LIMIT 1), 0) AS end_id
            )
            INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, id_gaps, leased_by, token, ahead, claimed_at,
                                         lease_expires_at, recount_at)
            SELECT %1$s, end_id, ?, CAST(? AS int), CAST(? AS text), ?, ?, ?, moment, moment + ? * interval '1 microsecond',
                   CASE WHEN ? THEN moment + interval '1 second' END
              FROM present WHERE end_id = ?
            ON CONFLICT DO NOTHING RETURNING %2$s
            """;

    private final Dialect dialect;
    private final Map<Integer, Texts> byLane = new ConcurrentHashMap<>();

    /** The lane is part of the texts, for the reason given in {@link PostgresLaneClaim}. */
    private record Texts(String read, String write) {}

    PostgresLaneSteps(Dialect dialect) {
        this.dialect = dialect;
    }

    private Texts ofLane(int lane) {
        return byLane.computeIfAbsent(
                lane,
                number -> new Texts(
                        dialect.sql(READ.formatted(
                                number, dialect.micros("created_at"), LaneHeadRead.Rare.columns(dialect))),
                        dialect.sql(WRITE.formatted(number, dialect.micros("claimed_at")))));
    }

    LaneHeadRead claim(Connection connection, Lane lane, ClaimRequest request) throws SQLException {
        Texts texts = ofLane(lane.id());
        LaneHeadRead look = read(connection, texts.read, lane, request.limit());
        return look.entries().isEmpty() ? look : write(connection, texts.write, look, request);
    }

    private static LaneHeadRead read(Connection connection, String sql, Lane lane, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, lane.queue());
            PostgresLaneClaim.bindLimit(statement, 2, limit);
            List<LaneHeadRead.Entry> entries = new ArrayList<>(limit);
            long after = 0;
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (entries.isEmpty()) { // the same in all rows
                        after = rows.getLong(11);
                    }
                    entries.add(PostgresLaneClaim.entry(rows));
                }
            }
            return new LaneHeadRead(after, 0, entries);
        }
    }

    private static LaneHeadRead write(Connection connection, String sql, LaneHeadRead look, ClaimRequest request)
            throws SQLException {
        IdSet ids = look.ids();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, ids.last());
            PostgresLaneClaim.bindLimit(statement, 2, ids.size());
            statement.setString(3, ids.steps(look.after()));
            statement.setLong(4, request.workerId());
            long token = ClaimToken.draw();
            statement.setLong(5, token);
            statement.setBoolean(6, request.ahead());
            statement.setLong(7, Micros.of(request.lease()));
            statement.setBoolean(8, !ids.fills(look.after()));
            statement.setLong(9, look.after());
            try (ResultSet row = statement.executeQuery()) {
                return row.next()
                        ? new LaneHeadRead(look.after(), row.getLong(1), look.entries(), true, token)
                        : look; // another worker has claimed behind that end; its range may be pruned by now
            }
        }
    }
}
