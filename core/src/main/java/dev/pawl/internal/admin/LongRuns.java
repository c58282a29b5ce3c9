package dev.pawl.internal.admin;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.admin.StalledJob;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.LaneRuns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads the runs that have gone on longest, and how long others took; no payloads. */
final class LongRuns {
    private static final int MOST = 1_000;

    private final Dialect dialect;

    LongRuns(Dialect dialect) {
        this.dialect = dialect;
    }

    List<StalledJob> stalled(Connection connection) throws SQLException {
        LaneRuns lanes = new LaneRuns(dialect);
        List<Job> running = lanes.running(connection);
        running.addAll(read(
                connection,
                "SELECT id, queue, kind, started_at, NULL AS ended FROM pawl_job WHERE " + dialect.runs()
                        + " ORDER BY started_at LIMIT " + MOST,
                JobState.RUNNING));
        if (running.isEmpty()) {
            return List.of();
        }
        List<Job> completed = lanes.completed(connection);
        completed.addAll(read(
                connection,
                "SELECT id, queue, kind, started_at, finished_at AS ended FROM pawl_job_history"
                        + " WHERE state = 2 ORDER BY finished_at DESC LIMIT " + MOST,
                JobState.COMPLETED));
        return Stalled.among(running, completed, Present.of(connection, dialect));
    }

    private List<Job> read(Connection connection, String sql, JobState state) throws SQLException {
        List<Job> jobs = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(sql));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                jobs.add(Job.builder(rows.getLong("id"), rows.getString("kind"), rows.getString("queue"))
                        .state(state)
                        .startedAt(dialect.moment(rows, "started_at"))
                        .finishedAt(state == JobState.RUNNING ? null : dialect.moment(rows, "ended"))
                        .build());
            }
        }
        return jobs;
    }
}
