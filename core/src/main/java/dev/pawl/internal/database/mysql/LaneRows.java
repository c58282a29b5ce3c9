package dev.pawl.internal.database.mysql;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.enqueue.JobColumns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes to the lanes' table, whose AUTO_INCREMENT is the source of all job ids: a counter in a row would stay locked until the caller's
 * transaction ends. Jobs in {@code pawl_job} draw their ids as rows of lane 0.
 *
 * <p>MySQL has no RETURNING. An INSERT whose number of rows is known gets consecutive ids in order, so the first id and the
 * server's increment give them all.
 */
final class LaneRows {
    private static final String ROW = "(?, UTC_TIMESTAMP(6), ?, ?, ?, ?, ?%s)";
    private static final String STUB = "(0, '1970-01-01', 0, '', '')";

    private final MySqlDialect dialect;

    LaneRows(MySqlDialect dialect) {
        this.dialect = dialect;
    }

    /** See {@link dev.pawl.internal.enqueue.InsertJobs#append}. */
    List<Long> append(Connection connection, int lane, List<JobRequest> jobs) throws SQLException {
        boolean more = JobColumns.any(jobs);
        try (PreparedStatement statement = prepared(connection, sql(jobs, more), jobs.size())) {
            int index = 1;
            for (JobRequest job : jobs) {
                statement.setInt(index++, lane);
                statement.setInt(index++, job.options().maxAttempts());
                statement.setString(index++, job.kind());
                statement.setString(index++, JsonStrings.tags(job.options().tags()));
                statement.setString(index++, JsonStrings.headers(job.options().headers()));
                statement.setString(index++, job.payload());
                if (more) {
                    index = JobColumns.bindShared(statement, index, job.options());
                    index = JobColumns.bindExpiry(dialect, statement, index, job.options());
                }
            }
            statement.executeUpdate();
            return ids(connection, statement, jobs.size());
        }
    }

    private String sql(List<JobRequest> jobs, boolean more) {
        StringBuilder sql = new StringBuilder("INSERT INTO pawl_lane_job (lane, created_at, max_attempts, kind, tags, headers, payload")
                .append(more ? JobColumns.SHARED : "")
                .append(") VALUES ");
        String plain = ROW.formatted("");
        String separator = "";
        for (JobRequest job : jobs) {
            sql.append(separator)
                    .append(more ? ROW.formatted(", ?, ?, " + JobColumns.expiry(dialect, job.options())) : plain);
            separator = ", ";
        }
        return dialect.sql(sql.toString());
    }

    /** {@return new ids, consecutive but for the server's increment} */
    List<Long> draw(Connection connection, int count) throws SQLException {
        String sql = dialect.sql("INSERT INTO pawl_lane_job (lane, created_at, max_attempts, kind, payload) VALUES "
                + (STUB + ", ").repeat(count - 1) + STUB);
        try (PreparedStatement statement = prepared(connection, sql, count)) {
            statement.executeUpdate();
            return ids(connection, statement, count);
        }
    }

    /** Requests the id from the driver for one row only, because the drivers report different ids for many rows. */
    private static PreparedStatement prepared(Connection connection, String sql, int rows) throws SQLException {
        return rows == 1
                ? connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)
                : connection.prepareStatement(sql);
    }

    private static List<Long> ids(Connection connection, PreparedStatement inserted, int rows) throws SQLException {
        if (rows == 1) {
            try (ResultSet keys = inserted.getGeneratedKeys()) {
                keys.next();
                return List.of(keys.getLong(1));
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID(), @@auto_increment_increment")) {
            row.next();
            long first = row.getLong(1);
            long step = row.getLong(2);
            List<Long> ids = new ArrayList<>(rows);
            for (int i = 0; i < rows; i++) {
                ids.add(first + i * step);
            }
            return ids;
        }
    }
}
