package dev.pawl.internal.key;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.KeyPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes jobs with concurrency keys as blocked: due in the distant future, with a row in {@code pawl_keyed}. A worker releases them. */
final class Parking {
    private final String now;
    private final String after;
    private final String at;

    Parking(Dialect dialect) {
        String insert =
                "INSERT INTO pawl_keyed (queue, job_key, job_id, priority, due, let_go) VALUES (?, ?, ?, %s, %s, 0)";
        String present = dialect.micros(dialect.now());
        now = dialect.sql(insert.formatted("?", present));
        after = dialect.sql(insert.formatted(present + " + ?", present + " + ?"));
        at = dialect.sql(insert.formatted("?", "?"));
    }

    /**
     * {@return whether a job has a concurrency key} False for a pending job of a workflow, which is blocked only once it is released there.
     */
    static boolean isKeyed(JobRequest job) {
        return key(job) != null && !Job.BLOCKED.equals(job.options().availableAt());
    }

    private static @Nullable String key(JobRequest job) {
        return job.options().key();
    }

    /** {@return the job as it is to be written} */
    static JobRequest parked(JobRequest job) {
        return isKeyed(job)
                ? new JobRequest(job.kind(), job.payload(), OwnOptions.availableAt(job.options(), Job.PARKED))
                : job;
    }

    /** Writes the rows in {@code pawl_keyed} of the jobs that were inserted. */
    void note(Connection connection, List<JobRequest> jobs, List<EnqueueResult> results) throws SQLException {
        try (PreparedStatement atOnce = connection.prepareStatement(now);
                PreparedStatement afterNow = connection.prepareStatement(after);
                PreparedStatement atMoment = connection.prepareStatement(at)) {
            int some = 0;
            int delayed = 0;
            int others = 0;
            for (int place = 0; place < jobs.size(); place++) {
                JobRequest job = jobs.get(place);
                if (isKeyed(job) && results.get(place) instanceof EnqueueResult.Inserted inserted) {
                    long id = inserted.jobId();
                    int priority = job.options().priority();
                    Instant moment = job.options().availableAt();
                    long delay = Micros.of(job.options().delay());
                    if (moment != null) {
                        long due = Micros.of(moment);
                        bind(atMoment, job, id, KeyPosition.of(priority, due)).setLong(5, due);
                        atMoment.addBatch();
                        others++;
                    } else if (delay > 0) {
                        bind(afterNow, job, id, delay).setLong(5, delay);
                        afterNow.addBatch();
                        delayed++;
                    } else {
                        bind(atOnce, job, id, priority).addBatch();
                        some++;
                    }
                }
            }
            if (some > 0) {
                atOnce.executeBatch();
            }
            if (delayed > 0) {
                afterNow.executeBatch();
            }
            if (others > 0) {
                atMoment.executeBatch();
            }
        }
    }

    private static PreparedStatement bind(PreparedStatement statement, JobRequest job, long id, long place)
            throws SQLException {
        statement.setString(1, job.options().queue());
        statement.setString(2, key(job));
        statement.setLong(3, id);
        statement.setLong(4, place);
        return statement;
    }
}
