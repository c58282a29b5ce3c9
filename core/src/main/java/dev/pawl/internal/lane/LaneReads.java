package dev.pawl.internal.lane;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads jobs of lanes for users. Jobs that have moved are left out: their rows are read elsewhere. Locks nothing. */
public final class LaneReads {
    /** Timeout of an interactive query, which holds a connection; SQLite has none. */
    public static final int LONGEST_SECONDS = 5;

    private static final int PAGE = 200;
    private static final int MOST_RANGES = 400;
    private static final int MOST_COUNTED = 1_000_000;
    private static final int MOST_OF_A_KIND = 10_000;

    private static final String JOB = "id, created_at, max_attempts, kind, tags, headers, payload";
    private static final String LIVES = "claimed_at, lease_expires_at, finished_at";

    private static final Conditions ALL = new Conditions("", List.of());

    private final Dialect dialect;

    /**
     * @param dialect the product
     */
    public LaneReads(Dialect dialect) {
        this.dialect = dialect;
    }

    /** A range, and the times of its claim and its end. */
    record Life(
            RangeRow row,
            @Nullable Instant claimedAt,
            @Nullable Instant leaseExpiresAt,
            @Nullable Instant finishedAt) {}

    /**
     * Conditions on the columns of a lane's jobs.
     *
     * @param sql each condition beginning with AND
     * @param values for their placeholders
     */
    public record Conditions(String sql, List<Object> values) {}

    /** A job in a lane, which may have moved from there. */
    private record Found(Job.Builder job, long id) {}

    /** {@return the current lanes} */
    public List<Lane> lanes(Connection connection) throws SQLException {
        Lanes lanes = new Lanes(dialect);
        lanes.read(connection);
        return lanes.all();
    }

    /** {@return a job that is in a lane} */
    public Optional<Job> find(Connection connection, long id) throws SQLException {
        Sql sql = dialect.statement("SELECT " + JOB + " FROM pawl_lane_job WHERE lane = ? AND id = ?");
        for (Lane lane : lanes(connection)) {
            Optional<Found> found = sql.on(connection, lane.id(), id).first(row -> read(row, lane));
            if (found.isPresent()) {
                return Optional.ofNullable(complete(found.get(), lives(connection, lane.id(), List.of(id))));
            }
        }
        return Optional.empty();
    }

    /**
     * Jobs by descending id.
     *
     * @param queues to include
     * @param states to include
     * @param above only jobs with a greater id
     * @param limit maximum number of jobs
     * @param payloads whether to read them; else each is empty
     */
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

    /**
     * {@return the greatest id beyond a number of jobs of a lane; 0 if no lane has more}
     *
     * @param queues to include
     * @param below only smaller ids
     */
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

    /** Jobs of one lane by descending id. */
    public List<Job> ofLane(
            Connection connection, Lane lane, @Nullable JobState state, Conditions conditions, int limit)
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

    /**
     * Waiting and running jobs of all lanes, by descending id, with their payloads. Jobs that were committed before the
     * end of their lane are
     * included while late jobs are still searched for there.
     *
     * @param below only jobs with a smaller id
     * @param limit maximum number of jobs of each lane
     */
    public List<Job> live(Connection connection, long below, int limit) throws SQLException {
        List<Job> jobs = new ArrayList<>();
        for (Lane lane : lanes(connection)) {
            long above = Math.min(
                    end(connection, lane.id()),
                    Math.min(oldestOpen(connection, lane.id()), oldestSearched(connection, lane.id())));
            jobs.addAll(
                    between(connection, lane, above, below, job -> !job.state().isFinished(), ALL, limit, true));
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
            List<Life> lives =
                    lives(connection, lane.id(), page.stream().map(Found::id).toList());
            for (Found found : page) {
                Job job = complete(found, lives);
                if (job != null && wanted.test(job) && jobs.size() < limit) {
                    jobs.add(job);
                }
            }
        }
        return jobs;
    }

    /** {@return how many waiting jobs in the lanes of a queue come before a job, up to a limit} */
    public long before(Connection connection, String queue, int priority, long id, int most) throws SQLException {
        Sql sql = dialect.planned("SELECT COUNT(*) FROM (SELECT 1 AS one FROM pawl_lane_job WHERE lane = ? AND id > "
                + LaneLog.END + " AND id < ? ORDER BY lane, id LIMIT " + dialect.laneLimit(most) + ") before_it");
        long before = 0;
        for (Lane lane : lanes(connection)) {
            if (lane.queue().equals(queue) && lane.priority() <= priority) {
                long end = lane.priority() < priority ? Long.MAX_VALUE : id;
                before += sql.on(connection, lane.id(), lane.id(), end).one(row -> row.getLong(1));
            }
        }
        return before;
    }

    /** {@return how many jobs recent ranges of a queue have completed} */
    public long completedLately(Connection connection, String queue, Duration span) throws SQLException {
        Sql sql = dialect.planned("SELECT COALESCE(SUM(completed), 0) FROM (SELECT completed, claimed_at"
                + " FROM pawl_lane_range WHERE lane = ? ORDER BY lane DESC, starts_after DESC LIMIT " + MOST_RANGES
                + ") lately WHERE claimed_at > " + dialect.nowPlusMicros());
        long completed = 0;
        for (Lane lane : lanes(connection)) {
            if (lane.queue().equals(queue)) {
                completed += sql.on(connection, lane.id(), -Micros.of(span)).one(row -> row.getLong(1));
            }
        }
        return completed;
    }

    private List<Found> page(
            Connection connection, Lane lane, long above, long below, Conditions conditions, boolean payloads)
            throws SQLException {
        String sql = dialect.sql("SELECT " + (payloads ? JOB : JobRows.briefly(JOB))
                + " FROM pawl_lane_job WHERE lane = ? AND id > ? AND id < ?" + conditions.sql
                + " ORDER BY id DESC LIMIT " + PAGE);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            if (!payloads) {
                statement.setQueryTimeout(LONGEST_SECONDS);
            }
            statement.setInt(1, lane.id());
            statement.setLong(2, above);
            statement.setLong(3, below);
            int index = 4;
            for (Object value : conditions.values) {
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
                .payload(row.getString("payload"));
        return new Found(job, row.getLong("id"));
    }

    /**
     * The ranges to which these ids may belong. Ids of a rare kind may lie far apart, with thousands of ranges between
     * them:
     * then each id's range is searched by itself.
     *
     * @param ids descending
     */
    List<Life> lives(Connection connection, int lane, List<Long> ids) throws SQLException {
        List<Life> lives = lives(connection, lane, ids.get(ids.size() - 1), ids.get(0), MOST_RANGES);
        if (lives.size() == MOST_RANGES) {
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

    /** The last ranges to which ids between two may belong, descending. */
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

    /** {@return the job with its state; null if it has moved} */
    private static @Nullable Job complete(Found found, List<Life> lives) {
        for (Life life : lives) {
            int place = life.row.ids().positionOf(found.id);
            if (place < 0) {
                continue;
            }
            if (life.row.moved().get(place)) {
                return null;
            }
            boolean done = life.row.done().get(place);
            found.job
                    .state(done ? JobState.COMPLETED : JobState.RUNNING)
                    .attempt(1)
                    .leaseToken(life.row.token())
                    .leasedBy(life.row.leasedBy())
                    .startedAt(life.claimedAt)
                    .leaseExpiresAt(done ? null : life.leaseExpiresAt)
                    .finishedAt(done ? life.finishedAt : null);
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
    public long newest(Connection connection, int lane) throws SQLException {
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

    /** The position from which late jobs may still be found. */
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

    /**
     * Counts of a queue's lanes.
     *
     * @param available not claimed yet, counted up to a limit in each lane, a million by default
     * @param running claimed, and neither done nor moved
     * @param oldest when the oldest available job was created; null if there is none
     * @param isAtLeast whether counting the available jobs stopped at the limit of a lane
     */
    public record Counts(
            long available, long running, @Nullable Instant oldest, boolean isAtLeast) {
        /** The counts of a queue without lanes. */
        public static final Counts NONE = new Counts(0, 0, null, false);

        private Counts plus(Counts other) {
            Instant older =
                    oldest == null || (other.oldest != null && other.oldest.isBefore(oldest)) ? other.oldest : oldest;
            return new Counts(
                    available + other.available, running + other.running, older, isAtLeast || other.isAtLeast);
        }
    }

    /** {@return the counts of each queue that has a lane} */
    public Map<String, Counts> counts(Connection connection) throws SQLException {
        return counts(connection, MOST_COUNTED);
    }

    /**
     * {@return the counts of each queue that has a lane}
     *
     * @param most limit up to which available jobs of a lane are counted
     */
    public Map<String, Counts> counts(Connection connection, int most) throws SQLException {
        Map<String, Counts> counts = new TreeMap<>();
        for (Lane lane : lanes(connection)) {
            counts.merge(lane.queue(), counts(connection, lane.id(), most), Counts::plus);
        }
        return counts;
    }

    private Counts counts(Connection connection, int lane, int most) throws SQLException {
        long end = end(connection, lane);
        long running = number(
                connection,
                "SELECT COALESCE(SUM(jobs - completed - moved_count), 0) FROM pawl_lane_range WHERE "
                        + RangeRow.OPEN_OF_LANE,
                lane);
        String beyond = " FROM " + dialect.laneJobs() + " WHERE " + dialect.inLaneAfter("?");
        Instant oldest = dialect.statement("SELECT created_at" + beyond + " ORDER BY lane, id LIMIT 1")
                .on(connection, after(lane, end))
                .first(row -> Objects.requireNonNull(dialect.moment(row, "created_at")))
                .orElse(null);
        long available = oldest == null ? 0 : count(connection, beyond, lane, end, null, most);
        return new Counts(available, running, oldest, available >= most);
    }

    private long count(Connection connection, String beyond, int lane, long end, @Nullable String kind, int most)
            throws SQLException {
        // In order: with only a limit, a planner assumes that any jobs will do, and reads the table from its oldest
        // rows.
        Sql sql = dialect.statement("SELECT COUNT(*) FROM (SELECT 1 AS one" + beyond + " ORDER BY lane, id LIMIT "
                + dialect.laneLimit(most) + ") waiting");
        Sql.Bound count = sql.on(connection, after(lane, end));
        return (kind == null ? count : count.bind(kind)).one(row -> row.getLong(1));
    }

    /** {@return the value for the expression {@link Dialect#inLaneAfter}} */
    private Sql.Value after(int lane, long id) {
        return (statement, index) ->
                dialect.bindLaneAfter(statement, index, lane, (at, query) -> query.setLong(at, id));
    }

    /** {@return how many available jobs the lanes of a queue have, counted up to a limit in each} */
    public long waiting(Connection connection, String queue, int most) throws SQLException {
        long waiting = 0;
        for (Lane lane : lanes(connection)) {
            if (lane.queue().equals(queue)) {
                String beyond = " FROM " + dialect.laneJobs() + " WHERE " + dialect.inLaneAfter("?");
                waiting += count(connection, beyond, lane.id(), end(connection, lane.id()), null, most);
            }
        }
        return waiting;
    }

    /** {@return how many available jobs of a kind the lanes of a queue have, counted up to ten thousand in each} */
    public long waiting(Connection connection, String queue, String kind) throws SQLException {
        long waiting = 0;
        for (Lane lane : lanes(connection)) {
            if (lane.queue().equals(queue)) {
                String beyond = " FROM " + dialect.laneJobs() + " WHERE " + dialect.inLaneAfter("?");
                waiting += count(
                        connection,
                        beyond + " AND kind = ?",
                        lane.id(),
                        end(connection, lane.id()),
                        kind,
                        MOST_OF_A_KIND);
            }
        }
        return waiting;
    }

    /**
     * {@return the kinds of the next available jobs of a lane}
     *
     * @param most how many jobs are read
     */
    public List<String> kinds(Connection connection, Lane lane, int most) throws SQLException {
        long end = end(connection, lane.id());
        Sql sql = dialect.statement("SELECT DISTINCT kind FROM (SELECT kind FROM " + dialect.laneJobs() + " WHERE "
                + dialect.inLaneAfter("?") + " ORDER BY lane, id LIMIT " + dialect.laneLimit(most)
                + ") waiting ORDER BY kind");
        return sql.on(connection, after(lane.id(), end)).strings();
    }

    /** {@return how many completed jobs each queue's lanes keep} */
    public Map<String, Long> completed(Connection connection) throws SQLException {
        Map<String, Long> completed = new TreeMap<>();
        Sql sql = dialect.statement(
                "SELECT n.queue, SUM(r.completed) FROM pawl_lane n JOIN pawl_lane_range r ON r.lane = n.id"
                        + " WHERE r.jobs_deleted = FALSE GROUP BY n.queue");
        sql.on(connection).each(rows -> completed.put(rows.getString(1), rows.getLong(2)));
        return completed;
    }
}
