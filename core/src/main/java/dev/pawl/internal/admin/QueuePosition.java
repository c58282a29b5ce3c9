package dev.pawl.internal.admin;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceCounts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Estimates the position of a job in its queue, and its start. Reads a bounded number of rows. */
public final class QueuePosition {
    /** Counting stops at this many jobs before the given one. */
    static final int MAX = 10_000;

    private static final Duration SPAN = Duration.ofMinutes(1);

    private final Database database;
    private final Dialect dialect;
    private final JobQueries jobQueries;
    private final List<PlaceCounts> places;
    private final Sql rows;
    private final Sql finished;

    /**
     * @param database the pool and the dialect
     */
    public QueuePosition(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.jobQueries = new JobQueries(dialect);
        this.places = JobPlaces.counts(dialect);
        rows = dialect.planned("""
                SELECT COUNT(*) FROM (
                    SELECT 1 AS one FROM pawl_job
                     WHERE %4$s AND queue = ? AND available_at <= %1$s
                       AND (priority < ? OR priority = ? AND (available_at < %2$s OR available_at = %2$s AND id < ?))
                     LIMIT %3$s) before_it
                """.formatted(dialect.now(), dialect.moment(), MAX, RowStates.CLAIMABLE));
        finished = dialect.planned("""
                SELECT COUNT(*) FROM (
                    SELECT 1 AS one FROM pawl_job_history
                     WHERE %s AND finished_at > %s AND queue = ? LIMIT %s) lately
                """.formatted(RowStates.is(JobState.COMPLETED), dialect.nowPlusMicros(), MAX));
    }

    /** See {@link dev.pawl.JobHandle#ahead}. */
    public OptionalLong ahead(long jobId) throws SQLException {
        return database.autocommit(connection -> {
            Optional<Job> job = jobQueries.find(connection, jobId);
            return job.isEmpty() ? OptionalLong.empty() : ahead(connection, job.get());
        });
    }

    private OptionalLong ahead(Connection connection, Job job) throws SQLException {
        if (!job.state().isWaiting()) {
            return OptionalLong.of(0);
        }
        if (job.state().waitsForOthers()) {
            return OptionalLong.empty();
        }
        Instant now = Present.of(connection, dialect);
        if (job.availableAt().isAfter(now)) {
            return OptionalLong.empty();
        }
        long before = rows.on(
                        connection,
                        job.queue(),
                        job.priority(),
                        job.priority(),
                        job.availableAt(),
                        job.availableAt(),
                        job.id())
                .one(row -> row.getLong(1));
        for (PlaceCounts place : places) {
            before += place.before(connection, job.queue(), job.priority(), job.id(), MAX);
        }
        return OptionalLong.of(Math.min(MAX, before));
    }

    /** See {@link dev.pawl.JobHandle#startsIn}. */
    public Optional<Duration> startsIn(long jobId) throws SQLException {
        return database.autocommit(connection -> {
            Optional<Job> job = jobQueries.find(connection, jobId);
            OptionalLong ahead = job.isEmpty() ? OptionalLong.empty() : ahead(connection, job.get());
            if (job.isEmpty() || ahead.isEmpty() || ahead.getAsLong() >= MAX) {
                return Optional.empty();
            }
            if (!job.get().state().isWaiting()) {
                return Optional.of(Duration.ZERO);
            }
            long done = completed(connection, job.get().queue());
            return done == 0
                    ? Optional.empty()
                    : Optional.of(SPAN.multipliedBy(ahead.getAsLong() + 1).dividedBy(done));
        });
    }

    private long completed(Connection connection, String queue) throws SQLException {
        long completed = finished.on(connection, -SPAN.toNanos() / 1_000, queue).one(row -> row.getLong(1));
        for (PlaceCounts place : places) {
            completed += place.completedLately(connection, queue, SPAN);
        }
        return completed;
    }
}
