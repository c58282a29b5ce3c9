package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/** Replaces the payload and the options of a job that has not started. */
final class ReplaceJob {
    private final Sql replaceAt;
    private final Sql replaceAfter;

    /**
     * @param dialect the product
     * @param waitingJob the condition that finds the job by its id
     */
    ReplaceJob(Dialect dialect, String waitingJob) {
        String replace = """
                UPDATE pawl_job
                   SET queue = ?, priority = ?, max_attempts = ?, tags = ?, headers = ?, payload = ?, attempt = 0,
                       created_at = %s,
                       available_at = %s
                 WHERE %s
                   AND NOT EXISTS (SELECT 1 FROM pawl_step s WHERE s.job_id = pawl_job.id AND s.place > 0) AND\s""" + waitingJob;
        String free = ReservedHeaders.mayBeReplaced();
        replaceAt = dialect.planned(replace.formatted(dialect.now(), dialect.moment(), free));
        replaceAfter = dialect.planned(replace.formatted(dialect.now(), dialect.nowPlusMicros(), free));
    }

    /** {@return whether the job was there and had not started; if so, its row is now locked} */
    boolean replace(Connection connection, JobRequest job, long id) throws SQLException {
        EnqueueOptions options = job.options();
        Instant at = options.availableAt();
        return (at != null ? replaceAt : replaceAfter)
                        .on(
                                connection,
                                options.queue(),
                                options.priority(),
                                options.maxAttempts(),
                                JsonStrings.tags(options.tags()),
                                JsonStrings.headers(options.headers()),
                                job.payload(),
                                at != null ? at : Long.valueOf(Micros.of(options.delay())),
                                id)
                        .update()
                == 1;
    }
}
