package dev.pawl.internal.key;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes jobs with concurrency keys as blocked, with a row in {@code pawl_keyed}. A worker releases them. */
final class BlockedRows {
    private final String after;
    private final String at;

    BlockedRows(Dialect dialect) {
        String insert =
                "INSERT INTO pawl_keyed (queue, job_key, job_id, priority, available_at, released) VALUES (?, ?, ?, ?, %s, 0)";
        at = dialect.sql(insert.formatted("?"));
        after = dialect.sql(insert.formatted(dialect.micros(dialect.now()) + " + ?"));
    }

    /**
     * {@return whether a job has a concurrency key} False for a pending job of a workflow, which is blocked only once it is released there.
     */
    static boolean isKeyed(JobRequest job) {
        return key(job) != null && OwnOptions.state(job) != JobState.PENDING;
    }

    private static @Nullable String key(JobRequest job) {
        return job.options().key();
    }

    /** {@return the job as it is to be written} */
    static JobRequest blocked(JobRequest job) {
        return isKeyed(job) ? OwnOptions.written(job, JobState.BLOCKED) : job;
    }

    /** Writes the rows in {@code pawl_keyed} of the jobs that were inserted. */
    void note(Connection connection, List<JobRequest> jobs, List<EnqueueResult> results) throws SQLException {
        try (PreparedStatement afterNow = connection.prepareStatement(after);
                PreparedStatement atMoment = connection.prepareStatement(at)) {
            int delayed = 0;
            int others = 0;
            for (int place = 0; place < jobs.size(); place++) {
                JobRequest job = jobs.get(place);
                if (isKeyed(job) && results.get(place) instanceof EnqueueResult.Inserted inserted) {
                    long id = inserted.jobId();
                    Instant moment = job.options().availableAt();
                    long delay = Micros.of(job.options().delay());
                    if (moment == null && delay > 0) {
                        bind(afterNow, job, id, delay).addBatch();
                        delayed++;
                    } else {
                        bind(atMoment, job, id, moment == null ? 0 : Math.max(0, Micros.of(moment)))
                                .addBatch();
                        others++;
                    }
                }
            }
            if (delayed > 0) {
                afterNow.executeBatch();
            }
            if (others > 0) {
                atMoment.executeBatch();
            }
        }
    }

    private static PreparedStatement bind(PreparedStatement statement, JobRequest job, long id, long due)
            throws SQLException {
        statement.setString(1, job.options().queue());
        statement.setString(2, key(job));
        statement.setLong(3, id);
        statement.setInt(4, job.options().priority());
        statement.setLong(5, due);
        return statement;
    }
}
