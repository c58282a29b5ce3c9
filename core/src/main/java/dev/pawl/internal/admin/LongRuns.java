package dev.pawl.internal.admin;

import dev.pawl.admin.StalledJob;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceRuns;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the runs that have gone on longest, and how long others took; no payloads. */
final class LongRuns {
    private static final int MOST = 1_000;

    private final Dialect dialect;

    LongRuns(Dialect dialect) {
        this.dialect = dialect;
    }

    List<StalledJob> stalled(Connection connection) throws SQLException {
        Instant now = Present.of(connection, dialect);
        List<PlaceRuns> places = JobPlaces.runs(dialect);
        List<Job> running = new ArrayList<>();
        for (PlaceRuns place : places) {
            running.addAll(place.running(connection, now.minus(Stalled.MUCH), MOST)); // others have not run for long
        }
        running.addAll(running(connection));
        if (running.isEmpty()) {
            return List.of();
        }
        Set<String> kinds = running.stream().map(Job::kind).collect(Collectors.toSet());
        Map<String, Duration> longest = new HashMap<>();
        for (PlaceRuns place : places) {
            place.longest(connection, kinds).forEach((kind, length) -> longest.merge(kind, length, LongRuns::longer));
        }
        addRows(connection, longest);
        return Stalled.among(running, longest, now);
    }

    private List<Job> running(Connection connection) throws SQLException {
        List<Job> jobs = new ArrayList<>();
        Sql sql = dialect.statement(
                "SELECT id, queue, kind, started_at FROM pawl_job WHERE " + RowStates.RUNS // by the index on them
                        + " ORDER BY started_at LIMIT " + MOST);
        sql.on(connection)
                .each(rows -> jobs.add(Job.builder(rows.getLong("id"), rows.getString("kind"), rows.getString("queue"))
                        .state(JobState.RUNNING)
                        .startedAt(dialect.moment(rows, "started_at"))
                        .build()));
        return jobs;
    }

    private void addRows(Connection connection, Map<String, Duration> longest) throws SQLException {
        Sql sql = dialect.statement("SELECT kind, started_at, finished_at FROM pawl_job_history WHERE state = "
                + JobState.COMPLETED.code() + " ORDER BY finished_at DESC LIMIT " + MOST);
        sql.on(connection).each(rows -> {
            Instant started = dialect.moment(rows, "started_at");
            Instant finished = dialect.moment(rows, "finished_at");
            if (started != null && finished != null) {
                longest.merge(rows.getString("kind"), Duration.between(started, finished), LongRuns::longer);
            }
        });
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
