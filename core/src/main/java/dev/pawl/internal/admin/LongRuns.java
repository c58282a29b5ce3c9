package dev.pawl.internal.admin;

import dev.pawl.admin.StalledJobs;
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

/** Reads the runs that have lasted longest, and the longest recent run of their kinds, without payloads. */
public final class LongRuns {
    private static final int MAX = 1_000;

    private final Dialect dialect;

    /** @param dialect the product */
    public LongRuns(Dialect dialect) {
        this.dialect = dialect;
    }

    StalledJobs stalled(Connection connection) throws SQLException {
        return stalled(connection, MAX);
    }

    /**
     * {@return the runs that have stalled}
     *
     * @param connection to read on
     * @param most the maximum number of runs to read from the rows, and from each other place of jobs
     * @throws SQLException from the driver
     */
    public StalledJobs stalled(Connection connection, int most) throws SQLException {
        Instant now = Present.of(connection, dialect);
        Instant before = now.minus(Stalled.MIN_EXCESS); // younger runs have not stalled
        List<PlaceRuns> places = JobPlaces.runs(dialect);
        List<Job> running = new ArrayList<>();
        boolean isAtLeast = false;
        for (PlaceRuns place : places) {
            PlaceRuns.Runs inPlace = place.running(connection, before, most);
            isAtLeast |= inPlace.isAtLeast();
            running.addAll(inPlace.jobs());
        }
        List<Job> inRows = running(connection, most);
        isAtLeast |= inRows.size() == most && hasBegun(inRows.get(most - 1), before);
        running.addAll(inRows);
        if (running.isEmpty()) {
            return new StalledJobs(List.of(), isAtLeast);
        }
        Set<String> kinds = running.stream().map(Job::kind).collect(Collectors.toSet());
        Map<String, Duration> longest = new HashMap<>();
        for (PlaceRuns place : places) {
            place.longest(connection, kinds).forEach((kind, length) -> longest.merge(kind, length, LongRuns::longer));
        }
        addRows(connection, longest);
        return new StalledJobs(Stalled.among(running, longest, now), isAtLeast);
    }

    private static boolean hasBegun(Job job, Instant before) {
        Instant startedAt = job.startedAt();
        return startedAt != null && startedAt.isBefore(before);
    }

    private List<Job> running(Connection connection, int most) throws SQLException {
        List<Job> jobs = new ArrayList<>();
        Sql sql = dialect.statement(
                "SELECT id, queue, kind, started_at FROM pawl_job WHERE " + RowStates.RUNS // by the index on the state
                        + " ORDER BY started_at LIMIT " + most);
        sql.on(connection)
                .each(rows -> jobs.add(Job.builder(rows.getLong("id"), rows.getString("kind"), rows.getString("queue"))
                        .state(JobState.RUNNING)
                        .startedAt(dialect.moment(rows, "started_at"))
                        .build()));
        return jobs;
    }

    private void addRows(Connection connection, Map<String, Duration> longest) throws SQLException {
        Sql sql = dialect.statement("SELECT kind, started_at, finished_at FROM pawl_job_history WHERE state = "
                + JobState.COMPLETED.code() + " ORDER BY finished_at DESC LIMIT " + MAX);
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
