package dev.pawl.internal.enqueue;

import dev.pawl.EnqueueOptions;
import dev.pawl.EnqueueResult;
import dev.pawl.Job;
import dev.pawl.JobRequest;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs with keys are written as if they were due in the distant future, and noted; a worker lets them go. */
final class Parking {
    private final String after;
    private final String at;

    Parking(Dialect dialect) {
        String insert =
                "INSERT INTO pawl_keyed (queue, job_key, priority, job_id, due, let_go) VALUES (?, ?, ?, ?, %s, 0)";
        after = dialect.sql(insert.formatted(dialect.micros(dialect.now()) + " + ?"));
        at = dialect.sql(insert.formatted("?"));
    }

    static boolean isKeyed(JobRequest job) {
        return key(job) != null;
    }

    private static @Nullable String key(JobRequest job) {
        return job.options().key();
    }

    /** {@return the job as it is written} */
    static JobRequest parked(JobRequest job) {
        return isKeyed(job)
                ? new JobRequest(job.kind(), job.payload(), job.options().availableAt(Job.PARKED))
                : job;
    }

    /** Notes those that are new. */
    void note(Connection connection, List<JobRequest> jobs, EnqueueResult[] results) throws SQLException {
        try (PreparedStatement afterNow = connection.prepareStatement(after);
                PreparedStatement atMoment = connection.prepareStatement(at)) {
            int some = 0;
            int others = 0;
            for (int place = 0; place < jobs.size(); place++) {
                JobRequest job = jobs.get(place);
                if (isKeyed(job) && results[place] instanceof EnqueueResult.Inserted inserted) {
                    Instant moment = job.options().availableAt();
                    if (moment == null) {
                        bind(
                                afterNow,
                                job,
                                inserted.jobId(),
                                Micros.of(job.options().delay()));
                        some++;
                    } else {
                        bind(atMoment, job, inserted.jobId(), Micros.of(moment));
                        others++;
                    }
                }
            }
            if (some > 0) {
                afterNow.executeBatch();
            }
            if (others > 0) {
                atMoment.executeBatch();
            }
        }
    }

    private static void bind(PreparedStatement statement, JobRequest job, long id, long micros) throws SQLException {
        EnqueueOptions options = job.options();
        statement.setString(1, options.queue());
        statement.setString(2, key(job));
        statement.setInt(3, options.priority());
        statement.setLong(4, id);
        statement.setLong(5, micros);
        statement.addBatch();
    }
}
