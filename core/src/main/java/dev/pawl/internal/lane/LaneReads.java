package dev.pawl.internal.lane;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.Conditions;
import dev.pawl.internal.place.PlaceReads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads jobs of lanes for users. Jobs that have moved are left out: their rows are read elsewhere. */
final class LaneReads implements PlaceReads {
    private static final int PAGE = 200;
    private static final int MAX_RANGES = 400;

    private static final String JOB =
            "id, created_at, expires_at, batch_id, cost, max_attempts, kind, tags, headers, payload";
    private static final String LIVES = "claimed_at, lease_expires_at, finished_at";

    private final Dialect dialect;

    LaneReads(Dialect dialect) {
        this.dialect = dialect;
    }

    /** A range with the times of its claim and its end, and the end of its lease. */
    record Life(
            RangeRow row,
            @Nullable Instant claimedAt,
            @Nullable Instant leaseExpiresAt,
            @Nullable Instant finishedAt) {}

    /** A job in a lane, which may have moved to a row of its own. */
    private record Found(Job.Builder job, long id) {}

    /** {@return the current lanes} */
    List<Lane> lanes(Connection connection) throws SQLException {
        return Lanes.all(connection, dialect);
    }

    @Override
    public Optional<Job> find(Connection connection, long id) throws SQLException {
        Sql sql = dialect.statement("SELECT " + JOB + " FROM pawl_lane_job WHERE lane = ? AND id = ?");
        for (Lane lane : lanes(connection)) {
            Optional<Found> found = sql.on(connection, lane.id(), id).first(row -> read(row, lane));
            if (found.isPresent()) {
                Map<Long, Instant> fenced = fenced(connection, List.of(id));
                return Optional.ofNullable(complete(found.get(), lives(connection, lane.id(), List.of(id)), fenced));
            }
        }
        return Optional.empty();
    }

    @Override
    public List<Job> list(
            Connection connection,
            Predicate<String> queues,
            Predicate<JobState> states,
            Conditions conditions,
            long above,
            int limit,
            boolean payloads)
            throws SQLException {
        List<Job> jobs = new ArrayList<>();
        for (Lane lane : lanes(connection)) {
            if (queues.test(lane.queue())) {
                jobs.addAll(ofLane(connection, lane, states, conditions, above, limit, payloads));
            }
        }
        return jobs;
    }

    @Override
    public long floor(Connection connection, Predicate<String> queues, long below, int jobs) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT id FROM pawl_lane_job WHERE lane = ? AND id < ? ORDER BY lane DESC, id DESC LIMIT 1 OFFSET "
                        + jobs);
        long floor = 0;
        for (Lane lane : lanes(connection)) {
            if (queues.test(lane.queue())) {
                floor = Math.max(
                        floor,
                        sql.on(connection, lane.id(), below)
                                .first(row -> row.getLong(1))
                                .orElse(0L));
            }
        }
        return floor;
    }

    /** Reads jobs of one lane by descending id. */
    List<Job> ofLane(Connection connection, Lane lane, @Nullable JobState state, Conditions conditions, int limit)
            throws SQLException {
        return ofLane(connection, lane, each -> state == null || each == state, conditions, 0, limit, true);
    }

    private List<Job> ofLane(
            Connection connection,
            Lane lane,
            Predicate<JobState> states,
            Conditions conditions,
            long floor,
            int limit,
            boolean payloads)
            throws SQLException {
        long end = end(connection, lane.id());
        boolean mayWait = states.test(JobState.AVAILABLE);
        long above = states.test(JobState.COMPLETED)
                ? 0
                : states.test(JobState.RUNNING)
                        ? Math.min(mayWait ? end : Long.MAX_VALUE, oldestOpen(connection, lane.id()))
                        : end;
        return between(
                connection,
                lane,
                Math.max(floor, above),
                mayWait ? Long.MAX_VALUE : end + 1,
                job -> states.test(job.state()),
                conditions,
                limit,
                payloads);
    }

    /** Includes late jobs, whose ids are before the end of their lane, back to the oldest range that is still searched for late jobs. */
    @Override
    public List<Job> live(Connection connection, long below, int limit) throws SQLException {
        List<Job> jobs = new ArrayList<>();
        for (Lane lane : lanes(connection)) {
            long above = Math.min(
                    end(connection, lane.id()),
                    Math.min(oldestOpen(connection, lane.id()), oldestSearched(connection, lane.id())));
            jobs.addAll(between(
                    connection, lane, above, below, job -> !job.state().isFinished(), Conditions.NONE, limit, true));
        }
        return jobs;
    }

    private List<Job> between(
            Connection connection,
            Lane lane,
            long above,
            long end,
            Predicate<Job> wanted,
            Conditions conditions,
            int limit,
            boolean payloads)
            throws SQLException {
        List<Job> jobs = new ArrayList<>();
        long below = end;
        while (jobs.size() < limit && above < below) {
            List<Found> page = page(connection, lane, above, below, conditions, payloads);
            if (page.isEmpty()) {
                break;
            }
            below = page.get(page.size() - 1).id;
            List<Long> ids = page.stream().map(Found::id).toList();
            Map<Long, Instant> fenced = fenced(connection, ids);
            List<Life> lives = lives(connection, lane.id(), ids);
            for (Found found : page) {
                Job job = complete(found, lives, fenced);
                if (job != null && wanted.test(job) && jobs.size() < limit) {
                    jobs.add(job);
                }
            }
        }
        return jobs;
    }

    private List<Found> page(
            Connection connection, Lane lane, long above, long below, Conditions conditions, boolean payloads)
            throws SQLException {
        String sql = dialect.sql("SELECT " + (payloads ? JOB : JobRows.briefly(JOB))
                + " FROM pawl_lane_job WHERE lane = ? AND id > ? AND id < ?" + conditions.sql()
                + " ORDER BY id DESC LIMIT " + PAGE);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            if (!payloads) {
                statement.setQueryTimeout(JobRows.QUERY_TIMEOUT_SECONDS);
            }
            statement.setInt(1, lane.id());
            statement.setLong(2, above);
            statement.setLong(3, below);
            int index = 4;
            for (Object value : conditions.values()) {
                if (value instanceof Instant moment) {
                    dialect.bind(statement, index++, moment);
                } else {
                    statement.setObject(index++, value);
                }
            }
            List<Found> page = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    page.add(read(rows, lane));
                }
            }
            return page;
        }
    }

    private Found read(ResultSet row, Lane lane) throws SQLException {
        Instant createdAt = dialect.moment(row, "created_at");
        Instant created = createdAt == null ? Instant.EPOCH : createdAt;
        Job.Builder job = Job.builder(row.getLong("id"), row.getString("kind"), lane.queue())
                .state(JobState.AVAILABLE)
                .priority(lane.priority())
                .maxAttempts(row.getInt("max_attempts"))
                .createdAt(created)
                .availableAt(created)
                .tags(JobRows.tags(row.getString("tags")))
                .headers(JobRows.headers(row.getString("headers")))
                .batch(JobRows.batch(row.getLong("batch_id")))
                .cost(JobRows.cost(row.getInt("cost")))
                .expiresAt(dialect.moment(row, "expires_at"))
                .payload(row.getString("payload"));
        return new Found(job, row.getLong("id"));
    }

    /**
     * Reads the ranges to which these ids may belong. Ids of a rare kind may be far apart, with thousands of ranges
     * between them; then each id's range is read separately.
     *
     * @param ids descending
     */
    List<Life> lives(Connection connection, int lane, List<Long> ids) throws SQLException {
        List<Life> lives = lives(connection, lane, ids.get(ids.size() - 1), ids.get(0), MAX_RANGES);
        if (lives.size() == MAX_RANGES) {
            long lowest = lives.get(lives.size() - 1).row.key().after();
            for (long id : ids) {
                if (id <= lowest) {
                    List<Life> own = lives(connection, lane, id, id, 1);
                    lives.addAll(own);
                    lowest = own.isEmpty() ? lowest : own.get(0).row.key().after();
                }
            }
        }
        return lives;
    }

    /** Reads the ranges to which ids from {@code first} to {@code last} may belong, the newest first, up to a limit. */
    private List<Life> lives(Connection connection, int lane, long first, long last, int most) throws SQLException {
        Sql sql = dialect.statement("SELECT " + RangeRow.COLUMNS + ", " + LIVES + " FROM pawl_lane_range WHERE lane = ?"
                + " AND starts_after >= COALESCE((SELECT MAX(starts_after) FROM pawl_lane_range WHERE lane = ? AND starts_after < ?), 0)"
                + " AND starts_after < ? ORDER BY starts_after DESC LIMIT " + most);
        return sql.on(connection, lane, lane, first, last)
                .list(rows -> new Life(
                        RangeRow.of(rows),
                        dialect.moment(rows, "claimed_at"),
                        dialect.moment(rows, "lease_expires_at"),
                        dialect.moment(rows, "finished_at")));
    }

    /**
     * Reads jobs that handlers' transactions have completed and whose bits are not set yet, with the current time. They must be read before
     * the ranges. If a fence is then deleted before the range is read, the range has the bit.
     */
    private Map<Long, Instant> fenced(Connection connection, List<Long> ids) throws SQLException {
        Sql sql =
                dialect.planned("SELECT id, " + dialect.now() + " AS moment FROM " + dialect.alongIds("pawl_lane_fence")
                        + " WHERE " + dialect.anyOf("id", ids.size()) + " AND token <> 0");
        Map<Long, Instant> fenced = new HashMap<>();
        sql.on(connection, ids)
                .each(row -> fenced.put(row.getLong(1), Objects.requireNonNull(dialect.moment(row, "moment"))));
        return fenced;
    }

    /** {@return the job with its state; null if it has moved} */
    private static @Nullable Job complete(Found found, List<Life> lives, Map<Long, Instant> fenced) {
        for (Life life : lives) {
            int place = life.row.ids().positionOf(found.id);
            if (place < 0) {
                continue;
            }
            if (life.row.moved().get(place)) {
                return null;
            }
            Instant fencedAt = fenced.get(found.id);
            boolean isFenced = fencedAt != null && !life.row.done().get(place);
            boolean done = isFenced || life.row.done().get(place);
            found.job
                    .state(done ? JobState.COMPLETED : JobState.RUNNING)
                    .attempt(1)
                    .leaseToken(life.row.token())
                    .leasedBy(life.row.leasedBy())
                    .startedAt(life.claimedAt)
                    .leaseExpiresAt(done ? null : life.leaseExpiresAt)
                    .finishedAt(isFenced ? fencedAt : done ? life.finishedAt : null);
            break;
        }
        return found.job.build();
    }

    /** {@return the last id that belongs to a range; 0 if there is none} */
    long end(Connection connection, int lane) throws SQLException {
        return number(
                connection,
                "SELECT last_id FROM pawl_lane_range WHERE lane = ? ORDER BY starts_after DESC LIMIT 1",
                lane);
    }

    /** {@return the greatest id of the lane's jobs; 0 if it has none} */
    long newest(Connection connection, int lane) throws SQLException {
        return number(
                connection, "SELECT id FROM pawl_lane_job WHERE lane = ? ORDER BY lane DESC, id DESC LIMIT 1", lane);
    }

    private long oldestOpen(Connection connection, int lane) throws SQLException {
        return number(
                connection,
                "SELECT starts_after FROM pawl_lane_range WHERE " + RangeRow.OPEN_OF_LANE
                        + " ORDER BY starts_after LIMIT 1",
                lane,
                Long.MAX_VALUE);
    }

    /** Reads the start of the oldest range that is still searched for late jobs. */
    private long oldestSearched(Connection connection, int lane) throws SQLException {
        return number(
                connection,
                "SELECT starts_after FROM pawl_lane_range WHERE lane = ? AND recount_at IS NOT NULL ORDER BY starts_after LIMIT 1",
                lane,
                Long.MAX_VALUE);
    }

    private long number(Connection connection, String sql, int lane) throws SQLException {
        return number(connection, sql, lane, 0);
    }

    private long number(Connection connection, String sql, int lane, long otherwise) throws SQLException {
        return dialect.statement(sql)
                .on(connection, lane)
                .first(row -> row.getLong(1))
                .orElse(otherwise);
    }
}
