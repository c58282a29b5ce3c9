package dev.pawl.internal.database.postgres;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.ClaimTurn;
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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Claims from a lane in one statement, which reads the end of the last range and the jobs behind it in one snapshot. It writes a range of
 * these jobs unless another worker has written a range there. The moment of the claim is after the snapshot, so the check that closes the
 * range ({@code OpenWriters}) finds every transaction that was writing at that moment and may commit late. {@link PostgresLaneSteps} claims
 * from lanes with many waiting jobs.
 */
final class PostgresLaneClaim implements OneStatementClaim {
    private static final String CLAIM = """
            WITH present AS MATERIALIZED (
                SELECT clock_timestamp() AS moment
            ), newest AS MATERIALIZED (
                SELECT COALESCE((SELECT last_id FROM pawl_lane_range WHERE lane = %1$s
                                  ORDER BY starts_after DESC LIMIT 1), 0) AS starts_after
            ), batch AS MATERIALIZED (
                SELECT %2$s FROM pawl_lane_job
                 WHERE (lane, id) > (%1$s, (SELECT starts_after FROM newest)) AND lane <= %1$s
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
            """;

    private static final String COLUMNS =
            "id, created_at, max_attempts, kind, tags, headers, payload, batch_id, cost, expires_at";

    private static final String WITH_JOBS = CLAIM + """
            SELECT id, %3$s, max_attempts, kind, tags, headers, payload, %5$s,
                   CASE WHEN id = (SELECT first_id FROM size) THEN (SELECT starts_after FROM newest) END,
                   CASE WHEN id = (SELECT first_id FROM size) THEN (SELECT %4$s FROM present) END,
                   CASE WHEN id = (SELECT first_id FROM size) THEN (SELECT COUNT(*) FROM taken) END
              FROM batch ORDER BY id
            """;

    /**
     * A claim that first waits for other claims of the lane. It returns only ids, because the server commits after sending the result, and
     * other claims wait for that commit. The first two statements wait for {@link ClaimTurn#seconds} at most.
     */
    private static final String IDS_IN_TURN = """
            SELECT set_config('lock_timeout', CAST(GREATEST(1, LEAST(3000, CAST(:lease AS bigint) / 4000)) AS text), true);
            SELECT pg_advisory_xact_lock(%3$s, %1$s);
            """ + CLAIM + """
            SELECT newest.starts_after, %4$s, (SELECT COUNT(*) FROM taken),
                   (SELECT string_agg(CAST(id AS text), ' ' ORDER BY id) FROM batch)
              FROM present, newest, size WHERE size.jobs > 0
            """;

    /**
     * A row-wise comparison, {@code (lane, id) <= (…)}, as the upper bound would make the server read the index up to the end of the lane.
     */
    private static final String JOBS = """
            SELECT id, %2$s, max_attempts, kind, tags, headers, payload, %3$s FROM pawl_lane_job
             WHERE lane = %1$s AND id > ? AND id <= ? ORDER BY id
            """;

    /**
     * Writes a new job and a range that claims it. The job is not claimed if another one waits, or while another transaction that has
     * written to lanes is open: that transaction's jobs may have smaller ids, and would be found late.
     */
    private static final String APPEND = """
            WITH newest AS MATERIALIZED (
                SELECT COALESCE((SELECT last_id FROM pawl_lane_range WHERE lane = %1$s
                                  ORDER BY starts_after DESC LIMIT 1), 0) AS starts_after
            ), job AS (
                INSERT INTO pawl_lane_job (lane, created_at, max_attempts, kind, tags, headers, payload)
                SELECT %1$s, statement_timestamp(), CAST(:attempts AS smallint), CAST(:kind AS text), CAST(:tags AS text),
                       CAST(:headers AS text), CAST(:payload AS text)
                 WHERE EXISTS (SELECT 1 FROM pawl_lane WHERE id = %1$s)
                RETURNING id, created_at
            ), present AS MATERIALIZED (
                SELECT id, created_at, clock_timestamp() AS moment FROM job
            ), taken AS (
                INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, leased_by, token, ahead, claimed_at,
                                             lease_expires_at, recount_at)
                SELECT %1$s, newest.starts_after, present.id, 1, :worker, :drawn, :ahead, present.moment,
                       present.moment + :lease * interval '1 microsecond',
                       CASE WHEN present.id - newest.starts_after > 1 THEN present.moment + interval '1 second' END
                  FROM present, newest
                 WHERE present.id > newest.starts_after
                   AND (SELECT id FROM pawl_lane_job
                         WHERE (lane, id) > (%1$s, (SELECT starts_after FROM newest)) AND lane <= %1$s
                         ORDER BY lane, id LIMIT 1) IS NULL
                   AND\s""" + QueuePause.isOpen(":queue") + """

                   AND NOT EXISTS (SELECT 1 FROM pg_locks
                                    WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
                                      AND relation = 'pawl_lane_job'::regclass
                                      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                                      AND pid IS DISTINCT FROM pg_backend_pid())
                ON CONFLICT DO NOTHING RETURNING 1
            )
            SELECT id, %2$s, newest.starts_after, %3$s, (SELECT COUNT(*) FROM taken) FROM present, newest
            """;

    /**
     * From this number of jobs on, a second round trip costs less than the one statement, which stores each job in the server's memory and
     * reads it again.
     */
    private static final int LARGE_CLAIM = 100;

    /** Maximum age of a cached plan. */
    private static final long PLAN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Maximum age of the plan of an enqueue that claims its job. It is longer than {@link #PLAN_NANOS}, because an old plan rarely hurts.
     * The statement reads one entry of an index, unless the plan was made when the table had just been emptied. Single jobs come a few
     * times a second, so frequent planning would add to their latency.
     */
    private static final long APPEND_PLAN_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Marks the advisory locks of claims. */
    private static final int LOCK_NAMESPACE = 0x7061776c;

    private final Dialect dialect;
    private final Map<Integer, Statements> byLane = new ConcurrentHashMap<>();

    /**
     * The statements of a lane: a claim, a claim that waits for its turn, the read of the jobs of the latter, and an enqueue that claims
     * its job.
     */
    private record Statements(NamedSql claim, NamedSql inTurn, String jobs, NamedSql append) {}

    private final PostgresLaneSteps steps;
    /** Lanes in which the last claim of this process found many jobs. */
    private final Set<Integer> busyLanes = ConcurrentHashMap.newKeySet();

    PostgresLaneClaim(Dialect dialect) {
        this.dialect = dialect;
        this.steps = new PostgresLaneSteps(dialect);
    }

    /**
     * The number of the lane is part of the text. If it were bound, the planner could plan each claim anew, and planning takes longer than
     * the claim of a single job. The number is converted to a string first, so that the digits do not depend on the JVM's locale.
     */
    private Statements ofLane(int lane) {
        return byLane.computeIfAbsent(lane, this::statements);
    }

    private Statements statements(int lane) {
        String created = dialect.micros("created_at");
        String moment = dialect.micros("moment");
        String rare = LaneHeadRead.Rare.columns(dialect);
        int namespace = LOCK_NAMESPACE ^ dialect.sql("pawl_lane").hashCode(); // of this schema
        return new Statements(
                NamedSql.of(dialect.sql(WITH_JOBS.formatted(text(lane), COLUMNS, created, moment, rare))),
                NamedSql.of(dialect.sql(IDS_IN_TURN.formatted(text(lane), "id", text(namespace), moment))),
                dialect.sql(JOBS.formatted(text(lane), created, rare)),
                NamedSql.of(dialect.sql(APPEND.formatted(text(lane), created, moment))));
    }

    private static String text(int number) {
        return Integer.toString(number);
    }

    @Override
    public LaneHeadRead claim(Connection connection, Lane lane, ClaimRequest request, boolean inTurn)
            throws SQLException {
        boolean large = !inTurn && request.limit() >= LARGE_CLAIM && busyLanes.contains(lane.id());
        LaneHeadRead head = large
                ? steps.claim(connection, lane, request)
                : inTurn ? inTurn(connection, lane, request) : inOneStatement(connection, lane, request);
        if (large && !head.isWon()) {
            // lost the race: retry with one statement, because the extra round trip would lose again on a slow network
            busyLanes.remove(lane.id());
        } else if (head.entries().size() >= LARGE_CLAIM) {
            busyLanes.add(lane.id());
        } else if (request.limit() >= LARGE_CLAIM) {
            busyLanes.remove(lane.id());
        }
        return head;
    }

    private LaneHeadRead inOneStatement(Connection connection, Lane lane, ClaimRequest request) throws SQLException {
        NamedSql claim = ofLane(lane.id()).claim;
        try (PreparedStatement statement = connection.prepareStatement(claim.text())) {
            long token = ClaimToken.draw();
            bind(statement, claim, lane, request, token);
            return read(statement.executeQuery(), request.limit(), token);
        }
    }

    @Override
    public LaneHeadRead append(Connection connection, Lane lane, JobRequest job, ClaimRequest request)
            throws SQLException {
        NamedSql append = ofLane(lane.id()).append;
        EnqueueOptions options = job.options();
        String tags = JsonStrings.tags(options.tags());
        String headers = JsonStrings.headers(options.headers());
        long token = ClaimToken.draw();
        try (PreparedStatement statement = connection.prepareStatement(append.text())) {
            for (int i = 0; i < append.names().size(); i++) {
                int index = i + 1;
                switch (append.names().get(i)) {
                    case "attempts" -> bindByTurns(statement, index, options.maxAttempts(), APPEND_PLAN_NANOS);
                    case "kind" -> statement.setString(index, job.kind());
                    case "tags" -> statement.setString(index, tags);
                    case "headers" -> statement.setString(index, headers);
                    case "payload" -> statement.setString(index, job.payload());
                    default -> bind(statement, index, append.names().get(i), lane, request, token);
                }
            }
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return new LaneHeadRead(0, 0, List.of());
                }
                LaneHeadRead.Entry entry = new LaneHeadRead.Entry(
                        row.getLong(1),
                        row.getLong(2),
                        options.maxAttempts(),
                        job.kind(),
                        tags,
                        headers,
                        job.payload(),
                        LaneHeadRead.Rare.NONE);
                return new LaneHeadRead(row.getLong(3), row.getLong(4), List.of(entry), row.getLong(5) == 1, token);
            }
        }
    }

    /** If a claim that did not wait for its turn has written the range first, retries without waiting. */
    private LaneHeadRead inTurn(Connection connection, Lane lane, ClaimRequest request) throws SQLException {
        Statements statements = ofLane(lane.id());
        long token = ClaimToken.draw();
        try (PreparedStatement statement = connection.prepareStatement(statements.inTurn.text())) {
            bind(statement, statements.inTurn, lane, request, token);
            boolean unused = statement.execute() && statement.getMoreResults() && statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                if (!row.next()) {
                    return new LaneHeadRead(0, 0, List.of());
                }
                if (row.getLong(3) == 1) {
                    long after = row.getLong(1);
                    List<LaneHeadRead.Entry> jobs = jobs(connection, statements.jobs, after, row.getString(4));
                    return new LaneHeadRead(after, row.getLong(2), jobs, true, token);
                }
            }
        }
        return inOneStatement(connection, lane, request);
    }

    /** The jobs of a range that this claim has written, without those that were committed since. */
    private static List<LaneHeadRead.Entry> jobs(Connection connection, String sql, long after, String ids)
            throws SQLException {
        Set<Long> claimed = Arrays.stream(ids.split(" ")).map(Long::valueOf).collect(Collectors.toSet());
        List<LaneHeadRead.Entry> jobs = new ArrayList<>(claimed.size());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, after);
            statement.setLong(2, Collections.max(claimed));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    if (claimed.contains(rows.getLong(1))) {
                        jobs.add(entry(rows));
                    }
                }
            }
        }
        if (jobs.size() < claimed.size()) {
            throw new SQLException("found " + jobs.size() + " of " + claimed.size() + " jobs that were just claimed");
        }
        return jobs;
    }

    private static void bind(PreparedStatement statement, NamedSql sql, Lane lane, ClaimRequest request, long token)
            throws SQLException {
        for (int i = 0; i < sql.names().size(); i++) {
            bind(statement, i + 1, sql.names().get(i), lane, request, token);
        }
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
     * Binds the limit with a different type each second. The driver caches the statement, and the server its plan, only for values of the
     * same types. This drops plans that were made for small tables, and that would scan full ones.
     */
    static void bindLimit(PreparedStatement statement, int index, int limit) throws SQLException {
        bindByTurns(statement, index, limit, PLAN_NANOS);
    }

    private static void bindByTurns(PreparedStatement statement, int index, int limit, long planNanos)
            throws SQLException {
        if (Math.floorMod(System.nanoTime() / planNanos, 2) == 0) {
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
