package dev.pawl.internal.admin;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the failed attempts of the newest jobs, live or finished, along the index of attempts, and then the jobs by their ids. It does
 * not join them, because a planner may then read all jobs.
 */
final class NewestFailures {
    private static final int PAGE = 500;
    /** How many characters of an error are read. This is enough, because the first lines show the cause. */
    private static final int BEGINNING = 1_500;

    private final Dialect dialect;

    NewestFailures(Dialect dialect) {
        this.dialect = dialect;
    }

    private record Attempt(long job, long token, Instant failedAt, String error) {}

    private record Of(String kind, String queue, JobState state) {}

    /**
     * {@return the attempts of the newest jobs; fewer than {@code most} if no more exist, or if jobs of read attempts were deleted}
     *
     * @param most how many attempts to read
     */
    List<FailedRuns.Run> read(Connection connection, int most) throws SQLException {
        List<FailedRuns.Run> runs = new ArrayList<>();
        Attempt last = null;
        for (int seen = 0; seen < most; ) {
            List<Attempt> page = page(connection, last, Math.min(PAGE, most - seen));
            if (page.isEmpty()) {
                break;
            }
            Map<Long, Of> jobs =
                    jobs(connection, page.stream().map(Attempt::job).distinct().toList());
            for (Attempt attempt : page) {
                Of of = jobs.get(attempt.job);
                if (of != null) {
                    runs.add(new FailedRuns.Run(
                            attempt.job, attempt.token, attempt.failedAt, attempt.error, of.kind, of.queue, of.state));
                }
            }
            seen += page.size();
            last = page.get(page.size() - 1);
        }
        return runs;
    }

    /** {@return whether there are more attempts than this number} */
    boolean areMore(Connection connection, int most) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT COUNT(*) FROM (SELECT 1 AS one FROM pawl_attempt LIMIT " + (most + 1L) + ") attempts");
        return sql.on(connection).one(row -> row.getLong(1) > most);
    }

    private List<Attempt> page(Connection connection, @Nullable Attempt last, int limit) throws SQLException {
        Sql sql = dialect.planned("SELECT job_id, lease_token, failed_at, SUBSTR(error, 1, " + BEGINNING
                + ") AS error FROM " + dialect.alongIds("pawl_attempt")
                + " WHERE job_id <= ? AND (job_id < ? OR lease_token < ?)"
                + " ORDER BY job_id DESC, lease_token DESC LIMIT " + limit);
        long job = last == null ? Long.MAX_VALUE : last.job;
        return sql.on(connection, job, job, last == null ? Long.MAX_VALUE : last.token)
                .list(row -> new Attempt(
                        row.getLong("job_id"),
                        row.getLong("lease_token"),
                        Objects.requireNonNull(dialect.moment(row, "failed_at")),
                        row.getString("error")));
    }

    /** Reads live jobs first, so that a job that finishes between the two reads is found in the history. */
    private Map<Long, Of> jobs(Connection connection, List<Long> ids) throws SQLException {
        Map<Long, Of> jobs = new HashMap<>();
        for (String table : new String[] {dialect.jobsById(), "pawl_job_history"}) {
            Sql sql = dialect.planned(
                    "SELECT id, kind, queue, state FROM " + table + " WHERE " + dialect.anyOf("id", ids.size()));
            sql.on(connection, ids)
                    .each(rows -> jobs.put(
                            rows.getLong("id"),
                            new Of(
                                    rows.getString("kind"),
                                    rows.getString("queue"),
                                    JobState.ofCode(rows.getInt("state")))));
        }
        return jobs;
    }
}
