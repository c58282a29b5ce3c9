package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;

/** Gives a job that has not begun a new payload and new options. */
final class ReplaceJob {
    private final Dialect dialect;
    private final String replaceAt;
    private final String replaceAfter;

    /**
     * @param dialect the product
     * @param waitingJob the condition that finds the job by its id
     */
    ReplaceJob(Dialect dialect, String waitingJob) {
        this.dialect = dialect;
        String replace = """
                UPDATE pawl_job
                   SET queue = ?, priority = ?, max_attempts = ?, tags = ?, headers = ?, payload = ?, attempt = 0,
                       created_at = %s,
                       available_at = %s
                 WHERE %s
                   AND NOT EXISTS (SELECT 1 FROM pawl_step s WHERE s.job_id = pawl_job.id AND s.place > 0) AND\s""" + waitingJob;
        String free = ReservedHeaders.mayBeReplaced();
        replaceAt = dialect.sql(replace.formatted(dialect.now(), dialect.moment(), free));
        replaceAfter = dialect.sql(replace.formatted(dialect.now(), dialect.nowPlusMicros(), free));
    }

    /** {@return whether it was there and had not begun; if so, its row is now locked} */
    boolean replace(Connection connection, JobRequest job, long id) throws SQLException {
        EnqueueOptions options = job.options();
        Instant at = options.availableAt();
        try (PreparedStatement statement = dialect.planned(connection, at != null ? replaceAt : replaceAfter)) {
            statement.setString(1, options.queue());
            statement.setInt(2, options.priority());
            statement.setInt(3, options.maxAttempts());
            statement.setString(4, JsonStrings.tags(options.tags()));
            statement.setString(5, JsonStrings.headers(options.headers()));
            statement.setString(6, job.payload());
            if (at != null) {
                dialect.bind(statement, 7, at);
            } else {
                statement.setLong(7, Micros.of(options.delay()));
            }
            statement.setLong(8, id);
            return statement.executeUpdate() == 1;
        }
    }
}
