package dev.pawl.internal.lane;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.PlaceRuns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the jobs that have been running longest in lanes, and the durations of recent runs. Payloads are not read. */
final class LaneRuns implements PlaceRuns {
    /** Limit of ranges for each lane. */
    private static final int RANGES = 20;
    /** How many of the newest ranges of each lane are searched for closed ones. */
    private static final int MAX_CLOSED_RANGES = 500;

    private static final String SELECT = "SELECT " + RangeRow.COLUMNS + ", claimed_at, finished_at FROM ";

    private final Dialect dialect;

    LaneRuns(Dialect dialect) {
        this.dialect = dialect;
    }

    private record Life(
            RangeRow row, Instant claimedAt, @Nullable Instant finishedAt) {
        /** The duration of a closed range. */
        Duration length() {
            Instant end = finishedAt;
            return end == null ? Duration.ZERO : Duration.between(claimedAt, end);
        }
    }

    /** Receives the jobs of a range. */
    private interface Each {
        /** {@return whether to continue} */
        boolean job(long id, String kind);
    }

    /** Reads unfinished jobs that have not moved, from the oldest open ranges. */
    @Override
    public Runs running(Connection connection, Instant before, int most) throws SQLException {
        List<Job> running = new ArrayList<>();
        boolean isAtLeast = false;
        for (Lane lane : new LaneReads(dialect).lanes(connection)) {
            List<Life> open = open(connection, lane, before);
            isAtLeast |= open.size() == RANGES;
            for (Life life : open) {
                if (running.size() >= most) {
                    return new Runs(running, true);
                }
                life.row.readFences(connection, dialect);
                RangeRow row = life.row.again(connection, dialect);
                if (row == null) {
                    continue;
                }
                read(connection, lane.id(), row, false, (id, kind) -> {
                    running.add(Job.builder(id, kind, lane.queue())
                            .state(JobState.RUNNING)
                            .startedAt(life.claimedAt)
                            .build());
                    return running.size() < most;
                });
            }
        }
        return new Runs(running, isAtLeast || running.size() >= most);
    }

    /** Uses the duration of a closed range as the duration of each run in it. */
    @Override
    public Map<String, Duration> longest(Connection connection, Set<String> kinds) throws SQLException {
        Map<String, Duration> longest = new HashMap<>();
        for (Lane lane : new LaneReads(dialect).lanes(connection)) {
            for (Life life : closed(connection, lane)) {
                Duration length = life.length();
                if (kinds.stream().anyMatch(kind -> isNews(longest, kind, length))) {
                    read(connection, lane.id(), life.row, true, (id, kind) -> {
                        if (kinds.contains(kind) && isNews(longest, kind, length)) {
                            longest.put(kind, length);
                        }
                        return true;
                    });
                }
            }
        }
        return longest;
    }

    private static boolean isNews(Map<String, Duration> longest, String kind, Duration length) {
        Duration known = longest.get(kind);
        return known == null || known.compareTo(length) < 0;
    }

    private List<Life> open(Connection connection, Lane lane, Instant before) throws SQLException {
        Sql sql = dialect.statement(SELECT + "pawl_lane_range WHERE " + RangeRow.OPEN_OF_LANE + " AND claimed_at <= "
                + dialect.moment() + " ORDER BY starts_after LIMIT " + RANGES);
        return sql.on(connection, lane.id(), before).query(this::lives);
    }

    private List<Life> closed(Connection connection, Lane lane) throws SQLException {
        Sql sql = dialect.statement(SELECT
                + "(SELECT * FROM pawl_lane_range WHERE lane = ? ORDER BY lane DESC, starts_after DESC LIMIT "
                + MAX_CLOSED_RANGES
                + ") newest WHERE lease_expires_at IS NULL ORDER BY starts_after DESC LIMIT " + RANGES);
        return sql.on(connection, lane.id()).query(this::lives);
    }

    private List<Life> lives(ResultSet rows) throws SQLException {
        List<Life> lives = new ArrayList<>();
        while (rows.next()) {
            Instant claimedAt = dialect.moment(rows, "claimed_at");
            if (claimedAt != null) {
                lives.add(new Life(RangeRow.of(rows), claimedAt, dialect.moment(rows, "finished_at")));
            }
        }
        return lives;
    }

    private void read(Connection connection, int lane, RangeRow range, boolean done, Each each) throws SQLException {
        String sql = "SELECT id, kind FROM pawl_lane_job WHERE lane = ? AND id > ? AND id <= ?";
        boolean unused = dialect.statement(sql)
                .on(connection, lane, range.key().after(), range.ids().last())
                .query(rows -> {
                    boolean isWanted = true;
                    while (isWanted && rows.next()) {
                        int place = range.ids().positionOf(rows.getLong(1));
                        if (place >= 0
                                && !range.moved().get(place)
                                && range.done().get(place) == done) {
                            isWanted = each.job(rows.getLong(1), rows.getString(2));
                        }
                    }
                    return isWanted;
                });
    }
}
