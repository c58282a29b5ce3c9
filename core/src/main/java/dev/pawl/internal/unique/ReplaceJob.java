package dev.pawl.internal.unique;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.enqueue.JobColumns;
import dev.pawl.internal.enqueue.LiveJobs;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.feature.BegunRows;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/** Replaces the payload and the options of a job that has not started. */
final class ReplaceJob {
    private final Dialect dialect;
    private final String replace;
    private final Sql ties;
    private final BegunRows begun;

    /**
     * @param dialect the product
     * @param begun finds jobs that have begun
     * @param waitingJob the condition that finds the job by its id
     */
    ReplaceJob(Dialect dialect, BegunRows begun, String waitingJob) {
        this.dialect = dialect;
        this.begun = begun;
        ties = dialect.statement("SELECT " + LiveJobs.TIES + " FROM pawl_job WHERE id = ?");
        replace = """
                UPDATE pawl_job
                   SET queue = ?, priority = ?, max_attempts = ?, tags = ?, headers = ?, payload = ?, attempt = 0,
                       created_at = NOW, unindexed_key = ?, cost = ?, expires_at = %s, available_at = %s
                 WHERE job_key IS NULL AND batch_id IS NULL
                   AND\s""".replace("NOW", dialect.now()) + begun.noneAnd() + waitingJob;
    }

    /** {@return whether the job was replaced, because it was there and had not started; if so, its row is now locked} */
    boolean replace(Connection connection, JobRequest job, long id) throws SQLException {
        EnqueueOptions options = job.options();
        Instant at = options.availableAt();
        Object expiry = JobColumns.expiryValue(options);
        Sql.Bound update = dialect.planned(replace.formatted(
                        JobColumns.expiry(dialect, options), at != null ? dialect.moment() : dialect.nowPlusMicros()))
                .on(connection, options.queue(), options.priority(), options.maxAttempts())
                .bind(JsonStrings.tags(options.tags()), JsonStrings.headers(options.headers()), job.payload())
                .bind(OwnOptions.unindexedKey(options), JobColumns.cost(options));
        return (expiry == null ? update : update.bind(expiry))
                        .bind(at != null ? at : Long.valueOf(Micros.of(options.delay())), id)
                        .update()
                == 1;
    }

    /** {@return whether a waiting job cannot be replaced, because other rows depend on it} */
    boolean isTied(Connection connection, long id) throws SQLException {
        return LiveJobs.isTied(
                ties.on(connection, id).first(row -> row.getString(1)).orElse(null));
    }

    /** {@return whether a waiting job cannot be replaced, because it has begun} */
    boolean hasBegun(Connection connection, long id) throws SQLException {
        return begun.has(connection, id);
    }
}
