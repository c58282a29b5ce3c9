package dev.pawl.internal.lane;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The runs in lanes that have gone on longest, and how long the last ones took; no payloads. */
public final class LaneRuns {
    private static final int RANGES = 20;

    private final Dialect dialect;

    /**
     * @param dialect the product
     */
    public LaneRuns(Dialect dialect) {
        this.dialect = dialect;
    }

    private record Life(
            RangeRow row,
            long last,
            @Nullable Instant claimedAt,
            @Nullable Instant finishedAt) {}

    /** {@return jobs of the oldest ranges that are not closed, which have neither ended nor moved} */
    public List<Job> running(Connection connection) throws SQLException {
        List<Job> running = new ArrayList<>();
        for (Lane lane : new LaneReads(dialect).lanes(connection)) {
            for (Life life : ranges(connection, lane, "lease_expires_at IS NOT NULL", "after_id")) {
                read(connection, lane, life, running, false);
            }
        }
        return running;
    }

    /** {@return the jobs of the last closed ranges, each of which took no longer than its range} */
    public List<Job> completed(Connection connection) throws SQLException {
        List<Job> completed = new ArrayList<>();
        for (Lane lane : new LaneReads(dialect).lanes(connection)) {
            for (Life life : ranges(connection, lane, "lease_expires_at IS NULL", "after_id DESC")) {
                read(connection, lane, life, completed, true);
            }
        }
        return completed;
    }

    private List<Life> ranges(Connection connection, Lane lane, String which, String order) throws SQLException {
        String sql = "SELECT " + RangeRow.COLUMNS + ", claimed_at, finished_at FROM pawl_lane_range WHERE lane = ? AND "
                + which + " ORDER BY " + order + " LIMIT " + RANGES;
        List<Life> lives = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
            statement.setInt(1, lane.id());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lives.add(new Life(
                            RangeRow.of(rows),
                            rows.getLong("last_id"),
                            dialect.moment(rows, "claimed_at"),
                            dialect.moment(rows, "finished_at")));
                }
            }
        }
        return lives;
    }

    private void read(Connection connection, Lane lane, Life life, List<Job> jobs, boolean done) throws SQLException {
        String sql = "SELECT id, kind FROM pawl_lane_job WHERE lane = ? AND id > ? AND id <= ?";
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql))) {
            statement.setInt(1, lane.id());
            statement.setLong(2, life.row.key().after());
            statement.setLong(3, life.last);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long id = rows.getLong(1);
                    int place = life.row.ids().placeOf(id);
                    if (place >= 0
                            && !life.row.moved().get(place)
                            && life.row.done().get(place) == done) {
                        jobs.add(Job.builder(id, rows.getString(2), lane.queue())
                                .state(done ? JobState.COMPLETED : JobState.RUNNING)
                                .startedAt(life.claimedAt)
                                .finishedAt(done ? life.finishedAt : null)
                                .build());
                    }
                }
            }
        }
    }
}
