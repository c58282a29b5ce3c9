package dev.pawl.internal.enqueue;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.feature.BegunRows;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
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
    private final Sql headers;
    private final BegunRows begun;

    /**
     * @param dialect the product
     * @param begun finds jobs that have begun
     * @param waitingJob the condition that finds the job by its id
     */
    ReplaceJob(Dialect dialect, BegunRows begun, String waitingJob) {
        this.begun = begun;
        headers = dialect.statement("SELECT headers FROM pawl_job WHERE id = ?");
        String replace = """
                UPDATE pawl_job
                   SET queue = ?, priority = ?, max_attempts = ?, tags = ?, headers = ?, payload = ?, attempt = 0,
                       created_at = %s,
                       available_at = %s
                 WHERE %s
                   AND\s""" + begun.noneAnd() + waitingJob;
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

    /** {@return whether a waiting job cannot be replaced: other rows depend on it, or it has begun} */
    boolean isTied(Connection connection, long id) throws SQLException {
        boolean hasTies = headers.on(connection, id)
                .first(row -> !ReservedHeaders.mayBeReplaced(JobRows.headers(row.getString(1))))
                .orElse(false);
        return hasTies || begun.has(connection, id);
    }
}
