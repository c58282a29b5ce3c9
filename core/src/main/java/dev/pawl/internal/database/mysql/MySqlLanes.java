package dev.pawl.internal.database.mysql;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.lane.LaneWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Lanes on MySQL and MariaDB: their table is also the source of all ids. */
public final class MySqlLanes implements LaneDatabase {
    @Override
    public String product() {
        return "mysql";
    }

    @Override
    public boolean drawsIds() {
        return true;
    }

    @Override
    public LaneWriter writer(Dialect dialect) {
        return new Writer(dialect);
    }

    /** One INSERT of many rows. */
    private record Writer(Dialect dialect) implements LaneWriter {
        private static final String ROW = "(?, UTC_TIMESTAMP(6), ?, ?, ?, ?, ?)";

        @Override
        public List<Long> append(Connection connection, int lane, List<JobRequest> jobs) throws SQLException {
            if (!MySqlPackets.fit(connection, jobs)) {
                List<Long> ids = new ArrayList<>(append(connection, lane, jobs.subList(0, jobs.size() / 2)));
                ids.addAll(append(connection, lane, jobs.subList(jobs.size() / 2, jobs.size())));
                return ids;
            }
            String sql = dialect.sql(
                    "INSERT INTO pawl_lane_job (lane, created_at, max_attempts, kind, tags, headers, payload) VALUES "
                            + (ROW + ", ").repeat(jobs.size() - 1) + ROW);
            try (PreparedStatement statement = JobIds.prepared(connection, sql, jobs.size())) {
                int index = 1;
                for (JobRequest job : jobs) {
                    statement.setInt(index++, lane);
                    statement.setInt(index++, job.options().maxAttempts());
                    statement.setString(index++, job.kind());
                    statement.setString(index++, JsonStrings.tags(job.options().tags()));
                    statement.setString(index++, JsonStrings.headers(job.options().headers()));
                    statement.setString(index++, job.payload());
                }
                statement.executeUpdate();
                return JobIds.ids(connection, statement, jobs.size());
            }
        }
    }
}
