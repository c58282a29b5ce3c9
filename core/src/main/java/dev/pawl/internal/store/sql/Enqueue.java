package dev.pawl.internal.store.sql;

import dev.pawl.EnqueueOptions;
import dev.pawl.EnqueueResult;
import dev.pawl.JobRequest;
import dev.pawl.OnDuplicate;
import dev.pawl.internal.Json;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues: jobs without a unique key go in one statement, each job with one goes on its own, so that the answer can name
 * the job that was there before.
 */
public final class Enqueue {
    /** The existing job may finish between the refused insert and the look at it; then the key is free again. */
    private static final int TRIES = 10;

    private final Dialect dialect;
    private final InsertJobs insertJobs;
    private final String findLive;
    private final String replaceAt;
    private final String replaceAfter;

    /**
     * @param dialect the product
     * @param insertJobs how it writes rows
     */
    public Enqueue(Dialect dialect, InsertJobs insertJobs) {
        this.dialect = dialect;
        this.insertJobs = insertJobs;
        findLive =
                dialect.sql("SELECT id, state FROM pawl_job WHERE kind = ? AND unique_key = ? " + dialect.forUpdate());
        String replace = """
                UPDATE pawl_job
                   SET queue = ?, priority = ?, max_attempts = ?, tags = ?, payload = ?, attempt = 0,
                       available_at = %s
                 WHERE id = ? AND state = 0
                """;
        replaceAt = dialect.sql(replace.formatted(dialect.moment()));
        replaceAfter = dialect.sql(replace.formatted(dialect.nowPlusMicros()));
    }

    /** See {@link dev.pawl.internal.store.JobStore#enqueue}. */
    public List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) throws SQLException {
        List<JobRequest> plain =
                jobs.stream().filter(job -> job.options().uniqueKey() == null).toList();
        List<Long> ids = plain.isEmpty() ? List.of() : insertJobs.insert(connection, plain);
        List<EnqueueResult> results = new ArrayList<>(jobs.size());
        int next = 0;
        for (JobRequest job : jobs) {
            String key = job.options().uniqueKey();
            results.add(
                    key == null ? new EnqueueResult.Inserted(ids.get(next++)) : enqueueUnique(connection, job, key));
        }
        return results;
    }

    private EnqueueResult enqueueUnique(Connection connection, JobRequest job, String key) throws SQLException {
        for (int tries = 0; tries < TRIES; tries++) {
            OptionalLong id = insertJobs.insertUnique(connection, job);
            if (id.isPresent()) {
                return new EnqueueResult.Inserted(id.getAsLong());
            }
            EnqueueResult existing = meetExisting(connection, job, key);
            if (existing != null) {
                return existing;
            }
        }
        throw new SQLException(
                "unique key '" + key + "' of kind '" + job.kind() + "' kept changing hands; try the enqueue again",
                "40001");
    }

    private @Nullable EnqueueResult meetExisting(Connection connection, JobRequest job, String key)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(findLive)) {
            statement.setString(1, job.kind());
            statement.setString(2, key);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return null;
                }
                long id = rows.getLong(1);
                boolean waiting = rows.getInt(2) == 0;
                if (waiting && job.options().onDuplicate() == OnDuplicate.REPLACE && replace(connection, job, id)) {
                    return new EnqueueResult.Replaced(id);
                }
                return new EnqueueResult.Duplicate(id);
            }
        }
    }

    private boolean replace(Connection connection, JobRequest job, long id) throws SQLException {
        EnqueueOptions options = job.options();
        boolean at = options.availableAt() != null;
        try (PreparedStatement statement = connection.prepareStatement(at ? replaceAt : replaceAfter)) {
            statement.setString(1, options.queue());
            statement.setInt(2, options.priority());
            statement.setInt(3, options.maxAttempts());
            statement.setString(4, Json.tags(options.tags()));
            statement.setString(5, job.payload());
            if (at) {
                dialect.bind(statement, 6, Objects.requireNonNull(options.availableAt()));
            } else {
                statement.setLong(6, Micros.of(options.delay()));
            }
            statement.setLong(7, id);
            return statement.executeUpdate() == 1;
        }
    }
}
